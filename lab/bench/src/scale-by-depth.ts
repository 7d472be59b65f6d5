import { DIALECTS } from './dialects.js';
import { graphql, v1, type Request } from './requests.js';
import { logProgress } from './progress.js';
import { send } from './running-server.js';
import {
  compareSides,
  type Growth,
  type MeasuredGateway,
  type ScaleContext,
} from './scale-comparison.js';
import { hundredth } from './seed-texts.js';

const PAGE = 25;
const COUNT_GOAL_MS = 5;
const dialect = DIALECTS.contract;

/** End cursor of a page of the workspace, found by paging through the gateway. */
async function cursorOfPage(
  { running }: MeasuredGateway,
  workspace: string,
  pages: number,
): Promise<string> {
  const step = 100;
  let after: string | null = null;
  for (let left = pages * PAGE; left > 0; left -= step) {
    const response = await send(
      running.origin,
      graphql(
        workspace,
        'Page',
        'query Page($first: Int, $after: String) { posts(first: $first, after: $after) { pageInfo { endCursor } } }',
        { first: Math.min(left, step), after },
      ),
    );
    const { data } = (await response.json()) as {
      data: { posts: { pageInfo: { endCursor: string } } };
    };
    after = data.posts.pageInfo.endCursor;
  }
  return after!;
}

/** Distant pages, counts and searches in the largest workspace. */
export async function byDepth(context: ScaleContext): Promise<Growth[]> {
  const { large } = context;
  const { rows } = await large.seeded.database.pool.query<{ id: string; posts: number }>(
    'SELECT id, posts FROM bench_workspace ORDER BY posts DESC, n LIMIT 1',
  );
  const { id: workspace, posts } = rows[0]!;
  const pages = Math.min(10_000, Math.floor(posts / PAGE / 2));
  const page = Math.min(1_000, Math.floor(posts / 20));
  logProgress(`Paging to page ${pages}`);
  const after = await cursorOfPage(large, workspace, pages - 1);
  const compareHere = (
    name: string,
    [from, to]: readonly [readonly Request[], readonly Request[]],
    max: number,
  ): Promise<Growth> => compareSides(context, { name, from: [large, from], to: [large, to] }, max);
  /** Compares with the goal, in milliseconds, instead of another measurement. */
  const compareWithGoal = async (name: string, requests: readonly Request[]): Promise<Growth> => ({
    ...(await compareHere(name, [requests, requests], 1)),
    from: COUNT_GOAL_MS,
  });
  const count = [graphql(workspace, 'Count', 'query Count { posts(first: 1) { totalCount } }', {})];
  const countOfTwoNetworks = [
    graphql(
      workspace,
      'Count',
      'query Count { posts(first: 1, filter: { networks: [FACEBOOK, MASTODON] }) { totalCount } }',
      {},
    ),
  ];
  const exactCount = await compareWithGoal(
    `exact count of ${posts.toLocaleString('en')} posts, compared with 5 ms`,
    count,
  );
  return [
    await compareHere(
      `page ${pages} by cursor, compared with page 1, ms`,
      [
        [dialect.posts({ workspace, counted: false })],
        [dialect.posts({ workspace, counted: false, after })],
      ],
      1.3,
    ),
    await compareHere(
      `page ${page} of v1, compared with page 0, ms`,
      [[v1.list(workspace)], [v1.list(workspace, page)]],
      5,
    ),
    exactCount,
    await compareWithGoal(
      'exact count of those on two networks, compared with 5 ms',
      countOfTwoNetworks,
    ),
    await compareHere(
      `search with ${Math.round(posts / 100).toLocaleString('en')} matches, compared with ${Math.round(8_000 / 100)} in another workspace, ms`,
      [
        [dialect.posts({ workspace: large.seeded.targets.readers[1]!, query: hundredth(7) })],
        [dialect.posts({ workspace, query: hundredth(7) })],
      ],
      1.3,
    ),
  ];
}
