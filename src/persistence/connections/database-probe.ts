import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { singleFlight } from '../single-flight.js';
import { trackedConnections, type Connection } from './connection.js';

/**
 * A healthy database responds to `SELECT 1` in a fraction of this, also on a machine whose processors
 * are all in use.
 */
const PROBE_TIMEOUT_MS = 900;
/** The next probe then opens another connection, which may lead to another server. */
const PROBE_CONNECTION_TIMEOUT_MS = 2_000;

/** Checks whether the database responds promptly. */
export interface DatabaseProbe {
  isResponsive(): Promise<boolean>;
  close(): Promise<void>;
}

/** `failed`: the database refused; `late`: nothing was read in time. */
type Outcome = 'responded' | 'failed' | 'late';

/** Above this event loop utilization, this process may have been too busy to read the response. */
const BUSY_UTILIZATION = 0.9;

/**
 * Creates a probe with a separate connection, opened on demand: a pool whose connections are all in
 * use does not show whether the database responds. A slow response counts as responsive if this
 * process itself was busy.
 */
export function createDatabaseProbe({ options }: pg.Pool): DatabaseProbe {
  const connections = new Set<Connection>();
  const Client = trackedConnections(connections) as new () => pg.ClientBase;
  const probePool = new pg.Pool({ ...options, Client, max: 1 });
  probePool.on('error', () => undefined); // the next probe reports it
  probePool.on('connect', (client) => client.on('error', () => undefined));

  async function respond(): Promise<Outcome> {
    let outcome: Outcome = 'failed';
    const timer = setTimeout(() => {
      outcome = 'late';
      connections.forEach((connection) => connection.abandon());
    }, PROBE_CONNECTION_TIMEOUT_MS);
    return probePool
      .query('SELECT 1')
      .then(
        () => 'responded' as const,
        () => outcome,
      )
      .finally(() => clearTimeout(timer));
  }
  const outcome = singleFlight<Outcome>(respond, {
    timeoutMs: PROBE_TIMEOUT_MS,
    fallback: 'late',
  });

  return {
    async isResponsive() {
      const before = performance.eventLoopUtilization();
      const result = await outcome();
      // A failure can take less than a millisecond, in which the utilization says nothing.
      return result === 'late'
        ? performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION
        : result === 'responded';
    },
    close: () => probePool.end(),
  };
}
