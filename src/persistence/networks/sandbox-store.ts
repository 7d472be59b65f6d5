import type { LiveFields } from '../../domain/networks/live-fields.js';
import type {
  SandboxFailure,
  SandboxPublishFault,
  SandboxRemoveFault,
} from '../../domain/networks/sandbox.js';
import type { SandboxStore } from '../../services/networks/network-ports.js';
import type { Database } from '../database.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import { createFaultReader, toFaults } from './sandbox-faults.js';
import { FAULT_WRITERS, SET_PUBLISH_FAULT } from './sandbox-fault-writers.js';

/** State of the sandbox network, separate from the service's own records of the same posts. */
export function createSandboxStore(database: Database): SandboxStore {
  const readFaults = createFaultReader(database);
  return {
    async find(postId) {
      const [row] = await database.read<{
        fields: LiveFields | null;
        edits: number;
        editedAt: Date | null;
        isDeleted: boolean;
      }>(FIND, [postId]);
      return {
        fields: row?.fields ?? {},
        edits: row?.edits ?? 0,
        editedAt: row?.editedAt ?? null,
        isDeleted: row?.isDeleted ?? false,
      };
    },
    async edit(postId, fields, at) {
      return (await database.change(EDIT, [postId, JSON.stringify(fields), at])).length > 0;
    },
    async delete(postId, at) {
      return (await database.change(DELETE_POST, [postId, at])).length > 0;
    },
    faults: async (postId, at) => toFaults(await readFaults(postId), at),
    setFaults: (postId, faults, at) =>
      database.transaction(async (sql) => {
        for (const [fault, write] of FAULT_WRITERS)
          if (faults[fault] !== undefined) await write(sql, postId, faults, at);
      }),
    async consumeFailure(postId) {
      const [row] = await database.change<{ failCode: SandboxFailure }>(CONSUME_FAILURE, [postId]);
      return row?.failCode ?? null;
    },
    async setPublishFault(postId, fault, times) {
      await database.change(SET_PUBLISH_FAULT, [postId, fault, fault === null ? 0 : times]);
    },
    async consumePublishFault(postId) {
      const [row] = await database.change<{ fault: SandboxPublishFault }>(CONSUME_PUBLISH_FAULT, [
        postId,
      ]);
      return row?.fault ?? null;
    },
    async consumeRemoveFault(postId) {
      const [row] = await database.change<{ fault: SandboxRemoveFault }>(CONSUME_REMOVE_FAULT, [
        postId,
      ]);
      return row?.fault ?? null;
    },
    async clock(workspaceId, at) {
      const [row] = await database.read<{ aheadSeconds: number }>(CLOCK, [workspaceId]);
      const aheadSeconds = row?.aheadSeconds ?? 0;
      return { now: new Date(at.getTime() + aheadSeconds * 1000), aheadSeconds };
    },
    setClock: (workspaceId, aheadSeconds, at) =>
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
        await sql(ADVANCE_JOBS, [workspaceId, step, at]);
        await sql(ADVANCE_REMOVALS, [workspaceId, step, at]);
      }),
  };
}

// The published fields are those live before the first recorded change (post_sync.live), else those
// of the post.
const FIND = `
SELECT COALESCE(s.fields, y.live) AS fields, s.edits, s.edited_at AS "editedAt", s.deleted_at IS NOT NULL AS "isDeleted"
  FROM post p LEFT JOIN sandbox_post s ON s.post_id = p.id LEFT JOIN post_sync y ON y.post_id = p.id
 WHERE p.doc_id = $1`;

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

const SHORTEN_PAUSES =
  'UPDATE account SET paused_until = paused_until - make_interval(secs => $2::int) WHERE workspace_id = $1 AND sandbox';
