import { Socket } from 'node:net';
import pg from 'pg';
import type { ServerAddress, ServerChoice } from './server-choice.js';
import type { Queryable } from '../sql.js';

/** The server process of a connection. A later process can have the same `pid`. */
export interface Backend {
  readonly pid: number;
  /** Seconds since 1970, as text. */
  readonly startedAt: string;
}

/** Options of a connection. The options of a pool contain them, too. */
export interface ConnectionOptions extends pg.ClientConfig {
  /** The servers of a URL with several hosts. */
  readonly servers?: ServerChoice | undefined;
  /**
   * Options of connections with a session of their own. Set if this connection leads through a
   * pooler in transaction mode: each of its transactions can run in another session.
   */
  readonly session?: ConnectionOptions | undefined;
}

/** The same query, not prepared: a prepared statement belongs to a session. */
const withoutName = <Query>(query: Query): Query =>
  typeof query === 'object' && query !== null && 'name' in query
    ? { ...query, name: undefined }
    : query;

/** Error of a connection that was closed because the server did not answer on it. */
const noAnswer = (): Error =>
  Object.assign(new Error('Connection terminated: the database did not answer on it'), {
    code: 'ETIMEDOUT',
  });

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A connection that shows what it waits for, and that can be closed while the server is silent: a
 * host that dies without closing its connections answers nothing, and the kernel reports that only
 * after a quarter of an hour. With several servers, it leads to the one that accepts changes.
 */
export class Connection extends pg.Client {
  /** Undefined until the session is set up. Null if transactions run in different sessions. */
  backend: Backend | null | undefined;
  /** Whether each transaction can run in another session. */
  readonly hasNoSession: boolean;
  readonly #socket: Socket;
  readonly #servers: ServerChoice | undefined;
  #isAnswered = true;
  #isCorked = false;

  constructor(config?: ConnectionOptions) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    this.#servers = config?.servers;
    this.hasNoSession = config?.session !== undefined;
    this.on('drain', () => {
      this.#isAnswered = true;
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!this.#servers) return callback ? super.connect(callback) : super.connect();
    const connected = this.#connectToOneOf(this.#servers);
    if (!callback) return connected;
    const report = callback as (error: Error | null, client?: pg.Client) => void;
    void connected.then(() => report(null, this), report);
  }

  async #connectToOneOf(servers: ServerChoice): Promise<pg.Client> {
    this.#socket.on('error', () => undefined); // closed before it is connected
    let address: ServerAddress;
    try {
      address = await servers.choose();
      if (this.#socket.destroyed) throw noAnswer();
    } catch (error) {
      this.emit('end');
      throw error;
    }
    Object.assign(this, address);
    this.once('error', () => servers.forget(address));
    try {
      return await super.connect();
    } catch (error) {
      servers.forget(address);
      throw error;
    }
  }

  override query = ((...[query, ...rest]: Parameters<pg.Client['query']>) => {
    this.#isAnswered = false;
    this.#sendTogether();
    return super.query(this.hasNoSession ? withoutName(query) : query, ...rest);
  }) as pg.Client['query'];

  /**
   * Sends the statements of this turn of the event loop in one packet: each one wakes the server.
   */
  #sendTogether(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  /** The port of this process, which a server without a pooler or proxy in between also sees. */
  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  /**
   * The number of bytes that the server has sent so far, which changes with each answer; undefined
   * if it owes no answer.
   */
  get bytesBeforeAnswer(): number | undefined {
    return this.#isAnswered && this.backend !== undefined ? undefined : this.#socket.bytesRead;
  }

  /** Closes the socket without notifying the server. All statements of the connection fail. */
  abandon(): void {
    this.#socket.destroy(noAnswer());
  }
}

/**
 * A class for `pg.Pool` whose open connections, including those that are connecting, are in `open`.
 */
export const trackedConnections = (open: Set<Connection>): typeof Connection =>
  class extends Connection {
    constructor(config?: ConnectionOptions) {
      super(config);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };

/**
 * A connection that several statements share; checked out of the pool while any statement is in
 * flight.
 */
interface PipelinedConnection {
  readonly client: Promise<pg.PoolClient>;
  inFlight: number;
}

/** Maximum share of the pool: transactions and slow statements need separate connections. */
const MAX_POOL_SHARE = 0.4;
/** Maximum statements in flight per connection: a slow statement blocks those behind it. */
const MAX_IN_FLIGHT = 8;

/**
 * Maximum number of records that a pipelined statement looks up by their IDs. More take
 * milliseconds.
 */
export const MAX_PIPELINED_RECORDS = 50;

/**
 * Runs many short concurrent reads on few connections: each statement is sent without waiting for
 * the results of those before it (PostgreSQL's pipelining), which halves the cost of a read on both
 * sides. Each statement succeeds or fails independently; a lost connection fails all statements in
 * flight on it. If every pipelined connection is full, a statement gets a separate connection.
 */
export function createPipelinedConnections(pool: pg.Pool): Queryable {
  const maxConnections = Math.floor(pool.options.max * MAX_POOL_SHARE);
  const connections = new Set<PipelinedConnection>();

  function open(): PipelinedConnection {
    const connection: PipelinedConnection = { client: pool.connect(), inFlight: 0 };
    connections.add(connection);
    return connection;
  }

  /**
   * The least busy connection, or a new one rather than a second statement on it. Undefined if all
   * are full.
   */
  function choose(): PipelinedConnection | undefined {
    let leastBusy: PipelinedConnection | undefined;
    for (const connection of connections)
      if (!leastBusy || connection.inFlight < leastBusy.inFlight) leastBusy = connection;
    if (connections.size < maxConnections && leastBusy?.inFlight !== 0) return open();
    return leastBusy && leastBusy.inFlight < MAX_IN_FLIGHT ? leastBusy : undefined;
  }

  /** Returns an idle connection to the pool, which closes it if it was lost. */
  function release(connection: PipelinedConnection): void {
    connections.delete(connection);
    connection.client.then(
      (client) => client.release(),
      () => undefined,
    );
  }

  return {
    async query(config) {
      const connection = choose();
      if (!connection) return pool.query(config);
      connection.inFlight += 1;
      try {
        return await (await connection.client).query(config);
      } finally {
        connection.inFlight -= 1;
        if (connection.inFlight === 0) release(connection);
      }
    },
  };
}
