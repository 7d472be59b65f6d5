import { COUNTED_NETWORKS } from '../../domain/networks/networks.js';
import { FIRST_READING_MS, type PostAnalytics } from '../../domain/numbers/numbers.js';
import type { Account } from '../../domain/posts/post.js';
import { STORED_STATES } from '../../domain/posts/states.js';
import type { Database } from '../database.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import { IS_DUE, MAY_BE_READ } from './oldest-numbers.js';
import { METRIC_COLUMNS } from './metric-columns.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';

/** A post whose numbers are due. */
export interface DuePost {
  readonly databaseId: number;
  /** Document ID. */
  readonly id: string;
  /** Null if the service does not know the network's ID of the post. */
  readonly remoteId: string | null;
  /** Whether the post is on its network, as far as the service knows. */
  readonly isLive: boolean;
  readonly isDeleted: boolean;
  /** What its age is counted from. */
  readonly publishedAt: Date;
}

/** The account of a job, and its posts whose numbers are due, those that wait longest first. */
export interface DueNumbers {
  readonly account: Account;
  /** Milliseconds that the clock of the account's network is ahead: of the sandbox network only. */
  readonly aheadMs: number;
  readonly posts: readonly DuePost[];
}

/** What became of a due post. */
export interface NumbersWrite {
  readonly databaseId: number;
  /** Null if nothing was read. */
  readonly analytics: PostAnalytics | null;
  /** When they are read next; null if never. */
  readonly nextAt: Date | null;
}

/** Start of the ID of the job of an account, to which its ID is added: an account has one job. */
export const NUMBERS_JOB = 'job_numbers_';

/**
 * Adds posts that were published, unless their network has no numbers. `posts`: a query of their
 * database IDs and times.
 */
const scheduleNumbers = (posts: string): string => `
INSERT INTO post_analytics_schedule AS s (post_id, account_id, published_at, due_at)
SELECT p.id, p.account_id, published.at, published.at + interval '${FIRST_READING_MS} milliseconds'
  FROM (${posts}) published(post_id, at) JOIN post p ON p.id = published.post_id JOIN account a ON a.id = p.account_id
 WHERE a.sandbox OR a.network = ANY('{${COUNTED_NETWORKS.join(',')}}'::network[])
    ON CONFLICT (post_id) DO UPDATE SET account_id = excluded.account_id, published_at = excluded.published_at, due_at = excluded.due_at`;

/** $1: the post, $2: when it was published. */
export const SCHEDULE_NUMBERS = scheduleNumbers('SELECT $1::bigint, $2::timestamptz');
/** The same for the rows of the WITH query `updates` of an update of posts. */
export const SCHEDULE_NUMBERS_OF_UPDATES = scheduleNumbers(
  'SELECT r."postId", r."changedAt" FROM updates r',
);

/**
 * Posts that were published within the last hour, before their numbers are due, by a process of a
 * version that does not know of them. By the index of the posts of an account.
 */
const SCHEDULE_MISSED = scheduleNumbers(
  `SELECT u.post_id, u.published_at FROM account c
    CROSS JOIN LATERAL (SELECT q.id FROM post q WHERE q.account_id = c.id AND q.sort_at > now() - interval '2 days' AND q.deleted_at IS NULL
                         AND q.stored_state = ${STORED_STATES.published_posted.number} AND q.remote_id IS NOT NULL OFFSET 0) recent
    JOIN publication u ON u.post_id = recent.id
   WHERE u.result = 'published' AND u.published_at > now() - interval '${FIRST_READING_MS} milliseconds'
     AND NOT EXISTS (SELECT FROM post_analytics_schedule known WHERE known.post_id = u.post_id)`,
);

const HAS_DUE_POSTS = `EXISTS (SELECT FROM post_analytics_schedule s WHERE s.account_id = a.id AND ${IS_DUE})`;

/** The job of an account is its only one: that of the last time starts again. */
const ENQUEUE = `
INSERT INTO job AS j (id, workspace_id, kind)
SELECT '${NUMBERS_JOB}' || a.id, a.workspace_id, 'numbers' FROM account a
 WHERE EXISTS (SELECT FROM post_analytics_schedule s WHERE ${IS_DUE}) AND ${MAY_BE_READ} AND ${HAS_DUE_POSTS}
   AND NOT EXISTS (SELECT FROM job w WHERE w.id = '${NUMBERS_JOB}' || a.id AND w.status = 'working')
 LIMIT $1
    ON CONFLICT (id) DO UPDATE SET status = 'working', attempts = 0, progress = 0, failures = '[]', due_at = now(), finished_at = NULL
 WHERE j.status <> 'working'
RETURNING ${WAKE_WORKERS}`;

