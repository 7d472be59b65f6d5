import type { LoadResult } from './load.js';
import type { Options } from './options.js';
import { DIALECTS, graphql, v1, type Request } from './dialects.js';
import { refreshVersions, restore } from './facts.js';
import { tell } from './progress.js';
import { median } from './results.js';
import { send, type RunningServer } from './running-server.js';
import { hundredth, topic } from './seed-texts.js';
import { SERVERS } from './servers.js';
import { withStage, type Scene, type Stage } from './stage.js';
import { figure, textTable } from './text-table.js';

/** The same thing on two sides: milliseconds, which may grow by a factor, or requests a second, which have to. */
interface Growth {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly goal: { readonly most: number } | { readonly least: number };
}

const SMALL = 10_000;
const ROUNDS = 5;
const PROCESSES = 4;
const PAGE = 25;
const FEW = 100;
const MANY = 10_000;
const dialect = DIALECTS.contract;
const product = SERVERS[0]!;

/** A gateway on a scene. */
interface Place {
  readonly scene: Scene;
  readonly running: RunningServer;
}
/** What is sent to a gateway: requests, or updates of its own posts. */
type Sends = readonly Request[] | 'updates';
interface Ground {
  readonly stage: Stage;
  readonly options: Options;
  readonly large: Place;
}

/** How the gateway's cost grows with what it holds. */
export const scale = (options: Options): Promise<void> =>
  withStage(async (stage) => {
    const place = async (posts: number): Promise<Place> => {
      const scene = await stage.scene(posts);
      return { scene, running: await stage.start(product, scene) };
    };
    const small = await place(SMALL);
    const ground = { stage, options, large: await place(options.posts) };
    const growths = [
      ...(await bySize(ground, small)),
      ...(await byDepth(ground)),
      await byRecords(ground),
      await byProcesses(ground),
    ];
    const rows = growths.map(({ what, from, to, goal }) => {
      const ratio = to / from;
      const [bound, isMet] =
        'most' in goal
          ? [`≤ ${goal.most}`, ratio <= goal.most]
          : [`≥ ${goal.least}`, ratio >= goal.least];
      return [what, figure(from, 2), figure(to, 2), figure(ratio, 2), bound, isMet ? 'yes' : 'no'];
    });
    process.stdout.write(
      `${await stage.machine(small.scene)}\n${SMALL.toLocaleString('en')} and ${options.posts.toLocaleString('en')} posts, medians of ${ROUNDS} rounds of ${options.pace.seconds} s\n\n`,
    );
    process.stdout.write(`${textTable(['', 'from', 'to', 'ratio', 'goal', 'met'], rows)}\n`);
    if (options.json)
      process.stdout.write(
        `${JSON.stringify({ scale: Object.fromEntries(growths.map(({ what, from, to }) => [what, { from, to, ratio: to / from }])) })}\n`,
      );
  });

async function run(
  { stage, options }: Ground,
  { scene: { database, facts }, running }: Place,
  sends: Sends,
): Promise<LoadResult> {
  const sent =
    sends === 'updates'
      ? {
          operation: 'M1',
          dialect: 'contract' as const,
          facts: await refreshVersions(database.pool, facts),
          cursors: {},
        }
      : { requests: sends };
  const result = await stage.load.run({
    origins: [running.origin],
    sends: sent,
    connections: 2,
    seconds: options.pace.seconds,
    atLeast: 50,
  });
  if (result.failures > 0)
    throw new Error(`${result.failures} answers were none: ${result.failure}`);
  if (sends === 'updates') await restore(database.pool);
  return result;
}

/** The median answer on either side, round by round in turn; the first round warms up. */
async function compared(
  ground: Ground,
  what: string,
  sides: readonly [readonly [Place, Sends], readonly [Place, Sends]],
  most: number,
): Promise<Growth> {
  const [from, to]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, [place, sends]] of sides.entries())
      [from, to][index]!.push((await run(ground, place, sends)).p50);
  }
  return noted({ what, from: median(from.slice(1)), to: median(to.slice(1)), goal: { most } });
}

/** Tells of it at once, too: the table comes when all is measured, and something may go wrong before. */
function noted(growth: Growth): Growth {
  tell(`${growth.what}: ${figure(growth.from, 2)}, ${figure(growth.to, 2)}`);
  return growth;
}

/** From 10,000 posts to all of them, in workspaces that are as large as before. */
async function bySize(ground: Ground, small: Place): Promise<Growth[]> {
  const of = (
    place: Place,
    make: (facts: Scene['facts']) => readonly Request[],
  ): readonly [Place, Sends] => [place, make(place.scene.facts)];
  const both = (
    what: string,
    make: (facts: Scene['facts']) => readonly Request[],
  ): Promise<Growth> => compared(ground, what, [of(small, make), of(ground.large, make)], 1.3);
  return [
    await both('Q1k, ms', ({ readers }) =>
      readers.map((workspace) => dialect.posts({ workspace, counted: false })),
    ),
    await both('Q2, ms', ({ details }) =>
      details.map(({ workspace, id }) => dialect.post(workspace, id)),
    ),
    await compared(
      ground,
      'M1, ms',
      [
        [small, 'updates'],
        [ground.large, 'updates'],
      ],
      1.3,
    ),
    await both('S1, 200 matches in a workspace, ms', ({ readers }) =>
      readers.map((workspace, index) => dialect.posts({ workspace, query: topic(index) })),
    ),
  ];
}

