import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Log } from '../services/log-port.js';
import { openPool, type PoolOptions } from './connections/open-pool.js';
import { assertOwnSession } from './connections/pooler.js';
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

interface DatabaseOptions extends Omit<PoolOptions, 'onIdleLoss' | 'onConnect'> {
  readonly log: Log;
}

const MIN_POSTGRES_MAJOR = 14;
/** Texts of posts can contain any character. */
const ENCODING = 'UTF8';
/**
 * Prisma prepares only named statements. A separate limit of names: its IN lists of every length
 * would use up all of them.
 */
const prismaStatementName = createStatementNames('prisma');

/**
 * Opens a database. Does not apply migrations.
 * @throws Error of one line, without the password: the server is unreachable, refuses the
 * connection or is older than PostgreSQL 14, a connection pooler shares sessions without
 * `directUrl`, or the database is
 * not encoded in UTF-8 or has the schema of 0.1.0
 */
export async function openDatabase({ log, ...options }: DatabaseOptions): Promise<Database> {
  const opened = openPool({
    ...options,
    onIdleLoss: (error) => log.warn(`Lost an idle database connection: ${error.message}`),
  });
  const { pool } = opened;
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
    await opened.close();
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
  const { version, encoding, name } = await readServer(pool);
  if (!(parseInt(version, 10) >= MIN_POSTGRES_MAJOR))
    throw new Error(
      `The database runs PostgreSQL ${version}; version ${MIN_POSTGRES_MAJOR} or newer is required`,
    );
  if (encoding !== ENCODING)
    throw new Error(
      `The database ${name} is encoded in ${encoding}; ${ENCODING} is required. Create another one: CREATE DATABASE … ENCODING '${ENCODING}' TEMPLATE template0`,
    );
}

interface ServerRow {
  readonly version: string;
  readonly encoding: string;
  readonly name: string;
}

async function readServer(pool: pg.Pool): Promise<ServerRow> {
  try {
    await assertOwnSession(pool);
    const { rows } = await pool.query<ServerRow>(
      "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding, current_database() AS name",
    );
    return rows[0]!;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    // a refused connection has no message
    throw new Error(`Cannot use the database: ${message || code}`, { cause: error });
  }
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
