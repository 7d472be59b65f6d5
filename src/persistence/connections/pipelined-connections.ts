import type pg from 'pg';
import type { Queryable } from '../sql.js';

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
