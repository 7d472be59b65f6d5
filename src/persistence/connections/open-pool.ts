import pg from 'pg';
import { singleHostUrls } from '../../domain/input/urls.js';
import { type BackendState, type ServerInquiry, watchConnections } from './connection-watch.js';
import { Connection, type ConnectionOptions, trackedConnections } from './connection.js';
import { createServerChoice } from './server-choice.js';
import {
  CANCEL_BACKEND,
  READ_BACKENDS,
  STATEMENT_TIMEOUT_SECONDS,
  setUpSession,
  KEEP_ALIVE,
} from './session.js';

/** Longer than a connection to a healthy database and a short statement take. */
const TIMEOUT_MS = 2_000;

/**
 * Runs a statement on a new connection, which leads to the server that the address leads to now, or
 * to the one of several that accepts changes now. Undefined if the statement fails or is not
 * answered within 2 s.
 */
async function askOnce<Row>(
  options: ConnectionOptions,
  text: string,
  values: readonly unknown[],
): Promise<Row[] | undefined> {
  options.servers?.forget();
  const connection = new Connection({ ...options, ...KEEP_ALIVE, pipeline: false });
  connection.on('error', () => undefined); // the statement reports it
  const timer = setTimeout(() => connection.abandon(), TIMEOUT_MS);
  try {
    await connection.connect();
    const { rows } = await connection.query(text, values as unknown[]);
    return rows as Row[];
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    void connection.end().catch(() => undefined);
  }
}

/** Options of a pool. */
export interface PoolOptions {
  /** URL of a PostgreSQL server, or of several ones. */
  readonly connectionString: string;
  /**
   * URL of the same database without a pooler. Set if the other URL leads through a pooler in
   * transaction mode.
   */
  readonly directUrl?: string | undefined;
  /** Maximum number of connections. */
  readonly poolSize: number;
  /** Time after which a statement without an answer is given up, regardless of the server. */
  readonly maxAnswerMs?: number;
  /** Called for each connection that is lost while it is idle. */
  readonly onIdleLoss: (error: Error) => void;
  /** Sets up a new connection. It is not used if this fails. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** A pool whose unresponsive connections are closed. */
interface OpenPool {
  readonly pool: pg.Pool;
  /** All open connections, including those that are connecting. */
  readonly connections: ReadonlySet<Connection>;
  /** Waits for running queries. */
  close(): Promise<void>;
}

// includes the wait for a free connection: an exhausted pool gives 503 instead of a hang
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A little more than the server's limit on a statement, which does not end the wait for a
 * synchronous standby, and dies with the server.
 */
const MAX_ANSWER_MS = (STATEMENT_TIMEOUT_SECONDS + 2) * 1_000;

/** Creates a pool. It connects when the first statement runs. */
export function openPool({
  connectionString,
  directUrl,
  poolSize,
  maxAnswerMs = MAX_ANSWER_MS,
  onIdleLoss,
  onConnect = setUpSession,
}: PoolOptions): OpenPool {
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
    onConnect: onConnect as (client: pg.ClientBase) => void,
  });
  // A client lost between two statements of a transaction: the next statement reports it. Without a
  // listener, the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', onIdleLoss);
  const endWatch = watchConnections(connections, { server: inquire(pool.options), maxAnswerMs });
  return {
    pool,
    connections,
    async close() {
      await pool.end();
      endWatch();
      for (const { servers } of [options, options.session ?? {}]) servers?.close();
    },
  };
}

/**
 * The address of the server, or of several ones, of which each connection needs the writable one.
 */
export function connectionOptions(url: string): ConnectionOptions {
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
