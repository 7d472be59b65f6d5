import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';
import { buildWhatIsStarted, killStarted, start, until, type Started } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { aGun, type Hit, type Shot } from './arrivals.js';
import { gaugeOf, watchGauges, type Gauge } from './gauges.js';
import { aMix, aWorkspaceOfPosts } from './mix.js';
import { median, p99s, percentile, thirds, troublesOf } from './statistics.js';

/** `npm run test:load -- --minutes 5`; with `--quick` the verdicts on what grows are wide, since a minute says little of it. */
const isQuick = suite.form === 'quick';
const MINUTES = suite.number('minutes', isQuick ? 1 : 20);
const WARM_SECONDS = isQuick ? 5 : 20;
const CAPACITY_SECONDS = isQuick ? 5 : 20;
const OVERLOAD_SECONDS = isQuick ? 8 : 30;
const AFTER_SECONDS = 8;
const CLIENTS = 48;
const SHARE = 0.7;
const OVERLOAD = 3;
/** By how much the last third of the run may be above the first: the median p99 of its windows, and its memory. */
const MOST_RISE = isQuick ? 2 : 1.2;
const MOST_MEMORY_RISE = isQuick ? 1.5 : 1.1;
const WINDOW_MS = 10_000;
const GAUGE_MS = 2_000;
/** What is accepted under overload has waited for its turn, and then takes the time in which as many are answered as are at work; some more is allowed for that. */
const AT_WORK = 64;
const LONGEST_WAIT_MS = 1_000;
const USUAL_WAIT_MS = LONGEST_WAIT_MS / 2;
const ALLOWANCE = 1.2;
const SECOND_MS = 1_000;
/** Shedding, and asking three times as much on the same cores, may cost the rest of the capacity. */
const LEAST_ACCEPTED = 0.6;
const SHED_WITHIN_MS = 1_500;
const RECOVERS_WITHIN_MS = 5_000;
const SHED = '503 UNAVAILABLE: The gateway has more requests than it can answer. Retry later.';
jest.setTimeout((MINUTES + 10) * 60_000);

let database: TestDatabase;
let redis: OwnRedis;
let gateway: Started;
let url: string;
let metricsUrl: string;
let gun: ReturnType<typeof aGun>;
let next: () => Shot;

beforeAll(async () => {
  buildWhatIsStarted();
  [database, redis] = await Promise.all([testDatabase(), ownRedis()]);
  const { viewer, posts } = await aWorkspaceOfPosts(database);
  next = aMix(viewer, posts);
  gateway = start({ NODE_ENV: 'production', DATABASE_URL: database.url, REDIS_URL: redis.url, PORT: '0', METRICS_PORT: '0', REQUESTS_AT_ONCE: String(AT_WORK) }, [process.execPath, '--max-semi-space-size=64', 'dist/main.js']);
  await until(() => gateway.output().includes('Metrics'), gateway);
  url = /GraphQL +(http:\S+)\/graphql/.exec(gateway.output())![1]!;
  metricsUrl = /Metrics +(http:\S+)\/metrics/.exec(gateway.output())![1]!;
  gun = aGun(url);
}, 180_000);
afterAll(async () => {
  await gun?.close();
  gateway?.child.kill('SIGTERM');
  await gateway?.exit;
  killStarted();
  await redis?.close();
  await database?.drop();
}, 30_000);

/** Once nobody asks any more and jobs have ended: what is left is what it keeps. */
async function atRest(): Promise<Gauge> {
  await gun.close();
  gun = aGun(url);
  while ((await database.pool.query("SELECT 1 FROM job WHERE status = 'working' LIMIT 1")).rows.length > 0) await sleep(200);
  await sleep(12_000); // idle connections to the database are closed after 10 s
  return gaugeOf(metricsUrl);
}

const round = (value: number): number => Math.round(value * 10) / 10;
const took = (hits: readonly Hit[]): number[] => hits.map((hit) => hit.took);
const lateness = (hits: readonly Hit[]): string => `sent ${round(percentile(hits.map(({ late }) => late), 0.99))} ms late (p99)`;
let capacity: number;

it('is asked for as much as it can answer, to know how much that is', async () => {
  await gun.capacity(CLIENTS, WARM_SECONDS, next);
  capacity = await gun.capacity(CLIENTS, CAPACITY_SECONDS, next);
  suite.tell(`capacity: ${Math.round(capacity)} requests a second by ${CLIENTS} clients`);
  expect(capacity).toBeGreaterThan(0);
});

