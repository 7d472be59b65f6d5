import { capFor } from '../../src/domain/caps/daily-caps.js';
import { normalText } from '../../src/domain/posts/search-text.js';
import { capSlotsOf } from '../../src/domain/caps/cap-slots.js';
import type { CapSlot } from '../../src/domain/changes/change.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { Database } from '../../src/persistence/database.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { comingDates } from '../../src/services/posts/series.js';
import type { Journal } from './journal.js';
import type { Stage } from './stage.js';

type Pool = Pick<Database, 'pool'>['pool'];

const DAY_MS = 86_400_000;
const keyOf = ({ accountId, postKind, at }: CapSlot): string =>
  `${accountId} ${postKind} ${at.toISOString()}`;

/** Each post holds the places of its account's daily caps that its dates give it, and no others. */
async function brokenSlots(
  pool: Pool,
  posts: readonly Post[],
  { viewer }: Stage,
): Promise<string[]> {
  const { rows } = await pool.query<CapSlot & { post: string }>(
    'SELECT p.doc_id AS post, c.account_id AS "accountId", c.post_kind AS "postKind", c.at FROM cap_slot c JOIN post p ON p.id = c.post_id WHERE p.workspace_id = $1',
    [viewer.workspace.id],
  );
  const held = rows.map((slot) => `${slot.post} ${keyOf(slot)}`).sort();
  const due = posts
    .flatMap((post) =>
      capSlotsOf(post, viewer.workspace.plan).map((slot) => `${post.id} ${keyOf(slot)}`),
    )
    .sort();
  const [dueSet, heldSet] = [new Set(due), new Set(held)];
  return [
    ...held.filter((one) => !dueSet.has(one)).map((one) => `a place is held for nothing: ${one}`),
    ...due.filter((one) => !heldSet.has(one)).map((one) => `a place is not held: ${one}`),
  ];
}

