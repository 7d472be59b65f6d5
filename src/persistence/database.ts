import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { singleHostUrls } from '../domain/input/multi-host-url.js';
import type { Log } from '../services/log-port.js';
import { askOnce } from './connections/query-on-new-connection.js';
import {
  trackedConnections,
  type Connection,
  type ConnectionOptions,
} from './connections/connection.js';
import {
  watchConnections,
  type BackendState,
  type ServerInquiry,
} from './connections/connection-watch.js';
import { assertOwnSession } from './connections/pooler.js';
import { createServerChoice } from './connections/server-choice.js';
import { KEEP_ALIVE } from './connections/session.js';
import {
  CANCEL_BACKEND,
  READ_BACKENDS,
  setUpSession,
  STATEMENT_TIMEOUT_SECONDS,
} from './connections/session-settings.js';
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
  /** URL of a PostgreSQL server, or of several ones. */
  readonly connectionString: string;
  /**
   * URL of the same database without a pooler. Set if the other URL leads through a pooler in
   * transaction mode.
   */
  readonly directUrl?: string | undefined;
  /** Maximum number of connections. */
  readonly poolSize: number;
  readonly log: Log;
  /** Time after which a statement without an answer is given up, regardless of the server. */
  readonly maxAnswerMs?: number;
}

const MIN_POSTGRES_MAJOR = 14;
/** Texts of posts can contain any character. */
const ENCODING = 'UTF8';
// includes the wait for a free connection: an exhausted pool gives 503 instead of a hang
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A little more than the server's limit on a statement, which does not end the wait for a
 * synchronous standby, and dies with the server.
 */
const MAX_ANSWER_MS = (STATEMENT_TIMEOUT_SECONDS + 2) * 1_000;
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
export async function openDatabase({
  connectionString,
  directUrl,
  poolSize,
  log,
  maxAnswerMs = MAX_ANSWER_MS,
}: DatabaseOptions): Promise<Database> {
  const connections = new Set<Connection>();
  const options: ConnectionOptions = {
    ...connectionOptions(connectionString),
    ...(directUrl !== undefined && { session: connectionOptions(directUrl) }),
  };
  const pool = new pg.Pool({
    ...options,
    max: poolSize,
    // for pipelined connections, and for statements that a transaction sends together
    pipeline: true,
    Client: trackedConnections(connections) as new () => pg.ClientBase,
    // the pool waits for it, which its type leaves out
    onConnect: setUpSession as (client: pg.ClientBase) => void,
  });
  // A client lost between two statements of a transaction: the next statement reports it. Without a
  // listener, the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => log.warn(`Lost an idle database connection: ${error.message}`));
  const endWatch = watchConnections(connections, { server: inquire(pool.options), maxAnswerMs });
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
    endWatch();
    for (const { servers } of [options, options.session ?? {}]) servers?.close();
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

/**
 * The address of the server, or of several ones, of which each connection needs the writable one.
 */
function connectionOptions(url: string): ConnectionOptions {
  const urls = singleHostUrls(url);
  return {
    connectionString: urls[0]!,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'posts-gateway',
    ...(urls.length > 1 && { servers: createServerChoice(urls) }),
  };
}

const inquire = (options: pg.ClientConfig): ServerInquiry => ({
  readBackends: (pids) => askOnce<BackendState>(options, READ_BACKENDS, [pids]),
  cancel: ({ pid, startedAt }) => askOnce(options, CANCEL_BACKEND, [pid, startedAt]),
});

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
