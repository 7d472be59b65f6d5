import type { CliDependencies, ConnectContext } from '../../cli/cli-context.js';
import type { Config } from '../../config/config.js';
import { createAdminLists, createAdminStore } from '../../persistence/admin/admin-store.js';
import { createDeletionStore } from '../../persistence/admin/deletion-store.js';
import { createAccountStore } from '../../persistence/credentials/account-store.js';
import { createCredentialStore } from '../../persistence/credentials/credential-store.js';
import {
  createWorkspaceLockStore,
  createAccountStatusStore,
} from '../../persistence/workspaces/suspension-store.js';
import { createWorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import { createJobWriter, createJobAdmin } from '../../persistence/jobs/job-store.js';
import { createPostStore } from '../../persistence/posts/post-store.js';
import { createPublishingPauses } from '../../persistence/publishing/publishing-pauses.js';
import { openGrantsVersions } from '../../redis/shared-redis-state.js';
import { createAccountStatusService } from '../../services/accounts/account-status.js';
import { systemClock } from '../../services/clock.js';
import { createWorkspaceLock } from '../../services/workspaces/workspace-lock.js';
import { createIds } from '../../services/ids.js';
import { createWebhookSecrets } from '../../persistence/webhooks/webhook-secrets.js';
import { createWebhookStore } from '../../persistence/webhooks/webhook-store.js';
import { composeWebhooks } from '../webhooks.js';
import { openCredentialKeys } from '../open-database.js';
import { openDemo } from '../demo.js';
import { composeEventTail } from '../live-events.js';
import { composeNetworks } from '../networks.js';
import { assertDatabaseExists, openMigratedDatabase } from '../open-database.js';

const POOL_SIZE = 4; // a gateway may use the same server at the same time

/**
 * Opens and migrates the configured database for each command, and closes it when the command ends.
 */
export const withCliContext =
  (readSettings: () => Config, warn: (message: string) => void): CliDependencies['withContext'] =>
  async (work, options) => {
    const config = readSettings();
    if (options?.readsOnly) assertDatabaseExists(config);
    const { dataDir } = config;
    const log = { info: () => {}, warn };
    const database = await openMigratedDatabase(config, {
      poolSize: POOL_SIZE,
      log,
      maxAnswerMs: Infinity,
    });
    const grantsVersions = openGrantsVersions(config, log);
    try {
      const admin = createAdminStore(database, grantsVersions);
      const clockAndIds = { ids: createIds(), clock: systemClock };
      const imports = {
        ...clockAndIds,
        store: createPostStore(database),
        workspaceRecords: createWorkspaceRecordStore(database),
        jobs: createJobWriter(database),
      };
      const keys = openCredentialKeys(config, database);
      const connectContext = (): ConnectContext => {
        const accountStatus = createAccountStatusService({
          accounts: createAccountStatusStore(database),
          store: imports.store,
          clock: systemClock,
        });
        return {
          networks: composeNetworks(config, { clock: systemClock }),
          accountStatus,
          settings: config.connectSettings,
        };
      };
      return await work({
        ...clockAndIds,
        accounts: createAccountStore(database, keys),
        credentials: createCredentialStore(database, keys),
        connectContext,
        webhooks: composeWebhooks(config, { database, keys, ...clockAndIds }),
        webhookWorkspace: (id) =>
          createWebhookStore(database, createWebhookSecrets(keys)).workspaceOf(id),
        jobs: createJobAdmin(database),
        publishing: createPublishingPauses(database),
        events: () => composeEventTail(config, { database, clock: systemClock, log }),
        workspaceLock: createWorkspaceLock({
          ...imports,
          workspaces: createWorkspaceLockStore(database, admin),
        }),
        admin,
        lists: createAdminLists(database),
        deletions: createDeletionStore(database, grantsVersions),
        demo: database.isEmbedded ? openDemo({ database, grantsVersions }, config) : null,
        imports,
        dataDir,
      });
    } finally {
      await grantsVersions.close();
      await database.close();
    }
  };
