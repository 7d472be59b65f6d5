import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { DeliveryGuarantee } from '../../domain/networks/network-definition.js';
import type {
  SandboxClock,
  SandboxFailure,
  SandboxFaults,
  SandboxPublishFault,
  SandboxRemoveFault,
} from '../../domain/networks/sandbox.js';
import type { Database } from '../database.js';
import { NUMBERS_JOB } from '../numbers/numbers-store.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import type { Sql } from '../sql.js';

interface FaultRow {
  postId: string;
  failCode: SandboxFailure | null;
  failTimes: number;
  delayMs: number | null;
  tokenExpired: boolean | null;
  publishFault: SandboxPublishFault | null;
  publishTimes: number;
  removeFault: SandboxRemoveFault | null;
  removeTimes: number;
  guarantee: DeliveryGuarantee | null;
  listLagSeconds: number | null;
  rateLimitedUntil: Date | null;
  aheadSeconds: number | null;
}
const FAULTS = `
SELECT p.doc_id AS "postId", f.fail_code AS "failCode", f.fail_times AS "failTimes", f.delay_ms AS "delayMs", a.token_expired AS "tokenExpired",
       f.publish_fault AS "publishFault", f.publish_times AS "publishTimes", f.remove_fault AS "removeFault", f.remove_times AS "removeTimes", a.guarantee, a.list_lag_seconds AS "listLagSeconds",
       a.rate_limited_until AS "rateLimitedUntil", c.ahead_seconds AS "aheadSeconds"
  FROM post p
  LEFT JOIN sandbox_fault f ON f.post_id = p.id
  LEFT JOIN sandbox_account a ON a.account_id = p.account_id
  LEFT JOIN sandbox_clock c ON c.workspace_id = p.workspace_id
 WHERE p.doc_id = ANY($1::char(24)[])`;

/** Reads the faults of posts; concurrent callers share a statement. */
function createFaultReader(database: Database): (postId: string) => Promise<FaultRow | null> {
  async function together(postIds: readonly string[]): Promise<(FaultRow | null)[]> {
    const rows = await database.scan<FaultRow>(FAULTS, [postIds]);
    const byPost = new Map(rows.map((row) => [row.postId, row]));
    return postIds.map((id) => byPost.get(id) ?? null);
  }
  return database.share({ together, alone: async (postId) => (await together([postId]))[0]! });
}

/** The faults that apply at this time. */
function toFaults(row: FaultRow | null, at: Date): SandboxFaults {
  const now = at.getTime() + (row?.aheadSeconds ?? 0) * 1000;
  const left = row?.rateLimitedUntil ? Math.ceil((row.rateLimitedUntil.getTime() - now) / 1000) : 0;
  return {
    fail: row?.failCode && row.failTimes > 0 ? { code: row.failCode, times: row.failTimes } : null,
    delayMs: row?.delayMs ?? null,
    rateLimitSeconds: left > 0 ? left : null,
    tokenExpired: row?.tokenExpired ?? false,
    publish:
      row?.publishFault && row.publishTimes > 0
        ? { fault: row.publishFault, times: row.publishTimes }
        : null,
    remove:
      row?.removeFault && row.removeTimes > 0
        ? { fault: row.removeFault, times: row.removeTimes }
        : null,
    guarantee: row?.guarantee ?? 'exact',
    listLagSeconds: row?.listLagSeconds ?? 0,
  };
}

/** $1: document ID of the post, $2: fault, $3: number of calls. */
const SET_PUBLISH_FAULT =
  'INSERT INTO sandbox_fault (post_id, publish_fault, publish_times) SELECT id, $2::text, $3::int FROM post WHERE doc_id = $1 ' +
  'ON CONFLICT (post_id) DO UPDATE SET publish_fault = excluded.publish_fault, publish_times = excluded.publish_times';

type FaultWriter = (
  sql: Sql,
  postId: string,
  faults: Partial<SandboxFaults>,
  at: Date,
) => Promise<unknown>;