const DUE = `
SELECT s.post_id::float8 AS "databaseId", p.doc_id AS id, p.remote_id AS "remoteId", p.deleted_at IS NOT NULL AS "isDeleted",
       p.stored_state = ${STORED_STATES.published_posted.number} AS "isLive", s.published_at AS "publishedAt"
  FROM post_analytics_schedule s JOIN post p ON p.id = s.post_id
 WHERE s.account_id = $1 AND ${IS_DUE} ORDER BY s.due_at LIMIT $2`;

const ACCOUNT = `
SELECT a.id, a.type, a.name, a.picture, a.network, a.social_id AS "socialId", a.needs_reauth AS "needsReauth", a.sandbox,
       CASE WHEN a.sandbox THEN COALESCE((SELECT c.ahead_seconds FROM sandbox_clock c WHERE c.workspace_id = a.workspace_id), 0) ELSE 0 END * 1000.0::float8 AS "aheadMs"
  FROM account a WHERE a.id = $1 AND ${MAY_BE_READ}`;

const COLUMNS = Object.values(METRIC_COLUMNS).map(({ column }) => column);
const VALUES = Object.keys(METRIC_COLUMNS).map((metric) => `r."${metric}"`);
const TYPES = Object.entries(METRIC_COLUMNS).map(([metric, { type }]) => `"${metric}" ${type}`);

/** Posts that were deleted for good in the meantime are left out. */
const SAVE = `
WITH r AS MATERIALIZED (
  SELECT w.* FROM ${callRows(`"databaseId" bigint, "isRead" boolean, "nextAt" timestamptz, "updatedAt" timestamptz, ${TYPES.join(', ')}`)} w
    JOIN post p ON p.id = w."databaseId"
),
latest AS (
  INSERT INTO post_analytics AS l (post_id, ${COLUMNS.join(', ')}, updated_at)
  SELECT "databaseId", ${VALUES.join(', ')}, "updatedAt" FROM r WHERE "isRead"
      ON CONFLICT (post_id) DO UPDATE SET ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}, updated_at = excluded.updated_at
   WHERE l.updated_at <= excluded.updated_at
),
series AS (
  INSERT INTO post_analytics_reading (post_id, ${COLUMNS.join(', ')}, read_at)
  SELECT "databaseId", ${VALUES.join(', ')}, "updatedAt" FROM r WHERE "isRead" ON CONFLICT DO NOTHING
),
ended AS (DELETE FROM post_analytics_schedule s USING r WHERE s.post_id = r."databaseId" AND r."nextAt" IS NULL)
UPDATE post_analytics_schedule s SET due_at = r."nextAt" FROM r WHERE s.post_id = r."databaseId" AND r."nextAt" IS NOT NULL`;

/**
 * When numbers of published posts are read, and what was read. SQL: due posts are found and numbers
 * of many posts saved in one statement each.
 */
export const createNumbersStore = (database: Database) => ({
  /** Has the numbers of posts read that earlier versions have published within the last hour. */
  async scheduleMissed(): Promise<void> {
    await database.change(SCHEDULE_MISSED, []);
  },
  /** Starts the jobs of at most `max` accounts that have due posts and no job. */
  async enqueue(max: number): Promise<void> {
    await database.change(ENQUEUE, [max]);
  },
  /** Null if the network of the account cannot be asked now. */
  async due(accountId: string, max: number): Promise<DueNumbers | null> {
    const [row] = await database.scan<Account & { aheadMs: number }>(ACCOUNT, [accountId]);
    if (!row) return null;
    const { aheadMs, ...account } = row;
    return { account, aheadMs, posts: await database.scan<DuePost>(DUE, [accountId, max]) };
  },
  /** Stores what was read, as the latest numbers and in the series, and when they are read next. */
  async save(writes: readonly NumbersWrite[]): Promise<void> {
    const rows = writes.map(({ analytics, ...write }) => ({
      ...write,
      isRead: analytics !== null,
      ...analytics,
    }));
    await database.change(SAVE, [toCallRows(rows)]);
  },
});
export type NumbersStore = ReturnType<typeof createNumbersStore>;
