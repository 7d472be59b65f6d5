import fc from 'fast-check';
import type { Memory } from '../setup/memory.js';
import { buildWhatIsStarted, faultsOf, killStarted } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { createSender } from './ask.js';
import { cursorsOf } from './cursors.js';
import { graphqlLane } from './graphql-lane.js';
import { httpLane } from './http-lane.js';
import type { Lane, Place } from './lane.js';
import { rawLane } from './raw-lane.js';
import { restLane } from './rest-lane.js';
import { aWatchedGateway, type WatchedGateway } from './watched-gateway.js';
import { wildLane } from './wild-lane.js';
import { aWorld, type World } from './world.js';

/** `npm run test:fuzz -- [--quick] [--requests n] [--seed n] [--lane name] [--path p]`: the last three play a counterexample again. */
const REQUESTS = suite.option('path')
  ? 1
  : suite.number('requests', { short: 1_000, quick: 12_000, full: 100_000 }[suite.form]);
const ROUND = 2_000; // then everything is made anew: what is left of a world in which everything was deleted teaches little
const SEED = suite.number('seed', suite.form === 'short' ? 1 : Date.now() % 2 ** 31);
const LANES = ([restLane, graphqlLane, wildLane, httpLane, rawLane] as unknown as Lane[]).filter(
  ({ name }) => name === suite.option('lane') || !suite.option('lane'),
);
const LONGEST_TOLD = 1_000;
/** By how much more than the most of its first third a run may hold later: a share, and MB that garbage collection leaves to chance. A short run is still getting warm. */
const SLACK =
  suite.form === 'full'
    ? { heap: { share: 1.05, mb: 5 }, rss: { share: 1.1, mb: 30 } }
    : { heap: { share: 1.1, mb: 15 }, rss: { share: 1.1, mb: 40 } };
const LEAST_ROUNDS = 5;
/** What a lane's requests come to that get what they ask for, and the least share of them: where all are refused at the gate nothing is tried. */
const SUCCESS: ReadonlyMap<string, RegExp> = new Map([
  ['rest', /^rest \w+ 200$/],
  ['graphql', /^graphql \w+ done$/],
]);
const LEAST_SUCCESS = 0.1;

jest.setTimeout(3_600_000);

let world: World;
let gateway: WatchedGateway;
let place: Place;
let close: () => Promise<void>;
const outcomes = new Map<string, number>();
const slowest = new Map<string, { ms: number; asked: string }>();

beforeAll(async () => {
  buildWhatIsStarted();
  world = await aWorld();
  gateway = await aWatchedGateway(world.databaseUrl);
  const sender = createSender(gateway.url, world);
  close = sender.close;
  world = { ...world, pools: { ...world.pools, ...(await cursorsOf(sender.send)) } };
  place = { world, url: gateway.url, send: sender.send };
});
afterAll(async () => {
  await close();
  killStarted();
  await gateway.exit;
  await world.close();
});

/** Runs a lane for a while. @throws Error with the smallest counterexample and how to play it again */
async function run(
  { name, asked, hold }: Lane,
  arbitrary: ReturnType<typeof asked>,
  { requests, seed }: { requests: number; seed: number },
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (one) => {
    const startedAt = performance.now();
    const outcome = `${name} ${await hold(one, place)}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const ms = Math.round(performance.now() - startedAt);
    if (ms > (slowest.get(name)?.ms ?? 0)) slowest.set(name, { ms, asked: fc.stringify(one) });
  });
  const path = suite.option('path');
  const details = await fc.check(property, { seed, numRuns: requests, ...(path && { path }) });
  if (!details.failed) return;
  throw new Error(
    [
      `${name}: ${String((details.errorInstance as Error | null)?.message)}`,
      `asked (after ${details.numShrinks} times smaller): ${fc.stringify(details.counterexample)}`,
      `again: npm run test:fuzz -- --lane ${name} --seed ${seed} --path ${details.counterexamplePath ?? ''}`,
    ].join('\n'),
  );
}

it('has a lane of that name', () => expect(LANES).not.toEqual([]));

it(`keeps every promise under ${REQUESTS} requests of nonsense`, async () => {
  suite.tell(`seed ${SEED}`);
  const arbitraries = LANES.map((lane) => lane.asked(world));
  const total = LANES.reduce((sum, { share }) => sum + share, 0);
  const held: Memory[] = [];
  const rounds = Math.max(1, Math.round(REQUESTS / ROUND));
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await world.restore();
    const seed = SEED + round;
    const lanes = await Promise.allSettled(
      LANES.map((lane, index) =>
        run(lane, arbitraries[index]!, {
          seed,
          requests: Math.ceil(((REQUESTS / rounds) * lane.share) / total),
        }),
      ),
    );
    const broken = lanes.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as Error).message] : [],
    );
    if (broken.length > 0) throw new Error(broken.join('\n\n'));
    expect(await world.contradictions()).toEqual([]);
    held.push(await gateway.memory());
    suite.tell(
      `${Math.round(((round + 1) * REQUESTS) / rounds)} requests; heap ${held.at(-1)!.heap} MB, resident ${held.at(-1)!.rss} MB`,
    );
  }
  expect(faultsOf(gateway)).toEqual([]);
  const counts = (isMeant: (outcome: string) => boolean): number =>
    [...outcomes].reduce((sum, [outcome, count]) => (isMeant(outcome) ? sum + count : sum), 0);
  expect(counts(() => true)).toBeGreaterThanOrEqual(REQUESTS);
  for (const { name } of suite.option('path')
    ? []
    : LANES.filter((lane) => SUCCESS.has(lane.name))) {
    expect(
      counts((outcome) => SUCCESS.get(name)!.test(outcome)) /
        counts((outcome) => outcome.startsWith(`${name} `)),
    ).toBeGreaterThan(LEAST_SUCCESS);
  }
  suite.tell(
    [...outcomes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join('\n'),
  );
  for (const [lane, { ms, asked }] of slowest)
    suite.tell(`slowest of ${lane}: ${ms} ms, ${asked.slice(0, LONGEST_TOLD)}`);
  if (rounds < LEAST_ROUNDS) return;
  const third = Math.ceil(rounds / 3);
  for (const kind of ['heap', 'rss'] as const) {
    const [first, later] = [held.slice(0, third), held.slice(third)].map((part) =>
      Math.max(...part.map((memory) => memory[kind])),
    );
    suite.tell(
      `${kind}: ${first} MB at most in the first third, ${later} MB later, ${held.at(-1)![kind]} MB at the end`,
    );
    expect(later).toBeLessThanOrEqual(first! * SLACK[kind].share + SLACK[kind].mb);
  }
});
