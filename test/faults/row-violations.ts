import { capFor, capSlotsOf } from '../../src/domain/caps/daily-caps.js';
import { normalText } from '../../src/domain/search/search-document.js';
import type { CapSlot } from '../../src/domain/changes/change.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { Database, OpenDatabase } from '../../src/persistence/database.js';
import { WRONG_DETAILED_COUNTS } from '../fixtures/kept-counts.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { upcomingDates } from '../../src/services/posts/series/series-dates.js';
import type { RequestHistory } from './request-history.js';
import type { TestPosts } from './test-posts.js';

type Pool = OpenDatabase['pool'];
/** A database with the pool that its statements run on. */
export type Inspected = Database & Pick<OpenDatabase, 'pool'>;

const DAY_MS = 86_400_000;
const keyOf = ({ accountId, postKind, at }: CapSlot): string =>
  `${accountId} ${postKind} ${at.toISOString()}`;

/** Each post has the cap slots that its dates require, and no others. */
async function capSlotViolations(
  pool: Pool,
  posts: readonly Post[],
  { viewer }: TestPosts,
): Promise<string[]> {
  const { rows } = await pool.query<CapSlot & { post: string }>(
    'SELECT p.doc_id AS post, c.account_id AS "accountId", c.post_kind AS "postKind", c.at FROM cap_slot c JOIN post p ON p.id = c.post_id WHERE p.workspace_id = $1',
    [viewer.workspace.id],
  );
  const stored = rows.map((slot) => `${slot.post} ${keyOf(slot)}`).sort();
  const expected = posts
    .flatMap((post) =>
      capSlotsOf(post, viewer.workspace).map((slot) => `${post.id} ${keyOf(slot)}`),
    )
    .sort();
  const [expectedSet, storedSet] = [new Set(expected), new Set(stored)];
  return [
    ...stored.filter((slot) => !expectedSet.has(slot)).map((slot) => `unneeded cap slot: ${slot}`),
    ...expected.filter((slot) => !storedSet.has(slot)).map((slot) => `missing cap slot: ${slot}`),
  ];
}

/** No account exceeds its daily cap in any 24 hours. */
function dailyCapViolations(posts: readonly Post[], { viewer }: TestPosts): string[] {
  const { plan } = viewer.workspace;
  const times = new Map<string, number[]>();
  for (const post of posts)
    for (const { accountId, at } of capSlotsOf(post, viewer.workspace))
      times.set(accountId, [...(times.get(accountId) ?? []), at.getTime()]);
  const { limit } = capFor({
    network: 'mastodon',
    accountType: 'profile',
    postType: 'status',
    plan,
  });
  return [...times].flatMap(([account, slotTimes]) => {
    const sorted = slotTimes.sort((a, b) => a - b);
    const isOver = sorted.some(
      (at, index) => index + limit < sorted.length && sorted[index + limit]! - at < DAY_MS,
    );
    return isOver ? [`account ${account} has more than ${limit} posts within 24 hours`] : [];
  });
}

interface EditRow {
  readonly id: string;
  readonly text: string;
  readonly status: string | null;
  readonly live: string | null;
  readonly shown: string | null;
  readonly versions: number[];
  readonly jobs: number[];
}
const EDITS_SQL = `SELECT p.doc_id AS id, b.text, s.status, s.live->>'text' AS live, x.fields->>'text' AS shown,
    ARRAY(SELECT r.version FROM revision r WHERE r.post_id = p.id ORDER BY 1) AS versions,
    ARRAY(SELECT j.post_version FROM job j WHERE j.post_id = p.id AND j.kind = 'network_edit' ORDER BY 1) AS jobs
  FROM post p JOIN post_body b ON b.post_id = p.id LEFT JOIN post_sync s ON s.post_id = p.id LEFT JOIN sandbox_post x ON x.post_id = p.id WHERE p.doc_id = ANY($1)`;

/**
 * Each change of a published post has a job, these jobs have completed, and the network shows
 * the stored text.
 */
