import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Log } from '../services/log-port.js';
import { assertReadableSchema } from './unsupported-schema.js';
import { PrismaClient } from './prisma/client.js';
import { createStatementNames, toUnavailableError } from './sql.js';

/** An open database: one pool shared by Prisma and hand-written SQL. */
export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
  /** Waits for running queries. Later calls have no effect. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** URL of a PostgreSQL server. */
  readonly connectionString: string;
  /** Maximum number of connections. */
  readonly poolSize: number;
  readonly log: Log;
}

const MIN_POSTGRES_MAJOR = 14;
// bounds how long a query without an index holds its connection
const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * The planner's defaults assume spinning disks and reports: here every hot statement is short and
 * reads by index. Planning a statement for each set of values took longer than running it, so each
 * statement is planned once per connection, for all values. Statements are written accordingly:
 * everything that a plan depends on is in their text (test/persistence/posts/post-plans.test.ts).
 */
const PLANNER_OPTIONS = '-c random_page_cost=1.1 -c jit=off -c plan_cache_mode=force_generic_plan';
// includes the wait for a free connection: an exhausted pool gives 503 instead of a hang
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Prisma prepares only named statements. A separate limit of names: its IN lists of every length
 * would use up all of them.
 */
const prismaStatementName = createStatementNames('prisma');

/**
 * Opens a database. Does not apply migrations.
 * @throws Error of one line, without the password: the server is unreachable, refuses the
 * connection or is older than PostgreSQL 14, or the database has the schema of 0.1.0
 */
export async function openDatabase({
  connectionString,
  poolSize,
  log,
}: DatabaseOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'posts-gateway',
    options: PLANNER_OPTIONS,
    // for pipelined connections; exclusive clients still run one statement at a time
    pipeline: true,
  });
  // A client lost between two statements of a transaction: the next statement reports it. Without a
  // listener, the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => log.warn(`Lost an idle database connection: ${error.message}`));
  const prisma = wrapDatabaseErrors(
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
  };
  const close = (): Promise<void> => (closed ??= closeAll());
  try {
    await assertUsable(pool);
    await assertReadableSchema(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, prisma, close };
}

async function assertUsable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ version: string }>("SELECT current_setting('server_version') AS version")
    .catch((error: Error & { code?: string }) => {
      throw new Error(`Cannot use the database: ${error.message || error.code}`, {
        cause: error,
      }); // a refused connection has no message
    });
  const version = rows[0]?.version ?? '';
  if (!(parseInt(version, 10) >= MIN_POSTGRES_MAJOR))
    throw new Error(
      `The database runs PostgreSQL ${version}; version ${MIN_POSTGRES_MAJOR} or newer is required`,
    );
}

/** The same client, with outages reported as UNAVAILABLE like those of hand-written SQL. */
function wrapDatabaseErrors(prisma: PrismaClient): PrismaClient {
  const extended = prisma.$extends({
    query: {
      $allOperations: ({ args, query }) =>
        query(args).catch((error: unknown) => {
          throw toUnavailableError(error);
        }),
    },
  });
  return extended as unknown as PrismaClient; // lacks only $on, which is not used
}