/** The end cursor of so many pages of the workspace, walked to by the gateway's own cursors. */
async function walkTo({ running }: Place, workspace: string, pages: number): Promise<string> {
  const step = 100;
  let after: string | null = null;
  for (let left = pages * PAGE; left > 0; left -= step) {
    const response = await send(
      running.origin,
      graphql(
        workspace,
        'Walk',
        'query Walk($first: Int, $after: String) { posts(first: $first, after: $after) { pageInfo { endCursor } } }',
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

/** Far pages, and the count, of the largest workspace. */
async function byDepth(ground: Ground): Promise<Growth[]> {
  const { large } = ground;
  const { rows } = await large.scene.database.pool.query<{ id: string; posts: number }>(
    'SELECT id, posts FROM bench_workspace ORDER BY posts DESC, n LIMIT 1',
  );
  const { id: workspace, posts } = rows[0]!;
  const pages = Math.min(10_000, Math.floor(posts / PAGE / 2));
  const page = Math.min(1_000, Math.floor(posts / 20));
  tell(`Walking to page ${pages}`);
  const after = await walkTo(large, workspace, pages - 1);
  const here = (
    what: string,
    from: readonly Request[],
    to: readonly Request[],
    most: number,
  ): Promise<Growth> =>
    compared(
      ground,
      what,
      [
        [large, from],
        [large, to],
      ],
      most,
    );
  const count = [graphql(workspace, 'Count', 'query Count { posts(first: 1) { totalCount } }', {})];
  const onTwo = [
    graphql(
      workspace,
      'Count',
      'query Count { posts(first: 1, filter: { networks: [FACEBOOK, MASTODON] }) { totalCount } }',
      {},
    ),
  ];
  const counted = await here(
    `exact count of ${posts.toLocaleString('en')} posts beside the goal of 5 ms`,
    count,
    count,
    1,
  );
  return [
    await here(
      `page ${pages} by cursor beside page 1, ms`,
      [dialect.posts({ workspace, counted: false })],
      [dialect.posts({ workspace, counted: false, after })],
      1.3,
    ),
    await here(
      `v1's page ${page} beside page 0, ms`,
      [v1.list(workspace)],
      [v1.list(workspace, page)],
      5,
    ),
    { ...counted, from: 5 },
    {
      ...(await here(
        `exact count of those of them on two networks beside the goal of 5 ms`,
        onTwo,
        onTwo,
        1,
      )),
      from: 5,
    },
    await here(
      `search for ${Math.round(posts / 100).toLocaleString('en')} matches in it beside ${Math.round(8_000 / 100)} in another, ms`,
      [dialect.posts({ workspace: large.scene.facts.readers[1]!, query: hundredth(7) })],
      [dialect.posts({ workspace, query: hundredth(7) })],
      1.3,
    ),
  ];
}

/** 10,000 accounts and labels in one workspace, beside the hundred of another; posts have a few of them, as before. */
async function byRecords(ground: Ground): Promise<Growth> {
  const {
    facts,
    database: { pool },
  } = ground.large.scene;
  const [few, many] = facts.readers.slice(-2) as [string, string];
  for (const [workspace, count] of [
    [few, FEW],
    [many, MANY],
  ] as const) {
    await pool.query(
      `INSERT INTO account (id, workspace_id, network, type, name, social_id) SELECT 'acc_Scale' || $2::int || '_' || n, $1, 'mastodon', 'page', 'Account ' || n, 'scale' || n FROM generate_series(1, $2::int - (SELECT count(*)::int FROM account WHERE workspace_id = $1)) n`,
      [workspace, count],
    );
    await pool.query(
      `INSERT INTO label (id, workspace_id, name, name_key) SELECT 'lbl_Scale' || $2::int || '_' || n, $1, 'Scale ' || n, 'scale ' || n FROM generate_series(1, $2::int - (SELECT count(*)::int FROM label WHERE workspace_id = $1)) n`,
      [workspace, count],
    );
  }
  try {
    const list = (workspace: string): Request[] => [
      dialect.posts({ workspace }),
      dialect.posts({ workspace, states: ['SCHEDULED'] }),
    ];
    return await compared(
      ground,
      'Q1 with 10,000 accounts and labels in the workspace beside 100, ms',
      [
        [ground.large, list(few)],
        [ground.large, list(many)],
      ],
      1.1,
    );
  } finally {
    // Nothing is theirs: to look for it would read all posts for each.
    await pool.query(
      "BEGIN; SET LOCAL session_replication_role = 'replica'; DELETE FROM account WHERE id LIKE 'acc\\_Scale%'; DELETE FROM label WHERE id LIKE 'lbl\\_Scale%'; COMMIT",
    );
  }
}

/** One process and four, each with as many clients, on the cores that the load leaves. */
async function byProcesses({ stage, options, large: { scene } }: Ground): Promise<Growth> {
  const requests = scene.facts.details.map(({ workspace, id }) => dialect.post(workspace, id));
  const others: RunningServer[] = [];
  const perSecond = async (count: number): Promise<number> => {
    while (others.length < count) others.push(await stage.start(product, scene, 'any core'));
    const origins = others.slice(0, count).map(({ origin }) => origin);
    const { requests: answers, seconds } = await stage.load.run({
      origins,
      sends: { requests },
      connections: options.pace.connections * count,
      seconds: options.pace.seconds,
      atLeast: 200,
    });
    return answers / seconds;
  };
  for (const count of [1, PROCESSES]) await perSecond(count); // warm
  const from: number[] = [];
  const to: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    from.push(await perSecond(1));
    to.push(await perSecond(PROCESSES));
  }
  // What a core less for the load, and half of what is left for PostgreSQL, allows; never less than what one process does.
  const least = Math.max(0.9, Math.min(PROCESSES, (stage.cores?.all ?? 1) - 1) / 2);
  return noted({
    what: `Q2 a second, 1 and ${PROCESSES} processes of ${options.pace.connections} connections each`,
    from: median(from),
    to: median(to),
    goal: { least },
  });
}
