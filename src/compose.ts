import type { Logger } from 'pino';
import { composeWorker } from './compose-worker.js';
import type { Config } from './config.js';
import { readDemoFile } from './demo/demo-file.js';
import { createGraphqlDoor } from './graphql/door.js';
import type { Doors } from './http/app.js';
import { createFailureThrottle } from './http/failure-throttle.js';
import { createGate } from './http/gate.js';
import { createGraphqlFront } from './http/graphql-front.js';
import { PAGES_DIR } from './http/page-files.js';
import { createPages } from './http/pages.js';
import { createRestFront } from './http/rest-front.js';
import type { Worker } from './jobs/worker.js';
import { createLog } from './log.js';
import { openDatabase, type Database } from './persistence/database.js';
import { createDirectoryStore } from './persistence/directory-store.js';
import { createIdempotencyStore } from './persistence/idempotency-store.js';
import { createJobStore } from './persistence/job-store.js';
import { createKeyStore } from './persistence/key-store.js';
import { applyMigrations, hasOpenMigration, MIGRATIONS_DIR } from './persistence/migrations.js';
import { createPostStore } from './persistence/post-store.js';
import { createRateCounter, FAILURE_WINDOWS, REQUEST_WINDOWS } from './persistence/rate-counter.js';
import { createSandboxStore } from './persistence/sandbox-store.js';
import { createOpenApiRoute, createRestDoor } from './rest/door.js';
import { createAccess } from './services/access.js';
import { blogHtml } from './services/blog-html.js';
import type { Clock } from './services/ports.js';
import { createPosts } from './services/posts.js';
import { createIds, systemClock } from './services/random-ids.js';
import { createRateLimiter } from './services/rate-limiter.js';
import { createSandbox } from './services/sandbox.js';
import type { Services } from './services/services.js';

/** A gateway that is put together: what the hall leads to, and the database behind it. */
export interface Gateway {
  readonly doors: Doors;
  readonly database: Database;
  /** Does jobs in this process, once it is started. */
  readonly worker: Worker;
  /** Waits for running queries and lets go of the database. Stop taking requests, and the worker, first. */
  close(): Promise<void>;
}

/** What a test puts in the place of the real part. */
interface Overrides { readonly clock?: Clock; readonly log?: Logger }

/**
 * Puts the parts together: the only place that knows them all.
 * @throws Error of one line where the database cannot be used or brought to this build's schema
 */
export async function composeGateway(config: Config, { clock = systemClock, log = createLog(config.logLevel) }: Overrides = {}): Promise<Gateway> {
  const { databaseUrl, dataDir, databasePoolSize: poolSize } = config;
  const database = await openDatabase({ databaseUrl, dataDir, poolSize, log });
  try {
    await applyMigrations(database.pool, MIGRATIONS_DIR, log);
    const services = composeServices(database, clock);
    const gate = composeGate(config, database, clock);
    const graphql = createGraphqlDoor({ services, clock, log });
    const { postPatch } = graphql;
    const { handler: pages, playground } = createPages({ folder: PAGES_DIR, hasPlayground: config.playground, demo: async () => (database.embedded ? readDemoFile(dataDir) : null) });
    return {
      doors: {
        graphql: createGraphqlFront({ gate, door: graphql, playground, log }),
        rest: createRestFront({ gate, rest: createRestDoor({ services, postPatch }), openapi: createOpenApiRoute(postPatch), pages, log }),
        isReady: async () => !(await hasOpenMigration(database.pool).catch(() => true)),
      },
      database,
      worker: composeWorker(config, database, { log, clock }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function composeServices({ pool, prisma }: Database, clock: Clock): Services {
  const store = createPostStore(pool);
  const directory = createDirectoryStore(prisma, pool);
  const posts = createPosts({ store, directory, idempotency: createIdempotencyStore(pool), ids: createIds(clock), clock });
  return {
    posts,
    sandbox: createSandbox({ posts, store: createSandboxStore(pool), clock }),
    jobs: createJobStore(prisma),
    directory,
    postReader: store,
    blogHtml,
  };
}

function composeGate({ rateLimit, trustedProxies }: Config, { pool }: Database, clock: Clock) {
  return createGate({
    access: createAccess({ keys: createKeyStore(pool), clock }),
    rateLimiter: createRateLimiter({ counter: createRateCounter(REQUEST_WINDOWS), clock, defaultLimit: rateLimit }),
    failures: createFailureThrottle(createRateCounter(FAILURE_WINDOWS)),
    trustedProxies,
    clock,
  });
}
