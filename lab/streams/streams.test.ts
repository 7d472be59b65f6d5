import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_LIMITS } from '../../src/domain/events/stream-limits.js';
import { recordsIn, type KeyedViewer } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { createLoadGenerator } from '../load/load-generator.js';
import { describeRatio } from '../load/paired-measurements.js';
import { createWorkspaceWithPosts, LIST } from '../load/request-mix.js';
import { percentile, ratioOf, rounded } from '../load/statistics.js';
import { testDatabase, type TestDatabase } from '../../test/setup/database.js';
import { memoryOf, type Memory } from '../../test/setup/memory.js';
import { buildIfChanged } from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';
import {
  cpuMsWhile,
  idleShareOf,
  startGateway,
  stopGateway,
  type MeasuredGateway,
} from './streaming-gateway.js';
import { openSubscribers } from './subscribers.js';

const SUBSCRIBERS = suite.number('subscribers', 1_000);
/** Streams of each key. */
const PER_KEY = suite.number('per-key', STREAM_LIMITS.perKey);

/** Goals. The first one is printed only: it depends on what else the machine does. */
const GOALS = { p99Ms: 250, kbPerSubscriber: 60, lostLists: 0.1 } as const;

const EVENTS = 40;
const PAUSE_MS = 400;
const LIST_CLIENTS = 8;
const LIST_SECONDS = 4;
/** Each pair measures lists on both gateways, one right after the other. */
const PAIRS = 5;
const SECOND_MS = 1_000;
/** While lists are measured with events: events per second of CPU time. */
const EVENTS_PER_CPU_SECOND = 2;
/**
 * A large young generation would hide what streams take: it can be empty or full when memory is
 * measured.
 */
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=1'];

jest.setTimeout(1_200_000);

