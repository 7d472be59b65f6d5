import { enumKeys } from '../../domain/enums.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { Post } from '../../domain/posts/post.js';
import { STORED_STATES } from '../../domain/posts/states.js';
import { publicationPaceOf } from '../../domain/publishing/publication-delays.js';
import type { Database } from '../database.js';
import { announceEvents, insertPostEvents } from '../events/insert-events.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import { type PostRow, toPostView, ALL_FIELDS, toSelectList } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import {
  DUE_AT,
  IS_AHEAD,
  IS_PUBLISHING_PAUSED,
  IS_WAITING,
  MAY_PUBLISH,
} from './due-conditions.js';
import { BUCKET_PREFIX } from './publication-ledger.js';
import { Parameters, type Statement } from '../sql.js';
import type { Plan } from '../../domain/enums.js';

/** A series whose next occurrences are due, and what they depend on. */
export interface DueSeries {
  readonly series: Post;
  /** IANA time zone of the workspace. */
  readonly timeZone: string;
  readonly requiresApproval: boolean;
  readonly isLocked: boolean;
  /** The plan of the workspace's owner. */
  readonly plan: Plan;
}

type Circumstances = Omit<DueSeries, 'series'>;
type DueSeriesRow = PostRow & { circumstances: Circumstances };

const { columns, join } = toSelectList(ALL_FIELDS);
const EXTEND_AT = 'COALESCE(p.extend_at, p.scheduled_at)';

/** The stored state is a literal, so that the planner can use the partial index post_series_idx. */
const DUE_SERIES = `
SELECT ${columns}, json_build_object('timeZone', w.time_zone, 'requiresApproval', w.requires_approval, 'isLocked', w.locked,
       'plan', (SELECT o.plan FROM membership m JOIN app_user o ON o.id = m.user_id WHERE m.workspace_id = w.id AND m.role = 'owner')) AS circumstances
  FROM post p ${join}
 WHERE p.stored_state = ${STORED_STATES.recurring.number} AND p.deleted_at IS NULL AND ${EXTEND_AT} <= $1
 ORDER BY ${EXTEND_AT} LIMIT $2`;

/** The statement that finds series whose next occurrences are due. */
export const dueSeriesStatement = (now: Date, max: number): Statement => ({
  text: DUE_SERIES,
  values: [now, max],
});

/** Finds series that need occurrences. */
export const createDueSeriesStore = (database: Database) => ({
  /**
   * At most `max` series, those that waited longest first. Costs almost nothing if there is none.
   */
  async due(now: Date, max: number): Promise<DueSeries[]> {
    const rows = await readPostRows<DueSeriesRow>(
      database,
      dueSeriesStatement(now, max),
      ALL_FIELDS,
    );
    return rows.map(({ circumstances, ...row }) => ({
      ...circumstances,
      series: toPostView(row as PostRow) as Post,
    }));
  },
});

/**
 * Whether there may be anything to hand over: the first time of a post has come, or a sandbox clock
 * is ahead. One row of an index, however many posts are scheduled.
 */
export const MAY_BE_DUE = `
SELECT (SELECT ${DUE_AT} FROM post p WHERE ${IS_AHEAD} ORDER BY ${DUE_AT} LIMIT 1) <= now()
       OR EXISTS (SELECT FROM sandbox_clock WHERE ahead_seconds > 0) AS "mayBeDue"`;

/**
 * Posts whose time has come, oldest first; and those whose time has come by the sandbox clock of
 * their workspace, which is ahead in few workspaces.
 */
const CANDIDATES = `
SELECT * FROM (
  SELECT p.id, ${DUE_AT} AS due_at, now() AS until FROM post p JOIN account a ON a.id = p.account_id
   WHERE ${IS_WAITING} AND ${DUE_AT} <= now() AND ${MAY_PUBLISH}
   ORDER BY ${DUE_AT} LIMIT $1
) due UNION ALL
SELECT due.*, clock.now
  FROM (SELECT workspace_id, now() + make_interval(secs => ahead_seconds) AS now FROM sandbox_clock WHERE ahead_seconds > 0) clock,
       LATERAL (
         SELECT p.id, ${DUE_AT} AS due_at FROM post p JOIN account a ON a.id = p.account_id AND a.sandbox
          WHERE p.workspace_id = clock.workspace_id AND p.sort_at <= clock.now
            AND ${IS_WAITING} AND ${DUE_AT} > now() AND ${DUE_AT} <= clock.now AND ${MAY_PUBLISH}
          ORDER BY ${DUE_AT} LIMIT $1
       ) due`;

