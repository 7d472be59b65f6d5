import { OWNER_ROLE } from '../setup/postgres-server.js';
import type { Random } from './random.js';
import type { Deployment } from './deployment.js';

/**
 * Deviations from a fast, successful response that a fault justifies: 503, a late result, 409 for a
 * retry whose first attempt may still be running, no response.
 */
export type Tolerance = 'UNAVAILABLE' | 'late' | 'IDEMPOTENCY_IN_FLIGHT' | 'no response';

/** A fault: how it is injected and how it is removed. */
export interface FaultKind {
  readonly name: string;
  /** Shortest and longest duration, in milliseconds. */
  readonly durationMs: readonly [number, number];
  /** Deviations that are accepted only during this fault. */
  readonly tolerates: readonly Tolerance[];
  /** How long a tolerated response may take, if it may take longer than in other faults. */
  readonly maxWaitMs?: number;
  /** Injects the fault. @returns the index of the killed gateway or worker, if there is one */
  begin(deployment: Deployment, random: Random): number | void | Promise<number | void>;
  end(deployment: Deployment): void | Promise<void>;
}

const SHORT_MS = [300, 1_500] as const;
/** Long enough for requests to time out. */
const LONG_MS = [1_500, 3_500] as const;
const DELAY_MS = 500;
const NETWORK_DELAY_MS = 3_000;

const NONE: readonly Tolerance[] = [];
/** The database is unavailable or slow for all processes. */
const DATABASE_UNAVAILABLE: readonly Tolerance[] = ['UNAVAILABLE', 'late'];
/**
 * Connections are lost as well: whether a running request has stored its idempotency key is
 * unknown.
 */
const CONNECTIONS_LOST: readonly Tolerance[] = [...DATABASE_UNAVAILABLE, 'IDEMPOTENCY_IN_FLIGHT'];
/**
 * One of two gateways is down, and answers 503 itself while it starts. Nothing justifies a
 * deviation of the other one.
 */
const GATEWAY_KILLED: readonly Tolerance[] = [
  'UNAVAILABLE',
  'IDEMPOTENCY_IN_FLIGHT',
  'no response',
];

/** Kills a random one of the processes and starts it again. */
function killOneOf(
  name: string,
  tolerates: readonly Tolerance[],
  processesOf: (deployment: Deployment) => Deployment['workers'],
): FaultKind {
  let target: Deployment['workers'][number];
  return {
    name,
    tolerates,
    durationMs: SHORT_MS,
    async begin(deployment, random) {
      const processes = processesOf(deployment);
      target = random.oneOf(processes);
      await target.kill();
      return processes.indexOf(target);
    },
    end: () => target.start(),
  };
}

const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${OWNER_ROLE}'`;

export const FAULT_KINDS: readonly FaultKind[] = [
  killOneOf('a gateway is killed', GATEWAY_KILLED, ({ gateways }) => gateways),
  killOneOf('a worker is killed', NONE, ({ workers }) => workers),
  {
    name: 'PostgreSQL is killed',
    tolerates: CONNECTIONS_LOST,
    durationMs: SHORT_MS,
    begin: ({ postgres }) => postgres.kill(),
    async end({ postgres, proxy }) {
      await postgres.start();
      proxy.forwardTo(postgres.port());
    },
  },
  {
    name: 'PostgreSQL is out of connections',
    tolerates: CONNECTIONS_LOST,
    durationMs: SHORT_MS,
    begin: ({ postgres }) =>
      postgres.admin(`ALTER ROLE ${OWNER_ROLE} CONNECTION LIMIT 1`, END_CONNECTIONS),
    end: ({ postgres }) => postgres.admin(`ALTER ROLE ${OWNER_ROLE} CONNECTION LIMIT -1`),
  },
  {
    name: 'PostgreSQL is slow',
    tolerates: DATABASE_UNAVAILABLE,
    durationMs: LONG_MS,
    begin: ({ proxy }) => proxy.delay(DELAY_MS),
    end: ({ proxy }) => proxy.delay(0),
  },
  {
    name: 'PostgreSQL does not respond',
    tolerates: DATABASE_UNAVAILABLE,
    durationMs: LONG_MS,
    begin: ({ proxy }) => proxy.freeze(),
    end: ({ proxy }) => proxy.thaw(),
  },
  {
    name: 'the host of PostgreSQL dies without a word, and another one takes over',
    tolerates: CONNECTIONS_LOST,
    durationMs: LONG_MS,
    begin({ postgres, proxy }) {
      proxy.goSilent();
      postgres.kill();
    },
    async end({ postgres, proxy }) {
      await postgres.start();
      proxy.forwardTo(postgres.port());
      proxy.takeOver();
    },
  },
  {
    name: 'PostgreSQL is read-only',
    tolerates: DATABASE_UNAVAILABLE,
    durationMs: SHORT_MS,
    begin: ({ postgres }) =>
      postgres.admin(
        'ALTER SYSTEM SET default_transaction_read_only = on',
        'SELECT pg_reload_conf()',
      ),
    end: ({ postgres }) =>
      postgres.admin('ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'),
  },
  {
    name: 'Redis is killed',
    tolerates: NONE,
    durationMs: SHORT_MS,
    begin: ({ redis }) => redis.stop(),
    end: ({ redis }) => redis.start(),
  },
  {
    name: 'Redis is frozen',
    tolerates: NONE,
    durationMs: SHORT_MS,
    begin: ({ redis }) => redis.freeze(),
    end: ({ redis }) => redis.thaw(),
  },
  {
    name: 'networks hang',
    tolerates: NONE,
    durationMs: SHORT_MS,
    begin: ({ postgres }) =>
      postgres.admin(
        `INSERT INTO sandbox_fault (post_id, delay_ms) SELECT p.id, ${NETWORK_DELAY_MS} FROM post p JOIN account a ON a.id = p.account_id WHERE a.sandbox ON CONFLICT (post_id) DO UPDATE SET delay_ms = excluded.delay_ms`,
      ),
    end: ({ postgres }) => postgres.admin('UPDATE sandbox_fault SET delay_ms = NULL'),
  },
];