let database: TestDatabase;
let owner: KeyedViewer;
let draftId: string;
const members: KeyedViewer[] = [];
/** The other gateway has no streams. Changes are sent to it. */
let streaming: MeasuredGateway;
let other: MeasuredGateway;
beforeAll(async () => {
  buildIfChanged();
  database = await testDatabase();
  streaming = await startGateway(database.url);
  other = await startGateway(database.url);
  const records = recordsIn(database);
  owner = (await createWorkspaceWithPosts(database)).viewer;
  draftId = (await records.aPost({ by: owner, storedState: 'draft_undated' })).id;
  for (let n = 0; n < SUBSCRIBERS; n += PER_KEY)
    members.push(await records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' }));
}, 180_000);
afterAll(async () => {
  await Promise.all([streaming, other].map(stopGateway));
  await database.drop();
});

/** Members from this share of all members to that one. */
const membersFrom = (from: number, to: number): readonly KeyedViewer[] =>
  members.slice(members.length * from, members.length * to);

const headers = () => ({
  Authorization: `Bearer-API ${owner.apiKey}`,
  'Service-Workspace-Id': owner.workspace.id,
  'Content-Type': 'application/json',
});

let changes = 0;
/** Changes the post, which is one event. Returns `performance.now()` at the response. */
async function change(): Promise<number> {
  changes += 1;
  const response = await fetch(`${other.url}/v1/posts/${draftId}`, {
    method: 'PUT',
    headers: headers(),
    body: JSON.stringify({ post: { text: `Text ${changes}` } }),
  });
  expect(response.status).toBe(200);
  return performance.now();
}

/** Measures the CPU time of lists, in milliseconds per list. */
function createListMeasurement() {
  const list = {
    method: 'POST',
    path: '/graphql',
    headers: headers(),
    body: JSON.stringify({ query: LIST }),
  } as const;
  const generators = new Map(
    [streaming, other].map((gateway) => [gateway, createLoadGenerator(gateway.url)]),
  );
  return {
    /** `onList` is called before each list. */
    async measure(gateway: MeasuredGateway, idleShare = 0, onList?: () => void): Promise<number> {
      let lists = 0;
      const next = () => {
        lists += 1;
        onList?.();
        return list;
      };
      const generator = generators.get(gateway)!;
      const cpuMs = await cpuMsWhile(gateway, idleShare, () =>
        generator.measureCapacity(LIST_CLIENTS, LIST_SECONDS, next),
      );
      return cpuMs / lists;
    },
    close: () => Promise.all([...generators.values()].map((generator) => generator.close())),
  };
}

const report = (rows: readonly (readonly [string, string])[]): void =>
  void process.stdout.write(
    `\n| ${SUBSCRIBERS} subscribers, ${PER_KEY} per key | |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`,
  );

it('subscribers receive every event in order, and leave lists their speed', async () => {
  const lists = createListMeasurement();
  // Compiles the code of streams and lists, and lets the heap of both gateways grow.
  const warmUp = await openSubscribers(streaming.url, membersFrom(0, 0.1), { each: PER_KEY });
  for (let n = 0; n < EVENTS; n += 1) await change();
  for (const gateway of [other, streaming, other, streaming]) await lists.measure(gateway);
  warmUp.close();

  const changesBefore = changes;
  const arrivals: number[] = [];
  const subscribers = await openSubscribers(streaming.url, members, {
    each: PER_KEY,
    onEvent: (at) => arrivals.push(at),
  });
  const idle = { streaming: await idleShareOf(streaming), other: await idleShareOf(other) };

  const latencies: number[] = [];
  const eventsCpuMs = await cpuMsWhile(streaming, idle.streaming, async () => {
    for (let n = 0; n < EVENTS; n += 1) {
      arrivals.length = 0;
      const savedAt = await change();
      await waitFor(() => arrivals.length === subscribers.counts.length);
      latencies.push(...arrivals.map((at) => Math.max(0, at - savedAt)));
      await sleep(PAUSE_MS);
    }
  });

  const [quiet, busy]: [number[][], number[][]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const alone = await lists.measure(other, idle.other);
    quiet.push([await lists.measure(streaming, idle.streaming), alone]);
    const perEvent = Math.ceil(SECOND_MS / EVENTS_PER_CPU_SECOND / alone);
    const sending: Promise<unknown>[] = [];
    let count = 0;
    const onList = (): void => {
      if ((count += 1) % perEvent === 0) sending.push(change());
    };
    busy.push([
      await lists.measure(streaming, idle.streaming, onList),
      await lists.measure(other, idle.other),
    ]);
    await Promise.all(sending);
  }
  const sent = changes - changesBefore;
  await waitFor(() => subscribers.counts.every((count) => count >= sent));
  subscribers.close();
  await lists.close();

  const [quietRatio, busyRatio] = [ratioOf(quiet), ratioOf(busy)];
  const eventCpuMs = eventsCpuMs / EVENTS;
  // A process has one second of CPU time per second: lists lose what the streams take of it.
  const lostLists = idle.streaming - idle.other + (EVENTS_PER_CPU_SECOND * eventCpuMs) / SECOND_MS;
  const percent = (share: number): string => `${rounded(share * 100)} %`;
  report([
    [
      'from the response to a change to its receipt, p50',
      `${rounded(percentile(latencies, 0.5))} ms`,
    ],
    ['the same, p99', `${rounded(percentile(latencies, 0.99))} ms (goal: ${GOALS.p99Ms})`],
    ['CPU time of an event', `${rounded(eventCpuMs)} ms`],
    [
      'share of a core without events, and without streams',
      `${percent(idle.streaming)} and ${percent(idle.other)}`,
    ],
    ['CPU time of a list, compared with a gateway without streams', describeRatio(quietRatio)],
    [
      `the same, with ${EVENTS_PER_CPU_SECOND} events per second of CPU time`,
      describeRatio(busyRatio),
    ],
    [
      'lists lost, by the CPU time of streams',
      `${percent(lostLists)} (goal: ${percent(GOALS.lostLists)})`,
    ],
  ]);
  expect(subscribers.faults).toEqual([]);
  expect(subscribers.counts).toEqual(subscribers.counts.map(() => sent));
  expect(lostLists).toBeLessThan(GOALS.lostLists);
});

it('subscribers take little memory', async () => {
  const gateway = await startGateway(database.url, SMALL_YOUNG_GENERATION);
  const open = (from: number, to: number) =>
    openSubscribers(gateway.url, membersFrom(from, to), { each: PER_KEY });
  (await open(0, 0.1)).close();
  await sleep(1_000);
  const empty = await memoryOf(gateway.program);
  const opened = [await open(0, 0.5)];
  const half = await memoryOf(gateway.program);
  opened.push(await open(0.5, 1));
  const full = await memoryOf(gateway.program);
  for (let n = 1; n <= EVENTS; n += 1) {
    await change();
    await waitFor(() => opened.every(({ counts }) => counts.every((count) => count === n)));
  }
  const afterEvents = await memoryOf(gateway.program);
  opened.forEach((subscribers) => subscribers.close());
  await stopGateway(gateway);

  const kb = (key: keyof Memory, to: Memory, count = SUBSCRIBERS): number =>
    rounded(((to[key] - empty[key]) * 1_024) / count);
  report([
    [
      'memory per subscriber',
      `${kb('rss', full)} KB, of which heap ${kb('heap', full)} KB (goal: ${GOALS.kbPerSubscriber})`,
    ],
    ['the same with half of them', `${kb('rss', half, SUBSCRIBERS / 2)} KB`],
    [`heap per subscriber after ${EVENTS} events`, `${kb('heap', afterEvents)} KB`],
  ]);
  expect(kb('rss', full)).toBeLessThan(GOALS.kbPerSubscriber);
  expect(kb('heap', afterEvents)).toBeLessThan(GOALS.kbPerSubscriber);
});
