import type { Network } from '../../domain/networks/networks.js';
import type { AnalyticsDay, DayRange, PostAnalytics } from '../../domain/numbers/numbers.js';
import { STORED_STATES } from '../../domain/posts/states.js';
import type { Database } from '../database.js';
import { METRIC_COLUMNS } from './metric-columns.js';

const METRICS = Object.entries(METRIC_COLUMNS).map(
  ([metric, { column }]) => `r.${column} AS "${metric}"`,
);

/** By the primary key of the readings, from the newest. */
const HISTORY = `
SELECT requested.id::float8 AS "postId", ${METRICS.join(', ')}, r.read_at AS "updatedAt"
  FROM unnest($1::bigint[]) AS requested(id)
  CROSS JOIN LATERAL (SELECT * FROM post_analytics_reading WHERE post_id = requested.id ORDER BY read_at DESC LIMIT $2) r
 ORDER BY requested.id, r.read_at DESC`;

/** GraphQL has no larger integers; null if there is nothing to add. */
const sum = (column: string): string =>
  `CASE WHEN sum(l.${column}) > 2147483647 THEN 2147483647 ELSE sum(l.${column}) END::int`;

/** By the index of the posts of an account. */
const DAYS = `
SELECT p.account_id AS "accountId", date_trunc('day', p.scheduled_at, $4) AS day, count(*)::int AS posts, ${sum('reach')} AS reach, ${sum('engagement')} AS engagement,
       ${sum('likes')} AS likes, ${sum('comments')} AS comments, ${sum('shares')} AS shares, ${sum('video_views')} AS "videoViews"
  FROM post p LEFT JOIN post_analytics l ON l.post_id = p.id
 WHERE p.account_id = ANY($1::text[]) AND p.sort_at >= $2 AND p.sort_at < $3 AND p.stored_state = ${STORED_STATES.published_posted.number} AND p.deleted_at IS NULL
 GROUP BY 1, 2 ORDER BY 1, 2`;

/** A published post with its latest numbers. */
export interface PostWithNumbers extends Pick<
  PostAnalytics,
  'reach' | 'engagement' | 'likes' | 'comments' | 'shares' | 'updatedAt'
> {
  /** Document ID. */
  readonly id: string;
  readonly network: Network;
  readonly scheduledAt: Date | null;
  /** When the numbers are read next; null if never. */
  readonly nextAt: Date | null;
}

/** By the index of the numbers of a workspace. */
const MOST_ENGAGING = `
SELECT p.doc_id AS id, p.network, p.scheduled_at AS "scheduledAt", l.reach, l.engagement, l.likes, l.comments, l.shares, l.updated_at AS "updatedAt", s.due_at AS "nextAt"
  FROM post_analytics l JOIN post p ON p.id = l.post_id LEFT JOIN post_analytics_schedule s ON s.post_id = l.post_id
 WHERE l.workspace_id = $1 AND l.engagement IS NOT NULL AND p.deleted_at IS NULL
 ORDER BY l.engagement DESC, l.post_id DESC LIMIT $2`;

function groupBy<Row, Key extends keyof Row>(
  rows: readonly Row[],
  key: Key,
): Map<Row[Key], Omit<Row, Key>[]> {
  const groups = new Map<Row[Key], Omit<Row, Key>[]>();
  for (const { [key]: value, ...rest } of rows)
    groups.set(value, [...(groups.get(value) ?? []), rest]);
  return groups;
}

/**
 * Reads the numbers of posts over time. SQL: the readings of many posts, and sums by day, in one
 * statement.
 */
export const createAnalyticsReader = (database: Database) => ({
  /** The newest readings of each post, at most `max`, newest first, by database ID. */
  async history(
    postIds: readonly number[],
    max: number,
  ): Promise<ReadonlyMap<number, readonly PostAnalytics[]>> {
    const rows = await database.read<PostAnalytics & { postId: number }>(HISTORY, [
      [...new Set(postIds)],
      max,
    ]);
    return groupBy(rows, 'postId');
  },
  /** The posts of a workspace with the most engagement, at most `max`, from the first. */
  mostEngaging: (workspaceId: string, max: number): Promise<readonly PostWithNumbers[]> =>
    database.scan<PostWithNumbers>(MOST_ENGAGING, [workspaceId, max]),
  /** The days with posts of each account, in order, by its ID. */
  async days(
    accountIds: readonly string[],
    { from, to, timeZone }: DayRange,
  ): Promise<ReadonlyMap<string, readonly AnalyticsDay[]>> {
    const rows = await database.scan<AnalyticsDay & { accountId: string }>(DAYS, [
      accountIds,
      from,
      to,
      timeZone,
    ]);
    return groupBy(rows, 'accountId');
  },
});
export type AnalyticsReader = ReturnType<typeof createAnalyticsReader>;
