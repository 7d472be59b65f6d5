import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Log } from '../domain/log.js';
import {
  createChangeLimit,
  runTransaction,
  type TransactionWork,
} from './connections/transaction.js';
import { openDatabaseClock, type DatabaseClock } from './connections/database-clock.js';
import { createDatabaseProbe } from './connections/database-probe.js';
import { listen, type ListenOptions, createNotifier } from './connections/listen-notify.js';
import { openPool, type PoolOptions } from './connections/open-pool.js';
import { createPipelinedConnections } from './connections/connection.js';
import { assertOwnSession } from './connections/pooler.js';
import { withSession } from './connections/session.js';
import { createRelatedRowsCache, type RelatedRowsCache } from './posts/related-rows-cache.js';
import { type Prisma, PrismaClient } from './prisma/client.js';
import { shareStatements, type SharedStatement } from './shared-statements/statement-sharing.js';
import { createStatementNames, sqlOn, toCommitError, toUnavailableError, type Sql } from './sql.js';
import { assertReadableSchema } from './schema-version.js';

/** Runs reads on a server. */
export interface Reader {
  /** Runs a short read, which finds its rows by index: concurrent ones share connections. */
  readonly read: Sql;
  /** Runs a read that may take milliseconds, on a connection of its own. */
  readonly scan: Sql;
  /** What this process knows of the accounts, users and labels of the posts that it reads here. */
  readonly relatedRows: RelatedRowsCache;
  /** URL at which clients reach the gateways now; the URLs of files that rows have as paths start with it. */
  readonly mediaBaseUrl: () => string;
  /** Lets concurrent calls share statements. */
  share<Call, Result>(statement: SharedStatement<Call, Result>): (call: Call) => Promise<Result>;
}

/** The reads of Prisma's client, by model. */
type RecordReader = {
  readonly [Model in Uncapitalize<Prisma.ModelName>]: Pick<
    PrismaClient[Model],
    'findUnique' | 'findFirst' | 'findMany' | 'count'
  >;
};

/** The database, as stores use it: Prisma's client and hand-written SQL share its connections. */
export interface Database extends Reader {
  /** Reads records with Prisma's client. @throws GatewayError UNAVAILABLE like `read` */
  readonly prisma: RecordReader;
  /**
   * Changes records with Prisma's client: one call of it, or one transaction.
   * @throws GatewayError UNAVAILABLE like `change`
   */
  changeRecords<T>(work: (prisma: PrismaClient) => Promise<T>): Promise<T>;
  /**
   * Runs a statement that changes rows, and commits it.
   * @throws GatewayError UNAVAILABLE also if it may have been committed; the message says so
   */
  readonly change: Sql;
  /** Runs `work` in a transaction; an exception rolls it back. */
  transaction<T>(work: TransactionWork<T>): Promise<T>;
  /**
   * Runs reads that the user of the current request sees, on any server that has what this user
   * has changed or seen. Decisions are made on what the other methods read.
   */
  anywhere<T>(work: (server: Reader) => Promise<T>): Promise<T>;
  /**
   * Call it before a request returns what others have changed: later reads of its user show at
   * least that.
   */
  acknowledge(): Promise<void>;
  /**
   * Runs `work` on a connection outside the pool, without time limits, and closes it: for work that
   * waits for a lock or takes minutes.
   */
  session<T>(work: (session: pg.Client) => Promise<T>): Promise<T>;
  /** Receives the notifications of a channel, on a connection of its own. */
  listen(options: ListenOptions): { close(): Promise<void> };
  /**
   * Notifies the listeners of a channel in all processes that something happened to a subject, or
   * to any (null). Call it after the commit. A notification that is lost only delays its listeners,
   * which also poll.
   */
  notify(channel: string, subject: string | null): void;
}

/** The user of a request. */
export interface RequestUser {
  readonly id: string;
  /** The position that the client sent with the request. */
  readonly position: string | undefined;
  /** Called with the position of each change of the request, before it is acknowledged. */
  onChange(position: string): void;
}

/** The state of a read replica. */
export interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  readonly isUsed: boolean;
  /** Seconds; Infinity if it is not known. */
  readonly lag: number;
}

