import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { openEmbedded } from '../embedded-postgres/embedded-postgres.js';
import type { Log } from './log.js';
import { PrismaClient } from './prisma/client.js';
import { asOutage, createStatementNames } from './sql.js';

/** An open database: one pool that Prisma and hand-written SQL share. */
export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
  /** True for the server that comes with the packages, false for DATABASE_URL. */
  embedded: boolean;
  /** True when this call made the embedded database; never for DATABASE_URL. */
  fresh: boolean;
  /** Waits for running queries, then lets go of the embedded server too. Later calls do nothing. */
  close(): Promise<void>;
}

/** Where the database is and how it is used. */
interface DatabaseOptions {
  /** A PostgreSQL server; without it the embedded one. */
  databaseUrl?: string | undefined;
  /** The folder of the embedded server. */
  dataDir: string;
  /** Connections at most. */
  poolSize: number;
  log: Log;
}

const OLDEST_MAJOR = 14;
const STATEMENT_TIMEOUT_MS = 15_000; // a query without an index must not hold its connection for ever
/**
 * The planner's defaults suit spinning disks and reports: here every hot statement is short and reads by index. To plan
 * one anew for each of its values took longer than to run it, so each is planned once on a connection, for all values
 * it may have. Statements are written for that: what a plan depends on is in their text (test/persistence/post-plans.test.ts).
 */
const PLANNING = '-c random_page_cost=1.1 -c jit=off -c plan_cache_mode=force_generic_plan';
const CONNECT_TIMEOUT_MS = 5_000; // the wait for a free connection counts too: then it is 503, not a hang
/** Prisma prepares nothing that has no name. Of its own: its IN lists of every length would otherwise leave no room for others. */
const prismaStatementName = createStatementNames('prisma');

/**
 * Opens DATABASE_URL, or the embedded server without one. Migrations are not applied here.
 * @throws Error of one line, without the password: unreachable, refused, older than PostgreSQL 14, or what openEmbedded throws
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
  poolSize,
  log,
}: DatabaseOptions): Promise<Database> {
  const embedded = databaseUrl ? undefined : await openEmbedded({ dataDir, log });
  const pool = new pg.Pool({
    connectionString: databaseUrl || embedded?.connectionString,
    max: poolSize,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'posts-gateway',
    options: PLANNING,
    pipeline: true, // for lanes: who has a client alone asks one thing after another all the same
  });
  // One that is lost between two statements of a transaction: its next statement says so. Unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => log.warn(`An idle database connection was lost: ${error.message}`));
  const prisma = sayingOutages(
    new PrismaClient({
      adapter: new PrismaPg(pool, {
        statementNameGenerator: ({ sql }) => prismaStatementName(sql) ?? '',
      }),
    }),
  );
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
    await embedded?.release();
  };
  const close = (): Promise<void> => (closed ??= closeAll());
  try {
    await assertUsable(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, prisma, embedded: embedded !== undefined, fresh: embedded?.fresh ?? false, close };
}

async function assertUsable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ version: string }>("SELECT current_setting('server_version') AS version")
    .catch((error: Error & { code?: string }) => {
      throw new Error(`The database cannot be used: ${error.message || error.code}`, {
        cause: error,
      }); // a refused connection has no message
    });
  const version = rows[0]?.version ?? '';
  if (!(parseInt(version, 10) >= OLDEST_MAJOR))
    throw new Error(`The database is PostgreSQL ${version}; ${OLDEST_MAJOR} or newer is needed`);
}

/** The same client, whose operations say that the database is away as hand-written SQL does. */
function sayingOutages(prisma: PrismaClient): PrismaClient {
  const extended = prisma.$extends({
    query: {
      $allOperations: ({ args, query }) =>
        query(args).catch((error: unknown) => {
          throw asOutage(error);
        }),
    },
  });
  return extended as unknown as PrismaClient; // it lacks $on alone, which nobody uses
}
