import type { ConnectMeans, Means } from '../cli/cli.js';
import { composeNetworks } from './networks.js';
import type { Config } from '../config/config.js';
import { openDemo } from './demo-setup.js';
import { createAccountStore } from '../persistence/credentials/account-store.js';
import { createAdminStore } from '../persistence/admin/admin-store.js';
import { createCredentialKeys, keyFileIn } from '../persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../persistence/credentials/credential-store.js';
import { openMigrated } from '../persistence/open-migrated.js';
import { createDirectoryStore } from '../persistence/directory/directory-store.js';
import { createJobRecords } from '../persistence/jobs/job-store.js';
import { createOperatorJobs } from '../persistence/jobs/operator-jobs.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createRecordLists } from '../persistence/admin/record-lists.js';
import { createRemovals } from '../persistence/admin/deletion-store.js';
import { openEpochs } from '../redis/redis-state.js';
import { createStandingStore } from '../persistence/networks/account-status-store.js';
import { createStandings } from '../services/accounts/account-status.js';
import { createIds, systemClock } from '../services/random-ids.js';

const POOL_SIZE = 4; // a gateway may be running on the same server

/** Opens what the settings name for each command, brings its tables up to date, and closes it when the work is over. */
export const withSession =
  (readSettings: () => Config, warn: (message: string) => void): Means['open'] =>
  async (work) => {
    const config = readSettings();
    const { databaseUrl, dataDir, credentialsKeys } = config;
    const log = { info: () => {}, warn };
    const database = await openMigrated({ databaseUrl, dataDir, poolSize: POOL_SIZE, log });
    const epochs = openEpochs(config, log);
    try {
      const demo = database.embedded ? openDemo({ ...database, epochs }, dataDir) : null;
      const { pool, prisma } = database;
      const parts = { ids: createIds(), clock: systemClock };
      const imports = {
        ...parts,
        store: createPostStore(pool),
        directory: createDirectoryStore(prisma, pool),
        jobs: createJobRecords(pool),
      };
      const keys = createCredentialKeys({
        configured: credentialsKeys,
        keyFile: database.embedded ? keyFileIn(dataDir) : null,
      });
      const sealed = {
        accounts: createAccountStore(prisma, keys),
        credentials: createCredentialStore(prisma, keys),
      };
      const connecting = (): ConnectMeans => {
        const standings = createStandings({
          accounts: createStandingStore(pool),
          store: imports.store,
          clock: systemClock,
        });
        return {
          networks: composeNetworks(config, systemClock),
          standings,
          settings: config.connectSettings,
        };
      };
      return await work({
        ...parts,
        ...sealed,
        connecting,
        operatorJobs: createOperatorJobs(pool),
        admin: createAdminStore(prisma, epochs),
        lists: createRecordLists(prisma),
        removals: createRemovals(pool, epochs),
        demo,
        imports,
        dataDir,
      });
    } finally {
      await epochs.close();
      await database.close();
    }
  };