/** Writes each kind of fault. */
const FAULT_WRITERS: readonly (readonly [keyof SandboxFaults, FaultWriter])[] = [
  [
    'fail',
    (sql, postId, { fail }) =>
      sql(
        'INSERT INTO sandbox_fault (post_id, fail_code, fail_times) SELECT id, $2::text, $3::int FROM post WHERE doc_id = $1 ' +
          'ON CONFLICT (post_id) DO UPDATE SET fail_code = excluded.fail_code, fail_times = excluded.fail_times',
        [postId, fail?.code ?? null, fail?.times ?? 0],
      ),
  ],
  [
    'delayMs',
    (sql, postId, { delayMs }) =>
      sql(
        'INSERT INTO sandbox_fault (post_id, delay_ms) SELECT id, $2::int FROM post WHERE doc_id = $1 ON CONFLICT (post_id) DO UPDATE SET delay_ms = excluded.delay_ms',
        [postId, delayMs],
      ),
  ],
  [
    'rateLimitSeconds',
    (sql, postId, { rateLimitSeconds }, at) =>
      sql(
        'INSERT INTO sandbox_account (account_id, rate_limited_until) ' +
          'SELECT p.account_id, $3::timestamptz + make_interval(secs => $2::int + COALESCE(c.ahead_seconds, 0)) FROM post p LEFT JOIN sandbox_clock c USING (workspace_id) WHERE p.doc_id = $1 ' +
          'ON CONFLICT (account_id) DO UPDATE SET rate_limited_until = excluded.rate_limited_until',
        [postId, rateLimitSeconds, at],
      ),
  ],
  [
    'tokenExpired',
    (sql, postId, { tokenExpired }) =>
      sql(
        'INSERT INTO sandbox_account (account_id, token_expired) SELECT account_id, $2::boolean FROM post WHERE doc_id = $1 ON CONFLICT (account_id) DO UPDATE SET token_expired = excluded.token_expired',
        [postId, tokenExpired],
      ),
  ],
  [
    'publish',
    (sql, postId, { publish }) =>
      sql(SET_PUBLISH_FAULT, [postId, publish?.fault ?? null, publish?.times ?? 0]),
  ],
  [
    'remove',
    (sql, postId, { remove }) =>
      sql(
        'INSERT INTO sandbox_fault (post_id, remove_fault, remove_times) SELECT id, $2::text, $3::int FROM post WHERE doc_id = $1 ' +
          'ON CONFLICT (post_id) DO UPDATE SET remove_fault = excluded.remove_fault, remove_times = excluded.remove_times',
        [postId, remove?.fault ?? null, remove?.times ?? 0],
      ),
  ],
  [
    'guarantee',
    (sql, postId, { guarantee }) =>
      sql(
        'INSERT INTO sandbox_account (account_id, guarantee) SELECT account_id, $2::delivery_guarantee FROM post WHERE doc_id = $1 ON CONFLICT (account_id) DO UPDATE SET guarantee = excluded.guarantee',
        [postId, guarantee],
      ),
  ],
  [
    'listLagSeconds',
    (sql, postId, { listLagSeconds }) =>
      sql(
        'INSERT INTO sandbox_account (account_id, list_lag_seconds) SELECT account_id, $2::int FROM post WHERE doc_id = $1 ON CONFLICT (account_id) DO UPDATE SET list_lag_seconds = excluded.list_lag_seconds',
        [postId, listLagSeconds],
      ),
  ],
];

/**
 * State of the sandbox network, separate from the service's own records of the same posts.
 * Identifies posts by their document IDs. SQL: a statement finds the post and changes its record,
 * depending on what is stored.
 */