/** A database that this process has opened. */
export interface OpenDatabase extends Database {
  /** Its connections, for their metrics and for tests. */
  readonly pool: pg.Pool;
  /** The time of its server, with which times in rows are compared. */
  readonly clock: DatabaseClock;
  /** The whole client, for tests. Its changes are not limited like those of `changeRecords`. */
  readonly prisma: PrismaClient;
  /** Runs a request. Its user reads their own changes from whichever server answers. */
  inRequest<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Names the user of the current request.
   * @throws GatewayError BAD_USER_INPUT if the position that the client sent is not valid
   */
  setUser(user: RequestUser): void;
  /** The read replicas. A server in their list that is the primary is left out. */
  replicaStates(): readonly ReplicaState[];
  /** Whether the database responds promptly. */
  isResponsive(): Promise<boolean>;
  /** Waits for running queries. Later calls have no effect. */
  close(): Promise<void>;
}

interface DatabaseOptions extends Omit<PoolOptions, 'onIdleLoss' | 'onConnect'> {
  readonly mediaBaseUrl?: (() => string) | undefined;
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
export async function openDatabase({
  log,
  mediaBaseUrl,
  ...options
}: DatabaseOptions): Promise<OpenDatabase> {
  const { pool, close: closePool } = openPool({
    ...options,
    onIdleLoss: (error) => log.warn(`Lost an idle database connection: ${error.message}`),
  });
  const database = createDatabase(pool, mediaBaseUrl);
  const probe = createDatabaseProbe(pool);
  let clock: Awaited<ReturnType<typeof openDatabaseClock>> | undefined;
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    clock?.close();
    await database.prisma.$disconnect();
    await probe.close();
    await closePool();
  };
  const close = (): Promise<void> => (closed ??= closeAll());
  try {
    await assertUsable(pool);
    await assertReadableSchema(database.read);
    clock = await openDatabaseClock(database.scan, log);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...database,
    pool,
    clock,
    inRequest: (work) => work(),
    setUser: () => undefined,
    replicaStates: () => [],
    isResponsive: () => probe.isResponsive(),
    close,
  };
}

/** Creates the reader of a pool. */
export function createReader(pool: pg.Pool, mediaBaseUrl: Reader['mediaBaseUrl']): Reader {
  const read = sqlOn(createPipelinedConnections(pool));
  return {
    read,
    scan: sqlOn(pool),
    relatedRows: createRelatedRowsCache(read),
    mediaBaseUrl,
    share: shareStatements,
  };
}

/** Creates the database of a pool. Without a base, the URLs of files are those of a local gateway. */
export function createDatabase(
  pool: pg.Pool,
  mediaBaseUrl: Reader['mediaBaseUrl'] = () => 'http://localhost:4000',
): Database & Pick<OpenDatabase, 'prisma'> {
  const reader = createReader(pool, mediaBaseUrl);
  const prisma = createPrismaClient(pool);
  const limit = createChangeLimit(pool);
  const commit = <T>(work: () => Promise<T>): Promise<T> =>
    limit(work).catch((error: unknown) => {
      throw toCommitError(error);
    });
  return {
    ...reader,
    prisma,
    changeRecords: (work) => commit(() => work(prisma)),
    change: (text, values) => commit(() => reader.scan<never>(text, values)),
    transaction: (work) => limit(() => runTransaction(pool, work)),
    anywhere: (work) => work(reader),
    acknowledge: () => Promise.resolve(),
    session: (work) => withSession(pool, work),
    listen: (options) => listen(pool, options),
    notify: createNotifier(reader.read),
  };
}

/**
 * The server and the pool limit the time of Prisma's transactions like that of others: its own limit
 * of 5 seconds would roll back large deletions. Milliseconds; the longest time of a timer.
 */
const NO_LIMIT = 2_147_483_647;

/** The client reports outages as UNAVAILABLE, like hand-written SQL. */
function createPrismaClient(pool: pg.Pool): PrismaClient {
  const client = new PrismaClient({
    transactionOptions: { maxWait: NO_LIMIT, timeout: NO_LIMIT },
    adapter: new PrismaPg(pool, {
      statementNameGenerator: ({ sql }) => prismaStatementName(sql) ?? '',
    }),
  });
  const extended = client.$extends({
    query: {
      $allOperations: ({ args, query }) =>
        query(args).catch((error: unknown) => {
          throw toUnavailableError(error);
        }),
    },
  });
  return extended as unknown as PrismaClient; // lacks only $on, which is not used
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