it(`serves ${SHARE * 100} % of that for ${MINUTES} minutes without an error, as quickly at the end as at the begin, and keeps nothing of it`, async () => {
  const before = await atRest();
  const watching = watchGauges(metricsUrl, GAUGE_MS);
  const hits = await gun.atRate(capacity * SHARE, MINUTES * 60, next);
  const gauges = await watching.stop();
  const after = await atRest();

  const windows = p99s(hits, Math.min(WINDOW_MS, (MINUTES * 60_000) / 12));
  const quick = thirds(windows).map(median);
  const [rss, heap] = [thirds(gauges).map((part) => median(part.map(({ rssMb }) => rssMb))), thirds(gauges).map((part) => Math.min(...part.map(({ heapMb }) => heapMb)))];
  const p99 = percentile(took(hits), 0.99);
  suite.tell(`${SHARE * 100} %: ${hits.length} requests, ${Math.round(capacity * SHARE)} a second for ${MINUTES} minutes; p50 ${round(percentile(took(hits), 0.5))} ms, p99 ${round(p99)} ms, most ${round(Math.max(...windows))} ms as p99 of a window; ${lateness(hits)}`);
  suite.tell(`median p99 of the windows of each third: ${quick.map(round).join(', ')} ms`);
  suite.tell(`resident memory of each third: ${rss.map(round).join(', ')} MB in the middle; heap: ${heap.map(round).join(', ')} MB at least`);
  suite.tell(`at rest before: ${before.handles} handles, ${before.connections} connections, ${round(before.rssMb)} MB; after: ${after.handles} handles, ${after.connections} connections, ${round(after.rssMb)} MB`);

  expect(troublesOf(hits)).toEqual({});
  expect(quick[2]! / quick[0]!).toBeLessThan(MOST_RISE);
  expect(rss[2]! / rss[0]!).toBeLessThan(MOST_MEMORY_RISE);
  expect(heap[2]! / heap[0]!).toBeLessThan(MOST_MEMORY_RISE);
  expect([after.handles, after.connections]).toEqual([before.handles, before.connections]);
  expect(gateway.errors()).toBe(''); // Node tells here of listeners that nobody takes away
});

it(`sheds what is too much of ${OVERLOAD} times as much, keeps what it accepts quick, and is as before within ${RECOVERS_WITHIN_MS / 1000} s`, async () => {
  const overload = await gun.atRate(capacity * OVERLOAD, OVERLOAD_SECONDS, next);
  const accepted = overload.filter(({ status }) => status === 200);
  const shed = overload.filter(({ status }) => status === 503);
  const later = await gun.atRate(capacity * SHARE, AFTER_SECONDS, next);
  const waits = p99s(accepted, SECOND_MS);
  const allowed = (wait: number): number => ALLOWANCE * (wait + (AT_WORK / capacity) * 1000);
  const lastTrouble = Math.max(0, ...later.filter(({ trouble }) => trouble !== null).map(({ dueAt }) => dueAt));
  const settled = later.filter(({ dueAt }) => dueAt >= RECOVERS_WITHIN_MS);

  suite.tell(`${OVERLOAD} ×: ${overload.length} requests in ${OVERLOAD_SECONDS} s; ${Math.round(accepted.length / OVERLOAD_SECONDS)} a second accepted, p50 ${round(percentile(took(accepted), 0.5))} ms, p99 ${round(percentile(took(accepted), 0.99))} ms, ${round(median(waits))} ms in the middle of the seconds; ${shed.length} answered 503, p99 ${round(percentile(took(shed), 0.99))} ms; ${lateness(overload)}`);
  suite.tell(`after it: the last refusal came ${round(lastTrouble / 1000)} s later; p99 from the fifth second on ${round(percentile(took(settled), 0.99))} ms`);

  expect(Object.keys(troublesOf(overload))).toEqual([SHED]);
  expect(accepted.length / OVERLOAD_SECONDS).toBeGreaterThan(capacity * LEAST_ACCEPTED);
  expect(median(waits)).toBeLessThan(allowed(USUAL_WAIT_MS));
  expect(percentile(took(accepted), 0.99)).toBeLessThan(allowed(LONGEST_WAIT_MS));
  expect(percentile(took(shed), 0.99)).toBeLessThan(SHED_WITHIN_MS);
  expect(troublesOf(settled)).toEqual({});
});
