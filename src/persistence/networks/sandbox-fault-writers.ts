import type { SandboxFaults } from '../../domain/networks/sandbox.js';
import type { Sql } from '../sql.js';

/** $1: document ID of the post, $2: fault, $3: number of calls. */
export const SET_PUBLISH_FAULT =
  'INSERT INTO sandbox_fault (post_id, publish_fault, publish_times) SELECT id, $2::text, $3::int FROM post WHERE doc_id = $1 ' +
  'ON CONFLICT (post_id) DO UPDATE SET publish_fault = excluded.publish_fault, publish_times = excluded.publish_times';

type FaultWriter = (
  sql: Sql,
  postId: string,
  faults: Partial<SandboxFaults>,
  at: Date,
) => Promise<unknown>;

/** Writes each kind of fault. */
export const FAULT_WRITERS: readonly (readonly [keyof SandboxFaults, FaultWriter])[] = [
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