/**
 * Hands over the candidates that no other process is handing over: sets `queued_at`, creates the
 * jobs, and reserves the times at which the jobs of each account start, in one statement with the
 * `events` of the posts. Rows of rate buckets are locked in the order of their accounts, which
 * prevents deadlocks.
 */
const handOver = (events: string): string => `
WITH candidates AS MATERIALIZED (SELECT * FROM (${CANDIDATES}) c WHERE NOT ${IS_PUBLISHING_PAUSED}),
locked AS MATERIALIZED (
  SELECT due.*, c.due_at, 'job_' || replace(gen_random_uuid()::text, '-', '') AS job_id
    FROM candidates c, LATERAL (
      SELECT p.id, p.workspace_id, p.account_id, p.creator_id, p.scheduled_at, p.version FROM post p
       WHERE p.id = c.id AND ${IS_WAITING} AND ${DUE_AT} <= c.until
       FOR NO KEY UPDATE SKIP LOCKED
    ) due
),
paced AS MATERIALIZED (
  SELECT l.*, row_number() OVER (PARTITION BY l.account_id ORDER BY l.due_at, l.id) - 1 AS nth,
         count(*) OVER (PARTITION BY l.account_id) AS posts,
         CASE WHEN a.sandbox THEN $2::int ELSE i.interval_ms END * interval '1 millisecond' AS pause
    FROM locked l JOIN account a ON a.id = l.account_id
    JOIN unnest($3::network[], $4::int[]) AS i(network, interval_ms) ON i.network = a.network
),
reserved AS (
  INSERT INTO network_rate_bucket AS b (bucket, next_at)
  SELECT '${BUCKET_PREFIX}' || account_id, clock_timestamp() + max(posts) * max(pause) FROM paced GROUP BY account_id ORDER BY account_id
      ON CONFLICT (bucket) DO UPDATE SET next_at = excluded.next_at + GREATEST(b.next_at - clock_timestamp(), interval '0')
  RETURNING bucket, next_at
),
queued AS (UPDATE post p SET queued_at = now() FROM paced WHERE p.id = paced.id RETURNING p.*),
events AS (${events}),
recorded AS (
  INSERT INTO publication AS u (post_id, due_at, handed_over_at, job_id) SELECT id, scheduled_at, now(), job_id FROM paced
      ON CONFLICT (post_id) DO UPDATE SET
         handed_over_at = CASE WHEN u.due_at = excluded.due_at THEN u.handed_over_at ELSE excluded.handed_over_at END,
         earlier_attempts = CASE WHEN u.due_at = excluded.due_at THEN u.earlier_attempts ELSE u.attempts END,
         due_at = excluded.due_at, job_id = excluded.job_id, result = NULL
)
INSERT INTO job (id, workspace_id, user_id, kind, post_id, post_version, due_at)
SELECT job_id, workspace_id, creator_id, 'publish', id, version, next_at - (posts - nth) * pause
  FROM paced JOIN reserved ON bucket = '${BUCKET_PREFIX}' || account_id
RETURNING ${WAKE_WORKERS}`;

/** Codes of a deadlock or collision with another process: the next sweep finds the posts again. */
const COLLISION = new Set(['40P01', '40001']);

const NETWORK_NAMES: readonly Network[] = enumKeys(NETWORKS);
const intervalOf = (network: Network, sandbox: boolean): number =>
  publicationPaceOf({ network, sandbox }).intervalMs;

/** The statement that hands over at most `max` posts. */
export function handOverStatement(max: number): Statement {
  const parameters = new Parameters(
    max,
    intervalOf(NETWORK_NAMES[0]!, true),
    NETWORK_NAMES,
    NETWORK_NAMES.map((network) => intervalOf(network, false)),
  );
  const events = insertPostEvents({ type: 'post.queued', rows: 'queued', changed: [] }, parameters);
  return { text: handOver(events), values: parameters.values };
}

/** Finds posts whose time has come, in every process: each post is handed over once. */
export const createDuePosts = (database: Database) => ({
  /** Returns the number of posts that were handed over, at most `max`. */
  async handOver(max: number): Promise<number> {
    const [answer] = await database.read<{ mayBeDue: boolean | null }>(MAY_BE_DUE);
    if (!answer?.mayBeDue) return 0;
    const { text, values } = handOverStatement(max);
    const rows = await database.change(text, values).catch((error: Error & { code?: string }) => {
      if (COLLISION.has(error.code ?? '')) return [];
      throw error;
    });
    if (rows.length > 0) announceEvents(database, null);
    return rows.length;
  },
});
export type DueSeriesStore = ReturnType<typeof createDueSeriesStore>;
