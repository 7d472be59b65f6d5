import type { OpenDatabase } from '../../src/persistence/database.js';

/**
 * Where an attempt is:
 * - claimed: a process has taken its job, and no attempt is open;
 * - prepared: the attempt is open;
 * - armed: the network does not have the post, and the call may be on its way;
 * - failed: the call failed before the network took the post, and the result is not recorded;
 * - taken: the network has taken the post, and the result is not recorded;
 * - recorded: the result is recorded, and the job is not settled;
 * - looking: an earlier call had no clear result, and the network is asked.
 */
export const PHASES = [
  'claimed',
  'prepared',
  'armed',
  'failed',
  'taken',
  'recorded',
  'looking',
] as const;
export type Phase = (typeof PHASES)[number];

/** Faults that a call ends with before the network takes the post. */
export const FAILING = ['refuse', 'duplicate', 'cut_before'] as const;
/** Faults after which the network is asked. */
export const UNCLEAR = ['duplicate', 'cut_before', 'cut_after', 'error_after'] as const;

const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** Whether the recorded result of a call, or of a look, is unclear. */
const IS_UNCLEAR = 't.error IS NOT NULL OR t.looks > 0 OR t.not_there_at IS NOT NULL';
const PHASE = `CASE
  WHEN p.queued_at IS NULL THEN 'recorded'
  WHEN t.post_id IS NULL THEN 'claimed'
  WHEN t.armed_at IS NULL THEN 'prepared'
  WHEN ${IS_UNCLEAR} THEN 'looking'
  WHEN EXISTS (SELECT FROM sandbox_delivery d WHERE d.post_doc_id = p.doc_id AND d.account_id = p.account_id AND d.handle = t.handle->>'key') THEN 'taken'
  WHEN t.number = 1 AND f.publish_times = 0 AND f.publish_fault IN (${list(FAILING)}) THEN 'failed'
  ELSE 'armed' END`;
const ATTEMPT = `JOIN post p ON p.id = j.post_id
  JOIN publication u ON u.post_id = p.id AND u.job_id = j.id
  LEFT JOIN publication_attempt t ON t.post_id = p.id AND t.finished_at IS NULL
  LEFT JOIN sandbox_fault f ON f.post_id = p.id`;
const RUNNING = `
SELECT job, attempts, lease FROM (
  SELECT j.id AS job, j.attempts, j.leased_until::text AS lease, ${PHASE} AS phase FROM job j ${ATTEMPT}
   WHERE p.account_id = ANY($2::text[]) AND j.kind = 'publish' AND j.status = 'working' AND j.leased_until > now()
) running WHERE phase = $1`;

const HAS_UNCLEAR = `
SELECT count(*) >= $2::int AS "isSo" FROM publication_attempt t JOIN post p ON p.id = t.post_id
 WHERE p.account_id = ANY($1::text[]) AND t.finished_at IS NULL AND (${IS_UNCLEAR})`;

/** An attempt in progress: its job, how often that was claimed, and until when it is leased. */
export interface RunningAttempt {
  readonly job: string;
  readonly attempts: number;
  readonly lease: string;
}
type Sql = Pick<OpenDatabase['pool'], 'query'>;

/** The attempts in progress that are in this phase, for posts of these accounts. */
export const readRunning = async (
  sql: Sql,
  phase: Phase,
  accountIds: readonly string[],
): Promise<RunningAttempt[]> =>
  (await sql.query<RunningAttempt>(RUNNING, [phase, accountIds])).rows;

/** Whether so many posts of the accounts wait for a look, or are looked for. */
export const hasUnclear = async (
  sql: Sql,
  accountIds: readonly string[],
  min: number,
): Promise<boolean> =>
  (await sql.query<{ isSo: boolean }>(HAS_UNCLEAR, [accountIds, min])).rows[0]!.isSo;

/** Attempts that were interrupted, by the phase in which they were. */
export type Interrupted = Record<Phase, number>;
export const noneInterrupted = (): Interrupted => ({
  claimed: 0,
  prepared: 0,
  armed: 0,
  failed: 0,
  taken: 0,
  recorded: 0,
  looking: 0,
});

/** A worker renews its leases every 5 s: after that, one that is unchanged belongs to a killed one. */
export const UNTIL_RENEWED_MS = 6_000;

/**
 * A job that goes on is completed, or claimed less often after it was postponed, or its lease is
 * renewed. One whose attempt failed because of the database is not leased, or claimed once more.
 */
const INTERRUPTED = `
SELECT count(*)::int AS count FROM job j
  JOIN json_to_recordset($1) AS r(job text, attempts int, lease text) ON r.job = j.id
 WHERE j.attempts > r.attempts
    OR (j.status = 'working' AND j.attempts = r.attempts AND COALESCE(j.leased_until::text, r.lease) = r.lease)`;

/** How many of these attempts were interrupted by what happened 6 s ago. */
export const countInterrupted = async (
  sql: Sql,
  running: readonly RunningAttempt[],
): Promise<number> =>
  (await sql.query<{ count: number }>(INTERRUPTED, [JSON.stringify(running)])).rows[0]!.count;
