import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hasUnclear, readRunning, type Phase, type RunningAttempt } from './attempt-phases.js';

/** Locks that make the attempts in a phase wait: what ends the phase needs what they lock. */
export interface PhaseLocks {
  /** Makes attempts wait in an earlier phase, until the rows of all of them can be locked. */
  readonly gather?: { readonly phase: Phase; readonly statement: string };
  readonly statement: string;
  /** Locked only after so many calls had no clear result. */
  readonly minUnclear?: number;
}

const lockTables = (mode: 'SHARE' | 'ACCESS EXCLUSIVE', ...tables: readonly string[]): string =>
  `LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`;
// Nothing waits for the service while it holds a lock, so that no deadlock arises.
const lockRows = (select: string, strength: string): string =>
  `SELECT FROM ${select} FOR ${strength} SKIP LOCKED`;

const OPEN = 'publication_attempt t WHERE t.finished_at IS NULL';
const ARMED = `${OPEN} AND t.armed_at IS NOT NULL`;
const ATTEMPTS = lockTables('SHARE', 'publication_attempt');
const ACCOUNTS = lockTables('ACCESS EXCLUSIVE', 'sandbox_account');
const DELIVERIES = lockTables('SHARE', 'sandbox_delivery');

/** The locks that each phase can be held with. */
export const PHASE_LOCKS: Readonly<Record<Phase, readonly PhaseLocks[]>> = {
  claimed: [
    { statement: ATTEMPTS },
    {
      gather: { phase: 'claimed', statement: ATTEMPTS },
      statement: lockRows(
        `post p WHERE p.queued_at IS NOT NULL AND NOT EXISTS (SELECT FROM ${OPEN} AND t.post_id = p.id)`,
        'UPDATE',
      ),
    },
  ],
  prepared: [
    { statement: ACCOUNTS },
    {
      gather: { phase: 'prepared', statement: ACCOUNTS },
      statement: lockRows(
        `post p WHERE p.id IN (SELECT t.post_id FROM ${OPEN} AND t.armed_at IS NULL)`,
        'NO KEY UPDATE',
      ),
    },
  ],
  armed: [{ statement: DELIVERIES }],
  failed: [
    {
      gather: { phase: 'armed', statement: lockTables('SHARE', 'sandbox_fault') },
      statement: lockRows(ARMED, 'NO KEY UPDATE'),
    },
  ],
  taken: [
    {
      gather: { phase: 'armed', statement: DELIVERIES },
      statement: lockRows(ARMED, 'NO KEY UPDATE'),
    },
  ],
  recorded: [
    {
      gather: {
        phase: 'armed',
        statement: lockTables('SHARE', 'sandbox_fault', 'sandbox_delivery'),
      },
      // The statements of a result share this lock; the one that settles the job waits for it.
      statement: lockRows(
        `job j WHERE j.kind = 'publish' AND j.leased_until IS NOT NULL AND j.post_id IN (SELECT t.post_id FROM ${ARMED})`,
        'SHARE',
      ),
    },
  ],
  looking: [{ statement: lockTables('ACCESS EXCLUSIVE', 'sandbox_delivery'), minUnclear: 4 }],
};

const POLL_MS = 5;
/** Longer than a delayed call of the load: what is in the phase so long waits there. */
const WAITING_MS = 500;
/** Shorter than the longest statement of the service. */
const MAX_WAIT_MS = 10_000;
/** The statements that wait for a lock are never executed: their connections end. */
const DROP_WAITING =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'";

/** A transaction that is none of the service's. */
async function openTransaction(url: string): Promise<pg.Client> {
  const sql = new pg.Client({ connectionString: url });
  // PostgreSQL may be killed.
  sql.on('error', () => undefined);
  await sql.connect();
  await sql.query('BEGIN');
  return sql;
}

/** Waits until attempts wait in the phase and no more follow, for at most 10 s. */
async function untilWaiting(
  sql: pg.Client,
  phase: Phase,
  accountIds: readonly string[],
): Promise<void> {
  let earlier: RunningAttempt[] = [];
  for (const deadline = performance.now() + MAX_WAIT_MS; performance.now() < deadline;) {
    await sleep(WAITING_MS);
    const running = await readRunning(sql, phase, accountIds);
    const isWaiting = running.some(({ job, attempts }) =>
      earlier.some((other) => other.job === job && other.attempts === attempts),
    );
    if (isWaiting && running.length <= earlier.length) return;
    earlier = running;
  }
}

/** Attempts that wait in a phase, for posts of some accounts. */
export interface HeldPhase {
  /** The attempts that wait now. */
  waiting(): Promise<RunningAttempt[]>;
  /**
   * Lets them go. The statements that waited are executed then, even if their process was killed,
   * unless they are dropped.
   */
  release(dropsWaiting: boolean): Promise<void>;
}

/** Makes attempts wait in this phase, until no more follow for posts of these accounts. */
export async function holdPhase(
  url: string,
  phase: Phase,
  { locks, accountIds }: { locks: PhaseLocks; accountIds: readonly string[] },
): Promise<HeldPhase> {
  const { gather, statement, minUnclear } = locks;
  const sql = await openTransaction(url);
  if (minUnclear !== undefined)
    for (const deadline = performance.now() + MAX_WAIT_MS; performance.now() < deadline;) {
      if (await hasUnclear(sql, accountIds, minUnclear)) break;
      await sleep(POLL_MS);
    }
  if (gather) {
    const gathering = await openTransaction(url);
    await gathering.query(gather.statement);
    await untilWaiting(gathering, gather.phase, accountIds);
    await sql.query(statement);
    await gathering.end();
  } else await sql.query(statement);
  await untilWaiting(sql, phase, accountIds);
  return {
    waiting: () => readRunning(sql, phase, accountIds),
    async release(dropsWaiting) {
      // It fails if PostgreSQL was killed: nothing waits then.
      if (dropsWaiting) await sql.query(DROP_WAITING).catch(() => undefined);
      await sql.end();
    },
  };
}