export function createSandboxStore(database: Database) {
  const readFaults = createFaultReader(database);
  return {
    /** Changes only these fields; false if the post was deleted on the sandbox. */
    async edit(postId: string, fields: LiveFields, at: Date): Promise<boolean> {
      return (await database.change(EDIT, [postId, JSON.stringify(fields), at])).length > 0;
    },
    /** Deletes the post on the sandbox; false if it already was. */
    async delete(postId: string, at: Date): Promise<boolean> {
      return (await database.change(DELETE_POST, [postId, at])).length > 0;
    },
    /**
     * Deletes what the sandbox has taken of a post that the service does not consider as published;
     * false if there is nothing.
     */
    async deleteTaken(postId: string, at: Date): Promise<boolean> {
      return (await database.change(DELETE_TAKEN, [postId, at])).length > 0;
    },
    /** Those of the posts that were deleted on the sandbox. */
    async deletedOf(postIds: readonly string[]): Promise<string[]> {
      const rows = await database.scan<{ postId: string }>(DELETED, [postIds]);
      return rows.map(({ postId }) => postId);
    },
    /** The faults that apply to an edit of the post at this time. */
    faults: async (postId: string, at: Date): Promise<SandboxFaults> =>
      toFaults(await readFaults(postId), at),
    /** An absent key keeps the fault; null or false ends it. */
    setFaults: (postId: string, faults: Partial<SandboxFaults>, at: Date): Promise<void> =>
      database.transaction(async (sql) => {
        for (const [fault, write] of FAULT_WRITERS)
          if (faults[fault] !== undefined) await write(sql, postId, faults, at);
      }),
    /** Consumes one of the failures injected for the post's next edits. */
    async consumeFailure(postId: string): Promise<SandboxFailure | null> {
      const [row] = await database.change<{ failCode: SandboxFailure }>(CONSUME_FAILURE, [postId]);
      return row?.failCode ?? null;
    },
    /** Injects a fault into the next `times` publications of the post; null ends it. */
    async setPublishFault(
      postId: string,
      fault: SandboxPublishFault | null,
      times: number,
    ): Promise<void> {
      await database.change(SET_PUBLISH_FAULT, [postId, fault, fault === null ? 0 : times]);
    },
    /** Consumes one of the faults injected into the next publications of the post. */
    async consumePublishFault(postId: string): Promise<SandboxPublishFault | null> {
      const [row] = await database.change<{ fault: SandboxPublishFault }>(CONSUME_PUBLISH_FAULT, [
        postId,
      ]);
      return row?.fault ?? null;
    },
    /** Consumes one of the faults injected into the next removals of the post. */
    async consumeRemoveFault(postId: string): Promise<SandboxRemoveFault | null> {
      const [row] = await database.change<{ fault: SandboxRemoveFault }>(CONSUME_REMOVE_FAULT, [
        postId,
      ]);
      return row?.fault ?? null;
    },
    async clock(workspaceId: string, at: Date): Promise<SandboxClock> {
      const [row] = await database.read<{ aheadSeconds: number }>(CLOCK, [workspaceId]);
      const aheadSeconds = row?.aheadSeconds ?? 0;
      return { now: new Date(at.getTime() + aheadSeconds * 1000), aheadSeconds };
    },
    /** Sets how far the clock is ahead of real time; waiting times shrink accordingly. */
    setClock: (workspaceId: string, aheadSeconds: number, at: Date): Promise<void> =>
      database.transaction(async (sql) => {
        const [previous] = await sql<{ aheadSeconds: number }>(`${CLOCK} FOR UPDATE`, [
          workspaceId,
        ]);
        await sql(
          'INSERT INTO sandbox_clock (workspace_id, ahead_seconds) VALUES ($1, $2) ON CONFLICT (workspace_id) DO UPDATE SET ahead_seconds = excluded.ahead_seconds',
          [workspaceId, aheadSeconds],
        );
        const step = Math.max(0, aheadSeconds - (previous?.aheadSeconds ?? 0));
        await sql(SHORTEN_PAUSES, [workspaceId, step]);
        await sql(AGE_ATTEMPTS, [workspaceId, step]);
        await sql(ADVANCE_JOBS, [workspaceId, step, at]);
        await sql(ADVANCE_REMOVALS, [workspaceId, step, at]);
        await sql(ADVANCE_NUMBERS, [workspaceId, step]);
      }),
  };
}
export type SandboxStore = ReturnType<typeof createSandboxStore>;

const EDIT = `
INSERT INTO sandbox_post (post_id, fields, edits, edited_at)
SELECT p.id, COALESCE(y.live, '{}') || $2::jsonb, 1, $3::timestamptz FROM post p LEFT JOIN post_sync y ON y.post_id = p.id WHERE p.doc_id = $1
    ON CONFLICT (post_id) DO UPDATE SET fields = sandbox_post.fields || $2::jsonb, edits = sandbox_post.edits + 1, edited_at = excluded.edited_at
 WHERE sandbox_post.deleted_at IS NULL
RETURNING post_id`;

const DELETE_POST = `
INSERT INTO sandbox_post (post_id, fields, deleted_at)
SELECT p.id, COALESCE(y.live, '{}'), $2::timestamptz FROM post p LEFT JOIN post_sync y ON y.post_id = p.id WHERE p.doc_id = $1
    ON CONFLICT (post_id) DO UPDATE SET deleted_at = excluded.deleted_at WHERE sandbox_post.deleted_at IS NULL
RETURNING post_id`;

