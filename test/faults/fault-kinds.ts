import { OWNER } from '../setup/own-postgres.js';
import type { Installation } from './installation.js';

/** Something that goes wrong, and how it is mended. */
export interface FaultKind {
  readonly name: string;
  /** For how long, at least and at most, in milliseconds, before it is mended. */
  readonly lasts: readonly [number, number];
  begin(installation: Installation): void | Promise<void>;
  end(installation: Installation): void | Promise<void>;
}

const SHORT = [300, 1_500] as const;
/** Long enough for those who wait to lose their patience. */
const LONG = [1_500, 3_500] as const;
const SLOW_MS = 500;
const HANGING_MS = 3_000;

/** Kills one of the processes, whichever chance names, and starts it again. */
function killed(name: string, processesOf: (installation: Installation) => Installation['workers']): FaultKind {
  let victim: Installation['workers'][number];
  return {
    name, lasts: SHORT,
    begin(installation) {
      const processes = processesOf(installation);
      victim = processes[Math.floor(Math.random() * processes.length)]!;
      return victim.kill();
    },
    end: () => victim.start(),
  };
}

const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${OWNER}'`;

export const FAULT_KINDS: readonly FaultKind[] = [
  killed('a gateway is killed', ({ gateways }) => gateways),
  killed('a worker is killed', ({ workers }) => workers),
  {
    name: 'PostgreSQL is killed', lasts: SHORT,
    begin: ({ postgres }) => postgres.kill(),
    async end({ postgres, line }) {
      await postgres.start();
      line.leadTo(postgres.port());
    },
  },
  {
    name: 'PostgreSQL is out of connections', lasts: SHORT,
    begin: ({ postgres }) => postgres.admin(`ALTER ROLE ${OWNER} CONNECTION LIMIT 1`, END_CONNECTIONS),
    end: ({ postgres }) => postgres.admin(`ALTER ROLE ${OWNER} CONNECTION LIMIT -1`),
  },
  { name: 'PostgreSQL is slow', lasts: LONG, begin: ({ line }) => line.delay(SLOW_MS), end: ({ line }) => line.delay(0) },
  { name: 'PostgreSQL is silent', lasts: LONG, begin: ({ line }) => line.freeze(), end: ({ line }) => line.thaw() },
  {
    name: 'PostgreSQL is read-only', lasts: SHORT,
    begin: ({ postgres }) => postgres.admin('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'),
    end: ({ postgres }) => postgres.admin('ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'),
  },
  { name: 'Redis is killed', lasts: SHORT, begin: ({ redis }) => redis.stop(), end: ({ redis }) => redis.start() },
  { name: 'Redis is frozen', lasts: SHORT, begin: ({ redis }) => redis.freeze(), end: ({ redis }) => redis.thaw() },
  {
    name: 'networks hang', lasts: SHORT,
    begin: ({ postgres }) => postgres.admin(
      `INSERT INTO sandbox_fault (post_id, delay_ms) SELECT p.id, ${HANGING_MS} FROM post p JOIN account a ON a.id = p.account_id WHERE a.sandbox ON CONFLICT (post_id) DO UPDATE SET delay_ms = excluded.delay_ms`,
    ),
    end: ({ postgres }) => postgres.admin('UPDATE sandbox_fault SET delay_ms = NULL'),
  },
];
