import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';
import { memoryOf, TELLING_NODE } from '../setup/memory.js';
import { buildWhatIsStarted, killStarted, start, until, type Started } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { aGun, type Hit, type Shot } from './arrivals.js';
import { gaugeOf, watchGauges, type Gauge } from './gauges.js';
import { aMix, aWorkspaceOfPosts } from './mix.js';
import { median, p99s, percentile, ratioOf, thirds, troublesOf, type Ratio } from './statistics.js';

/** `npm run test:load -- --minutes 5`; with `--quick` the verdicts on what grows are wide, since a minute says little of it. */
const isQuick = suite.form === 'quick';
const MINUTES = suite.number('minutes', isQuick ? 1 : 20);
const WARM_SECONDS = isQuick ? 5 : 20;
const CAPACITY_SECONDS = 5;
/** For so long the capacity is taken to be what it was: a machine that others use, too, is sometimes a third slower. */
const SEGMENTS = Math.max(3, Math.ceil(MINUTES / 2));
const SEGMENT_SECONDS = (MINUTES * 60) / SEGMENTS;
/** What it can is what it could at the worst of so many times: for five seconds a machine is sometimes quicker than it stays. */
const CAPACITIES = 3;
/** So many crowds one after another: what a few seconds more or less may hide is judged by the one in the middle. */
const CROWDS = isQuick ? 1 : 3;
const OVERLOAD_SECONDS = isQuick ? 8 : 20;
const AFTER_SECONDS = isQuick ? 10 : 20;
const CLIENTS = 48;
const SHARE = 0.7;
const OVERLOAD = 3;
/** How many times the p99 of the gateway that has served for long may be that of a fresh one, and the capacity of this one that of the other. */
const MOST_RISE = isQuick ? 2 : 1.2;
/** Both are asked in turn, in pairs, and so many pairs again until chance alone no longer explains on which side of that bound it lies, or there are enough. */
const PAIRS = isQuick ? 6 : 25;
const MOST_PAIRS = isQuick ? 6 : 100;
const CAPACITY_PAIRS = isQuick ? 1 : 9;
const WINDOW_SECONDS = 3;
const MOST_MEMORY_RISE = isQuick ? 1.5 : 1.1;
/** Garbage collection leaves so much to chance. */
const HEAP_SLACK_MB = 5;
const GAUGE_MS = 2_000;
/** What is accepted under overload has waited for its turn, and then takes the time in which as many are answered as are at work; some more is allowed for that. */
const AT_WORK = 64;
const LONGEST_WAIT_MS = 1_500;
const USUAL_WAIT_MS = LONGEST_WAIT_MS / 3;
const ALLOWANCE = 1.2;
const SECOND_MS = 1_000;
/** Shedding, and asking three times as much on the same cores, may cost the rest of the capacity. */
const LEAST_ACCEPTED = 0.6;
const SHED_WITHIN_MS = 2_000;
const RECOVERS_WITHIN_MS = 5_000;
/** How many times as long as before the p99 may be then: of a few seconds it says little more. */
const MOST_AFTER = 2;
/** That it does so, in the log. */
const IT_SHEDS = 'More requests come than this process can answer';
const SHED = '503 UNAVAILABLE: The gateway has more requests than it can answer. Retry later.';
jest.setTimeout((MINUTES + 15) * 60_000);

/** A gateway on servers of its own, what it is asked, and what asks. */
interface Stand {
  readonly database: TestDatabase;
  readonly redis: OwnRedis;
  readonly gateway: Started;
  readonly metricsUrl: string;
  readonly url: string;
  readonly next: () => Shot;
  gun: ReturnType<typeof aGun>;
}

type Resting = Gauge & { readonly heap: number };

/** The figures of one crowd: a second's requests that could be and were accepted, the p99 of what was in milliseconds, and how many times as long the p99 is afterwards. */
interface Crowd {
  readonly capacity: number;
  readonly possible: number;
  readonly inTime: number;
  readonly wait: number;
  readonly settled: number;
}