const DELETED =
  'SELECT p.doc_id AS "postId" FROM post p JOIN sandbox_post s ON s.post_id = p.id WHERE p.doc_id = ANY($1::char(24)[]) AND s.deleted_at IS NOT NULL';

const DELETE_TAKEN = `
UPDATE sandbox_delivery d SET removed_at = $2::timestamptz FROM post p
 WHERE p.doc_id = $1 AND d.post_doc_id = p.doc_id AND d.removed_at IS NULL
   AND NOT EXISTS (SELECT FROM post r WHERE r.recycled_from_id = p.doc_id AND r.remote_id = d.id::text)
RETURNING d.id`;

const CONSUME_FAILURE = `
UPDATE sandbox_fault f SET fail_times = fail_times - 1 FROM post p
 WHERE p.doc_id = $1 AND f.post_id = p.id AND f.fail_times > 0
RETURNING f.fail_code AS "failCode"`;

const CONSUME_PUBLISH_FAULT = `
UPDATE sandbox_fault f SET publish_times = publish_times - 1 FROM post p
 WHERE p.doc_id = $1 AND f.post_id = p.id AND f.publish_times > 0
RETURNING f.publish_fault AS "fault"`;

const CONSUME_REMOVE_FAULT = `
UPDATE sandbox_fault f SET remove_times = remove_times - 1 FROM post p
 WHERE p.doc_id = $1 AND f.post_id = p.id AND f.remove_times > 0
RETURNING f.remove_fault AS "fault"`;

const CLOCK = 'SELECT ahead_seconds AS "aheadSeconds" FROM sandbox_clock WHERE workspace_id = $1';

// Jobs that wait for their next attempt; a running job reads the new time itself.
const ADVANCE_JOBS = `
UPDATE job j SET due_at = j.due_at - make_interval(secs => $2::int)
  FROM post p JOIN account a ON a.id = p.account_id AND a.sandbox
 WHERE j.workspace_id = $1 AND j.post_id = p.id AND j.status = 'working' AND j.leased_until IS NULL AND j.due_at > $3::timestamptz
RETURNING ${WAKE_WORKERS}`;

const ADVANCE_REMOVALS = `
WITH moved AS (
  UPDATE post_removal m SET due_at = m.due_at - make_interval(secs => $2::int)
    FROM post p JOIN account a ON a.id = p.account_id AND a.sandbox
   WHERE p.workspace_id = $1 AND m.post_id = p.id AND m.ended_at IS NULL AND m.due_at > $3::timestamptz
  RETURNING m.job_id
)
UPDATE job j SET due_at = j.due_at - make_interval(secs => $2::int)
 WHERE j.id IN (SELECT job_id FROM moved) AND j.status = 'working' AND j.leased_until IS NULL
RETURNING ${WAKE_WORKERS}`;

// Posts become older, and the next call of an account comes nearer.
const ADVANCE_NUMBERS = `
WITH posts AS (
  UPDATE post_analytics_schedule s SET published_at = s.published_at - make_interval(secs => $2::int), due_at = s.due_at - make_interval(secs => $2::int)
    FROM account a WHERE a.workspace_id = $1 AND a.sandbox AND s.account_id = a.id
)
UPDATE job j SET due_at = j.due_at - make_interval(secs => $2::int)
  FROM account a WHERE a.workspace_id = $1 AND a.sandbox AND j.id = '${NUMBERS_JOB}' || a.id AND j.status = 'working' AND j.leased_until IS NULL`;

// Attempts in doubt: how long ago the call was made, and since when the post is not there. The handle
// keeps the difference to the real time, by which the sandbox finds the post.
const AGE_ATTEMPTS = `
UPDATE publication_attempt t
   SET armed_at = t.armed_at - make_interval(secs => $2::int), not_there_at = t.not_there_at - make_interval(secs => $2::int),
       handle = jsonb_set(t.handle, '{agedSeconds}', to_jsonb((COALESCE((t.handle->>'agedSeconds')::int, 0) + $2::int)::text))
  FROM post p JOIN account a ON a.id = p.account_id AND a.sandbox
 WHERE p.workspace_id = $1 AND p.armed_at IS NOT NULL AND t.post_id = p.id AND t.finished_at IS NULL AND t.is_sent AND t.armed_at IS NOT NULL`;

const SHORTEN_PAUSES =
  'UPDATE account SET paused_until = paused_until - make_interval(secs => $2::int) WHERE workspace_id = $1 AND sandbox';
