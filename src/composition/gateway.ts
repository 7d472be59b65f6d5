import type { Logger } from 'pino';
import { composeGate } from './authentication.js';
import { composeNetworks } from './networks.js';
import { composeVitals } from './readiness.js';
import { composeWorker } from './worker.js';
import type { Config } from '../config/config.js';
import { readDemoFile } from '../demo/demo-file.js';
import { createGraphqlDoor } from '../graphql/server.js';
import type { Doors } from '../http/app.js';
import { createGraphqlFront } from '../graphql/http-handler.js';
import { PAGES_DIR } from '../http/pages/page-files.js';
import { createPages } from '../http/pages/pages.js';
import { createRestFront } from '../rest/http-handler.js';
import type { Worker } from '../jobs/worker.js';
import { createLog } from '../log/log.js';
import type { AccessEpochs } from '../redis/grants-versions.js';
import type { Database } from '../persistence/database.js';
import { createDirectoryStore } from '../persistence/directory/directory-store.js';
import { createIdempotencyStore } from '../persistence/changes/idempotency-store.js';
import { createJobStore } from '../persistence/jobs/job-store.js';
import { openMigrated } from '../persistence/open-migrated.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createStandingStore } from '../persistence/networks/account-status-store.js';
import type { GateTimes } from '../redis/redis-state.js';
import { createLookout } from '../persistence/readiness.js';
import { createOpenApiRoute, createRestDoor } from '../rest/router.js';
import { adapterFacts } from '../services/networks/adapter-facts.js';
import { createStandings } from '../services/accounts/account-status.js';
import { blogHtml } from '../services/posts/blog-html.js';
import type { JobMeter } from '../services/jobs/job-ports.js';
import type { Networks } from '../services/networks/network-ports.js';
import type { Clock } from '../services/ports.js';
import { createPosts } from '../services/posts/posts.js';
import { createIds, systemClock } from '../services/random-ids.js';
import { createSandbox } from '../services/networks/sandbox.js';
import type { Services } from '../services/services.js';

/** A gateway that is put together: what the hall leads to, and the database behind it. */
export interface Gateway {
  readonly doors: Doors;
  readonly database: Database;
  /** Has to hear of every change to what grants depend on. */
  readonly epochs: AccessEpochs;
  /** Does jobs in this process, once it is started. */
  readonly worker: Worker;
  /** Waits for running queries and lets go of the database. Stop taking requests, and the worker, first. */
  close(): Promise<void>;
}

/** What stands in the place of the real part in tests; and what the process has made before. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly times?: GateTimes;
  readonly jobMeter?: JobMeter | undefined;
}

/**
 * Puts the parts together: the only place that knows them all.
 * @throws Error of one line where the database cannot be used or brought to this build's schema
 */
export async function composeGateway(
  config: Config,
  { clock = systemClock, log = createLog(config.logLevel), jobMeter, ...more }: Overrides = {},
): Promise<Gateway> {
  const { databaseUrl, dataDir, databasePoolSize: poolSize } = config;
  const database = await openMigrated({ databaseUrl, dataDir, poolSize, log });
  try {
    const networks = composeNetworks(config, clock);
    const services = composeServices(config, { database, networks, clock });
    const graphql = createGraphqlDoor({ services, clock, log });
    const { postPatch } = graphql;
    const { handler: pages, playground } = createPages({
      folder: PAGES_DIR,
      hasPlayground: config.playground,
      demo: async () => (database.embedded ? readDemoFile(dataDir) : null),
    });
    const worker = composeWorker(config, database, { log, clock, networks, meter: jobMeter });
    const {
      gate,
      epochs,
      redis,
      close: closeGate,
    } = await composeGate(config, { pool: database.pool, clock, log, ...more });
    const lookout = createLookout(database.pool);
    return {
      doors: {
        graphql: createGraphqlFront({ gate, door: graphql, playground, log }),
        rest: createRestFront({
          gate,
          rest: createRestDoor({ services, postPatch }),
          openapi: createOpenApiRoute(postPatch),
          pages,
          log,
        }),
        vitals: composeVitals(database.pool, redis),
        isAnswering: () => lookout.isAnswering(),
      },
      database,
      worker,
      epochs,
      async close() {
        closeGate();
        await lookout.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function composeServices(
  { webhookUrl }: Config,
  {
    database: { pool, prisma },
    networks,
    clock,
  }: { database: Database; networks: Networks; clock: Clock },
): Services {
  const store = createPostStore(pool, { areDelivered: webhookUrl !== undefined });
  const directory = createDirectoryStore(prisma, pool);
  const posts = createPosts({
    store,
    directory,
    idempotency: createIdempotencyStore(pool),
    ids: createIds(clock),
    clock,
  });
  return {
    posts,
    sandbox: createSandbox({
      posts,
      store: createSandboxStore(pool),
      standings: createStandings({ accounts: createStandingStore(pool), store, clock }),
      clock,
    }),
    jobs: createJobStore(prisma),
    directory,
    postReader: store,
    adapters: adapterFacts(networks),
    blogHtml,
  };
}