const stands: Stand[] = [];
let aged: Stand;
let fresh: Stand | undefined;

async function aStand(): Promise<Stand> {
  const [database, redis] = await Promise.all([testDatabase(), ownRedis()]);
  const { viewer, posts } = await aWorkspaceOfPosts(database);
  const gateway = start(
    {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PORT: '0',
      METRICS_PORT: '0',
      REQUESTS_AT_ONCE: String(AT_WORK),
    },
    [...TELLING_NODE, 'dist/main.js'],
  );
  await until(() => gateway.output().includes('Metrics'), gateway);
  const url = /GraphQL +(http:\S+)\/graphql/.exec(gateway.output())![1]!;
  const metricsUrl = /Metrics +(http:\S+)\/metrics/.exec(gateway.output())![1]!;
  const stand = {
    database,
    redis,
    gateway,
    url,
    metricsUrl,
    next: aMix(viewer, posts),
    gun: aGun(url),
  };
  stands.push(stand);
  await stand.gun.capacity(CLIENTS, WARM_SECONDS, stand.next);
  return stand;
}

beforeAll(async () => {
  buildWhatIsStarted();
  aged = await aStand();
}, 180_000);
afterAll(async () => {
  for (const { gun, gateway, redis, database } of stands) {
    await gun.close();
    gateway.child.kill('SIGTERM');
    await gateway.exit;
    await redis.close();
    await database.drop();
  }
  killStarted();
}, 60_000);

const capacityOf = ({ gun, next }: Stand): Promise<number> =>
  gun.capacity(CLIENTS, CAPACITY_SECONDS, next);

/** Once nobody asks any more, jobs have ended and garbage is collected: what is left is what it keeps. */
async function atRest(stand: Stand): Promise<Resting> {
  await stand.gun.close();
  stand.gun = aGun(stand.url);
  while (
    (await stand.database.pool.query("SELECT 1 FROM job WHERE status = 'working' LIMIT 1")).rows
      .length > 0
  )
    await sleep(200);
  await sleep(12_000); // idle connections to the database are closed after 10 s
  const { heap } = await memoryOf(stand.gateway);
  return { ...(await gaugeOf(stand.metricsUrl)), heap };
}

/** Asks both so many times, each first every other time: whatever else the machine does, both have to do with it. */
async function inPairs(
  first: number,
  pairs: number,
  ask: (stand: Stand) => Promise<number>,
): Promise<number[][]> {
  fresh ??= await aStand();
  const answers: number[][] = [];
  for (let n = first; n < first + pairs; n += 1) {
    if (n % 2 === 0) answers.push([await ask(aged), await ask(fresh)]);
    else answers.push([await ask(fresh), await ask(aged)].reverse());
  }
  return answers;
}

const middles = (pairs: readonly number[][]): [number, number] => [
  median(pairs.map(([one]) => one!)),
  median(pairs.map(([, other]) => other!)),
];
const isOpen = ({ least, most }: Ratio, bound: number): boolean => least < bound && bound < most;
const told = ({ times, least, most }: Ratio): string =>
  `${times.toFixed(2)} times (${least.toFixed(2)} to ${most.toFixed(2)}) by the geometric mean`;

/** Nothing is left of what it was asked: no connection, handle or listener, and no more in memory than garbage collection leaves to chance. */
async function expectNothingKept(before: Resting, when: string): Promise<void> {
  const after = await atRest(aged);
  suite.tell(
    `at rest before: ${before.handles} handles, ${before.connections} connections, a heap of ${before.heap} MB; ${when}: ${after.handles} handles, ${after.connections} connections, ${after.heap} MB`,
  );
  expect(after.heap).toBeLessThan(before.heap * MOST_MEMORY_RISE + HEAP_SLACK_MB);
  expect([after.handles, after.connections]).toEqual([before.handles, before.connections]);
  expect(
    aged.gateway
      .errors()
      .split('\n')
      .filter((line) => line !== '' && !line.includes(IT_SHEDS)),
  ).toEqual([]); // Node tells here of listeners that nobody takes away
}