async function networkEditViolations(
  pool: Pool,
  { changes }: RequestHistory,
  { byClient }: TestPosts,
): Promise<string[]> {
  const { rows } = await pool.query<EditRow>(EDITS_SQL, [
    byClient.flatMap(({ published }) => published),
  ]);
  const { rows: jobs } = await pool.query<{ id: string; status: string; failures: unknown }>(
    "SELECT id, status, failures FROM job WHERE kind = 'network_edit'",
  );
  const jobIds = new Set(jobs.map(({ id }) => id));
  return [
    ...rows.flatMap(({ id, text, status, live, shown, versions, jobs: jobVersions }) => [
      ...(JSON.stringify(versions) === JSON.stringify(jobVersions)
        ? []
        : [`post ${id} has the versions ${versions.join()} and jobs for ${jobVersions.join()}`]),
      ...(versions.length === 0 || (status === 'synced' && live === text && shown === text)
        ? []
        : [`post ${id} has the text ${text}; its network shows ${shown}, ${status} ${live}`]),
    ]),
    ...jobs
      .filter(({ status }) => status !== 'completed')
      .map(({ id, status, failures }) => `the job ${id} is ${status}: ${JSON.stringify(failures)}`),
    ...changes
      .filter(({ job }) => job !== null && !jobIds.has(job))
      .map(({ mark, job }) => `the job ${job} of ${mark} does not exist`),
  ];
}

/** The search index has the current text of each post. */
async function searchIndexViolations(pool: Pool, posts: readonly Post[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; normal: string }>(
    'SELECT p.doc_id AS id, s.normal FROM post_search s JOIN post p ON p.id = s.post_id',
  );
  const indexed = new Map(rows.map(({ id, normal }) => [id, normal]));
  return posts.flatMap(({ id, text }) =>
    indexed.get(id)?.includes(normalText(text))
      ? []
      : [`the search index has ${indexed.get(id)} for post ${id} with the text ${text}`],
  );
}

const MISCOUNTED_SQL = `SELECT stored_state, sum(posts)::int AS more FROM (
    SELECT stored_state, posts FROM post_count WHERE workspace_id = $1 UNION ALL SELECT stored_state, -1 FROM post WHERE workspace_id = $1 AND deleted_at IS NULL
  ) both_sides GROUP BY stored_state HAVING sum(posts) <> 0`;

/** The kept counts match the posts. */
async function postCountViolations(pool: Pool, { viewer }: TestPosts): Promise<string[]> {
  const { rows } = await pool.query<{ stored_state: number; more: number }>(MISCOUNTED_SQL, [
    viewer.workspace.id,
  ]);
  return rows.map(
    ({ stored_state: storedState, more }) =>
      `post_count has ${more} more posts in stored state ${storedState} than the post table`,
  );
}

/** So do the kept counts by account, network and type. */
async function detailedCountViolations(pool: Pool): Promise<string[]> {
  const { rows } =
    await pool.query<Record<'account_id' | 'type' | 'posts', string>>(WRONG_DETAILED_COUNTS);
  return rows.map(
    ({ account_id: accountId, type, posts }) =>
      `post_count_detail has ${posts} more posts of type ${type} of account ${accountId} than the post table`,
  );
}

/** Each series whose rule is changed has the children that the rule gives, with its text. */
function seriesViolations(posts: readonly Post[], { byClient, viewer }: TestPosts): string[] {
  const byId = new Map(posts.map((post) => [post.id, post]));
  return byClient
    .map(({ ruleSeries }) => byId.get(ruleSeries)!)
    .flatMap((series) => {
      const children = posts
        .filter(({ parentId }) => parentId === series.databaseId)
        .map(({ scheduledAt, text }) => `${scheduledAt?.toISOString()} ${text}`)
        .sort();
      const expected = upcomingDates(series.recurring!, viewer.workspace.timeZone, new Date()).map(
        (at) => `${at.toISOString()} ${series.text}`,
      );
      return children.join() === expected.join()
        ? []
        : [
            `the series ${series.id} has the children ${children.join()}; its rule gives ${expected.join()}`,
          ];
    });
}

/** Compares the rows that depend on posts with the posts. */
export async function rowViolations(
  database: Inspected,
  history: RequestHistory,
  testPosts: TestPosts,
): Promise<string[]> {
  const { viewer } = testPosts;
  const { pool } = database;
  const { rows } = await pool.query<{ id: string }>(
    'SELECT doc_id AS id FROM post WHERE workspace_id = $1 AND deleted_at IS NULL',
    [viewer.workspace.id],
  );
  const posts = [
    ...(
      await createPostStore(database).byDocumentId(
        viewer,
        rows.map(({ id }) => id),
      )
    ).values(),
  ];
  return [
    ...(await capSlotViolations(pool, posts, testPosts)),
    ...dailyCapViolations(posts, testPosts),
    ...seriesViolations(posts, testPosts),
    ...(await postCountViolations(pool, testPosts)),
    ...(await detailedCountViolations(pool)),
    ...(await networkEditViolations(pool, history, testPosts)),
    ...(await searchIndexViolations(pool, posts)),
  ];
}
