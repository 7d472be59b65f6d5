import { OWNER } from '../setup/own-postgres.js';
import type { Chance } from './random.js';
import type { Installation } from './installation.js';

/** What a fault may do to answers: 503, the right one late, 409 for a twin that it left under way, none at all. */
export type Excuse = 'UNAVAILABLE' | 'late' | 'IDEMPOTENCY_IN_FLIGHT' | 'no answer';

/** Something that goes wrong, and how it is mended. */
export interface FaultKind {
  readonly name: string;
  /** For how long, at least and at most, in milliseconds, before it is mended. */
  readonly lasts: readonly [number, number];
  /** What nothing else is an excuse for. */
  readonly excuses: readonly Excuse[];
  /** Gives the place of the process that was killed, where one was. */
  begin(installation: Installation, chance: Chance): number | void | Promise<number | void>;
  end(installation: Installation): void | Promise<void>;
}

const SHORT = [300, 1_500] as const;
/** Long enough for those who wait to lose their patience. */
const LONG = [1_500, 3_500] as const;
const SLOW_MS = 500;
const HANGING_MS = 3_000;

const NONE: readonly Excuse[] = [];
/** The database is away or slow for all. */
const AWAY: readonly Excuse[] = ['UNAVAILABLE', 'late'];
/** Besides, connections are cut: what became of a claim of a key, nobody knows then. */
const CUT: readonly Excuse[] = [...AWAY, 'IDEMPOTENCY_IN_FLIGHT'];
/** Of two gateways one is away, and says so itself while it starts; the other has no excuse. */
const KILLED: readonly Excuse[] = ['UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT', 'no answer'];

/** Kills one of the processes, whichever chance names, and starts it again. */
function killed(
  name: string,
  excuses: readonly Excuse[],
  processesOf: (installation: Installation) => Installation['workers'],
): FaultKind {
  let victim: Installation['workers'][number];
  return {
    name,
    excuses,
    lasts: SHORT,
    async begin(installation, chance) {
      const processes = processesOf(installation);
      victim = chance.oneOf(processes);
      await victim.kill();
      return processes.indexOf(victim);
    },
    end: () => victim.start(),
  };
}

const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${OWNER}'`;

export const FAULT_KINDS: readonly FaultKind[] = [
  killed('a gateway is killed', KILLED, ({ gateways }) => gateways),
  killed('a worker is killed', NONE, ({ workers }) => workers),
  {
    name: 'PostgreSQL is killed',
    excuses: CUT,
    lasts: SHORT,
    begin: ({ postgres }) => postgres.kill(),
    async end({ postgres, line }) {
      await postgres.start();
      line.leadTo(postgres.port());
    },
  },
  {
    name: 'PostgreSQL is out of connections',
    excuses: CUT,
    lasts: SHORT,
    begin: ({ postgres }) =>
      postgres.admin(`ALTER ROLE ${OWNER} CONNECTION LIMIT 1`, END_CONNECTIONS),
    end: ({ postgres }) => postgres.admin(`ALTER ROLE ${OWNER} CONNECTION LIMIT -1`),
  },
  {
    name: 'PostgreSQL is slow',
    excuses: AWAY,
    lasts: LONG,
    begin: ({ line }) => line.delay(SLOW_MS),
    end: ({ line }) => line.delay(0),
  },
  {
    name: 'PostgreSQL is silent',
    excuses: AWAY,
    lasts: LONG,
    begin: ({ line }) => line.freeze(),
    end: ({ line }) => line.thaw(),
  },
  {
    name: 'PostgreSQL is read-only',
    excuses: AWAY,
    lasts: SHORT,
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
    excuses: NONE,
    lasts: SHORT,
    begin: ({ redis }) => redis.stop(),
    end: ({ redis }) => redis.start(),
  },
  {
    name: 'Redis is frozen',
    excuses: NONE,
    lasts: SHORT,
    begin: ({ redis }) => redis.freeze(),
    end: ({ redis }) => redis.thaw(),
  },
  {
    name: 'networks hang',
    excuses: NONE,
    lasts: SHORT,
    begin: ({ postgres }) =>
      postgres.admin(
        `INSERT INTO sandbox_fault (post_id, delay_ms) SELECT p.id, ${HANGING_MS} FROM post p JOIN account a ON a.id = p.account_id WHERE a.sandbox ON CONFLICT (post_id) DO UPDATE SET delay_ms = excluded.delay_ms`,
      ),
    end: ({ postgres }) => postgres.admin('UPDATE sandbox_fault SET delay_ms = NULL'),
  },
];