const round = (value: number): number => Math.round(value * 10) / 10;
const took = (hits: readonly Hit[]): number[] => hits.map((hit) => hit.took);
const lateness = (hits: readonly Hit[]): string =>
  `sent ${round(
    percentile(
      hits.map(({ late }) => late),
      0.99,
    ),
  )} ms late (p99)`;
it(`serves ${SHARE * 100} % of what it can for ${MINUTES} minutes without an error, and keeps nothing of it`, async () => {
  const before = await atRest(aged);
  const watching = watchGauges(aged.metricsUrl, GAUGE_MS);
  const [capacities, times, late, refused]: [
    number[],
    number[][],
    number[],
    Record<string, number>[],
  ] = [[], [], [], []];
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    capacities.push(await capacityOf(aged));
    const hits = await aged.gun.atRate(
      Math.min(...capacities.slice(-CAPACITIES)) * SHARE,
      SEGMENT_SECONDS,
      aged.next,
    );
    // Of each only its time is kept: hundreds of thousands of objects would make this process stand still to collect them.
    times.push(took(hits));
    late.push(
      percentile(
        hits.map((hit) => hit.late),
        0.99,
      ),
    );
    refused.push(troublesOf(hits));
  }
  const gauges = await watching.stop();

  const all = times.flat();
  const rss = thirds(gauges).map((part) => median(part.map(({ rssMb }) => rssMb)));
  suite.tell(
    `capacity by ${CLIENTS} clients, every ${Math.round(SEGMENT_SECONDS)} s: ${capacities.map(Math.round).join(', ')} requests a second`,
  );
  suite.tell(
    `${SHARE * 100} % of it: ${all.length} requests in ${MINUTES} minutes; p50 ${round(percentile(all, 0.5))} ms, p99 ${round(percentile(all, 0.99))} ms; sent at most ${round(Math.max(...late))} ms late (p99)`,
  );
  suite.tell(
    `p99 each time: ${times.map((segment) => round(percentile(segment, 0.99))).join(', ')} ms`,
  );
  suite.tell(`resident memory of each third: ${rss.map(round).join(', ')} MB in the middle`);

  expect(refused).toEqual(refused.map(() => ({})));
  expect(rss[2]! / rss[0]!).toBeLessThan(MOST_MEMORY_RISE);
  await expectNothingKept(before, 'after');
});

it('can do as much then, and is as quick, as one that has just begun, on a database that has', async () => {
  const capacities = await inPairs(0, CAPACITY_PAIRS, capacityOf);
  const [can, freshCan] = middles(capacities);
  const rate = SHARE * Math.min(can, freshCan);
  const refused: Record<string, number>[] = [];
  const tails: number[][] = [];
  do {
    tails.push(
      ...(await inPairs(tails.length, PAIRS, async ({ gun, next }) => {
        const hits = await gun.atRate(rate, WINDOW_SECONDS, next);
        refused.push(troublesOf(hits));
        return percentile(took(hits), 0.99);
      })),
    );
  } while (tails.length < MOST_PAIRS && isOpen(ratioOf(tails), MOST_RISE));
  const [capacityRatio, p99Ratio] = [ratioOf(capacities), ratioOf(tails)];
  suite.tell(
    `beside a fresh one, in turn: capacity ${Math.round(can)} and ${Math.round(freshCan)} a second, ${told(capacityRatio)} of ${CAPACITY_PAIRS} pairs`,
  );
  suite.tell(
    `at ${Math.round(rate)} a second, ${WINDOW_SECONDS} s each: p99 ${middles(tails).map(round).join(' and ')} ms in the middle, ${told(p99Ratio)} of ${tails.length} pairs`,
  );

  expect(refused).toEqual(refused.map(() => ({})));
  expect(1 / capacityRatio.times).toBeLessThan(MOST_RISE);
  expect(p99Ratio.times).toBeLessThan(MOST_RISE);
});