/** No account has more in any 24 hours than its cap. */
function brokenCaps(
  posts: readonly Post[],
  {
    viewer: {
      workspace: { plan },
    },
  }: Stage,
): string[] {
  const times = new Map<string, number[]>();
  for (const post of posts)
    for (const { accountId, at } of capSlotsOf(post, plan))
      times.set(accountId, [...(times.get(accountId) ?? []), at.getTime()]);
  const { limit } = capFor({
    network: 'mastodon',
    accountType: 'profile',
    postType: 'status',
    plan,
  });
  return [...times].flatMap(([account, all]) => {
    const sorted = all.sort((a, b) => a - b);
    const isOver = sorted.some(
      (at, place) => place + limit < sorted.length && sorted[place + limit]! - at < DAY_MS,
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
const EDITS = `SELECT p.doc_id AS id, b.text, s.status, s.live->>'text' AS live, x.fields->>'text' AS shown,
    ARRAY(SELECT r.version FROM revision r WHERE r.post_id = p.id ORDER BY 1) AS versions,
    ARRAY(SELECT j.post_version FROM job j WHERE j.post_id = p.id AND j.kind = 'network_edit' ORDER BY 1) AS jobs
  FROM post p JOIN post_body b ON b.post_id = p.id LEFT JOIN post_sync s ON s.post_id = p.id LEFT JOIN sandbox_post x ON x.post_id = p.id WHERE p.doc_id = ANY($1)`;

/** Each change of a published post has its job, all have ended well, and the network shows what is saved. */
async function brokenEdits(pool: Pool, { changes }: Journal, { own }: Stage): Promise<string[]> {
  const { rows } = await pool.query<EditRow>(EDITS, [own.flatMap(({ published }) => published)]);
  const { rows: jobs } = await pool.query<{ id: string; status: string; failures: unknown }>(
    "SELECT id, status, failures FROM job WHERE kind = 'network_edit'",
  );
  const known = new Set(jobs.map(({ id }) => id));
  return [
    ...rows.flatMap(({ id, text, status, live, shown, versions, jobs: made }) => [
      ...(JSON.stringify(versions) === JSON.stringify(made)
        ? []
        : [`post ${id} has the versions ${versions.join()} and jobs for ${made.join()}`]),
      ...(versions.length === 0 || (status === 'synced' && live === text && shown === text)
        ? []
        : [`post ${id} has ${text}; its network shows ${shown}, ${status} ${live}`]),
    ]),
    ...jobs
      .filter(({ status }) => status !== 'completed')
      .map(({ id, status, failures }) => `the job ${id} is ${status}: ${JSON.stringify(failures)}`),
    ...changes
      .filter(({ job }) => job !== null && !known.has(job))
      .map(({ mark, job }) => `the job ${job} of ${mark} does not exist`),
  ];
}

/** The search finds each post by what it says now. */
async function brokenSearch(pool: Pool, posts: readonly Post[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; normal: string }>(
    'SELECT p.doc_id AS id, s.normal FROM post_search s JOIN post p ON p.id = s.post_id',
  );
  const found = new Map(rows.map(({ id, normal }) => [id, normal]));
  return posts.flatMap(({ id, text }) =>
    found.get(id)?.includes(normalText(text))
      ? []
      : [`the search has ${found.get(id)} for post ${id}, which says ${text}`],
  );
}

const MISCOUNTED = `SELECT cell, sum(posts)::int AS more FROM (
    SELECT cell, posts FROM post_count WHERE workspace_id = $1 UNION ALL SELECT cell, -1 FROM post WHERE workspace_id = $1 AND deleted_at IS NULL
  ) both_sides GROUP BY cell HAVING sum(posts) <> 0`;

/** The numbers that are kept are those that a count finds. */
async function brokenCounts(pool: Pool, { viewer }: Stage): Promise<string[]> {
  const { rows } = await pool.query<{ cell: number; more: number }>(MISCOUNTED, [
    viewer.workspace.id,
  ]);
  return rows.map(
    ({ cell, more }) => `${more} more posts are kept as the count of cell ${cell} than there are`,
  );
}

/** Each series whose rule was changed has the children that the rule gives it, and they say what it says. */
function brokenSeries(posts: readonly Post[], { own, viewer }: Stage): string[] {
  const byId = new Map(posts.map((post) => [post.id, post]));
  return own
    .map(({ ruled }) => byId.get(ruled)!)
    .flatMap((series) => {
      const children = posts
        .filter(({ parentId }) => parentId === series.databaseId)
        .map(({ scheduledAt, text }) => `${scheduledAt?.toISOString()} ${text}`)
        .sort();
      const due = comingDates(series.recurring!, viewer.workspace.timeZone, new Date()).map(
        (at) => `${at.toISOString()} ${series.text}`,
      );
      return children.join() === due.join()
        ? []
        : [
            `the series ${series.id} has the children ${children.join()}, by its rule ${due.join()}`,
          ];
    });
}

/** Holds the rows that hang on posts to the posts. */
export async function brokenRows(
  { pool }: Pick<Database, 'pool'>,
  journal: Journal,
  stage: Stage,
): Promise<string[]> {
  const { viewer } = stage;
  const { rows } = await pool.query<{ id: string }>(
    'SELECT doc_id AS id FROM post WHERE workspace_id = $1 AND deleted_at IS NULL',
    [viewer.workspace.id],
  );
  const posts = [
    ...(
      await createPostStore(pool).byDocumentId(
        viewer,
        rows.map(({ id }) => id),
      )
    ).values(),
  ];
  return [
    ...(await brokenSlots(pool, posts, stage)),
    ...brokenCaps(posts, stage),
    ...brokenSeries(posts, stage),
    ...(await brokenCounts(pool, stage)),
    ...(await brokenEdits(pool, journal, stage)),
    ...(await brokenSearch(pool, posts)),
  ];
}