/** What the p99 of what was accepted may be, where a request waits for so long and as many as are at work are then answered before it. */
const allowed = (wait: number, capacity: number): number =>
  ALLOWANCE * (wait + (AT_WORK / capacity) * 1000);

/** Sends too much for a while, holds to their promises what needs no second look, and gives the figures that do. */
async function oneCrowd(): Promise<Crowd> {
  const { gun, next } = aged;
  const capacity = Math.min(...(await inPairs(0, CAPACITIES, capacityOf)).flat());
  const usual = await gun.atRate(capacity * SHARE, AFTER_SECONDS, next);
  const overload = await gun.atRate(capacity * OVERLOAD, OVERLOAD_SECONDS, next);
  const later = await gun.atRate(capacity * SHARE, AFTER_SECONDS, next);
  const possible = Math.min(capacity, await capacityOf(aged)); // the machine may have become slower meanwhile
  const [accepted, shed] = [200, 503].map((code) =>
    overload.filter(({ status }) => status === code),
  ) as [Hit[], Hit[]];
  const inTime =
    accepted.filter(({ dueAt, took }) => dueAt + took <= OVERLOAD_SECONDS * 1000).length /
    OVERLOAD_SECONDS;
  const wait = median(p99s(accepted, SECOND_MS));
  const lastTrouble = Math.max(
    0,
    ...later.filter(({ trouble }) => trouble !== null).map(({ dueAt }) => dueAt),
  );
  const settled = later.filter(({ dueAt }) => dueAt >= RECOVERS_WITHIN_MS);
  const [usualP99, settledP99] = [usual, settled].map((hits) => median(p99s(hits, SECOND_MS))) as [
    number,
    number,
  ];

  suite.tell(
    `${OVERLOAD} × ${Math.round(capacity)} a second: ${overload.length} requests in ${OVERLOAD_SECONDS} s; ${Math.round(inTime)} a second of ${Math.round(possible)} accepted, p50 ${round(percentile(took(accepted), 0.5))} ms, p99 ${round(percentile(took(accepted), 0.99))} ms, ${round(wait)} ms in the middle of the seconds; ${shed.length} answered 503, p99 ${round(percentile(took(shed), 0.99))} ms; ${lateness(overload)}`,
  );
  suite.tell(
    `after it: the last refusal came ${round(lastTrouble / 1000)} s later; p99 of a second ${round(usualP99)} ms before in the middle, ${round(settledP99)} ms from the fifth second on`,
  );

  expect(Object.keys(troublesOf(overload))).toEqual([SHED]);
  expect(percentile(took(accepted), 0.99)).toBeLessThan(allowed(LONGEST_WAIT_MS, capacity));
  expect(percentile(took(shed), 0.99)).toBeLessThan(SHED_WITHIN_MS);
  expect(troublesOf(settled)).toEqual({});
  return { capacity, possible, inTime, wait, settled: settledP99 / usualP99 };
}

it(`sheds what is too much of ${OVERLOAD} times as much, keeps what it accepts quick, and is as before within ${RECOVERS_WITHIN_MS / 1000} s`, async () => {
  const before = await atRest(aged);
  const crowds: Crowd[] = [];
  for (let crowd = 0; crowd < CROWDS; crowd += 1) crowds.push(await oneCrowd());
  const middle = (figure: (crowd: Crowd) => number): number => median(crowds.map(figure));

  expect(middle(({ inTime, possible }) => inTime / possible)).toBeGreaterThan(LEAST_ACCEPTED);
  expect(middle(({ wait, capacity }) => wait / allowed(USUAL_WAIT_MS, capacity))).toBeLessThan(1);
  expect(middle(({ settled }) => settled)).toBeLessThan(MOST_AFTER);
  await expectNothingKept(before, 'after the crowds');
});
