import fc from 'fast-check';
import type { Memory } from '../setup/memory.js';
import { buildIfChanged, errorLinesOf, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { openFuzzDatabase, type FuzzDatabase } from './fuzz-database.js';
import { createSender } from './fuzz-request.js';
import type { FuzzEnvironment, FuzzTarget } from './fuzz-target.js';
import { graphqlTarget } from './graphql-target.js';
import { httpTarget } from './http-target.js';
import { invalidGraphqlTarget } from './invalid-graphql-target.js';
import { startMeasuredGateway, type MeasuredGateway } from './measured-gateway.js';
import { rawTarget } from './raw-target.js';
import { restTarget } from './rest-target.js';
import { readSampleCursors } from './sample-cursors.js';

/**
 * `npm run test:fuzz -- [--quick] [--requests n] [--target name] [--seed n] [--path p]`: the last
 * three repeat a counterexample.
 */
const REQUESTS = suite.option('path')
  ? 1
  : suite.number('requests', { short: 1_000, quick: 12_000, full: 100_000 }[suite.length]);
/**
 * The database is reset after this many requests: once most posts are deleted, requests reach
 * little code.
 */
const REQUESTS_PER_ROUND = 2_000;
const SEED = suite.number('seed', suite.length === 'short' ? 1 : Date.now() % 2 ** 31);
const ALL_TARGETS = [restTarget, graphqlTarget, invalidGraphqlTarget, httpTarget, rawTarget];
const TARGETS = (ALL_TARGETS as unknown as FuzzTarget[]).filter(
  ({ name }) => name === suite.option('target') || !suite.option('target'),
);
const MAX_PRINTED_LENGTH = 1_000;
/**
 * Allowed growth of memory after the first third of a run, relative to the maximum in it: a factor,
 * and MB for the randomness of garbage collection. Larger in shorter runs, in which the process is
 * still warming up.
 */
const MAX_GROWTH =
  suite.length === 'full'
    ? { heap: { factor: 1.05, mb: 5 }, rss: { factor: 1.1, mb: 30 } }
    : { heap: { factor: 1.1, mb: 15 }, rss: { factor: 1.1, mb: 40 } };
const MIN_ROUNDS_FOR_GROWTH = 5;
/**
 * Outcomes of successful requests, by target. If nearly all requests were rejected early, the run
 * would test little.
 */
const SUCCESS: ReadonlyMap<string, RegExp> = new Map([
  ['rest', /^rest \w+ 200$/],
  ['graphql', /^graphql \w+ done$/],
]);
/** Exclusive. */
const MIN_SUCCESS_SHARE = 0.1;

jest.setTimeout(3_600_000);

let database: FuzzDatabase;
let gateway: MeasuredGateway;
let environment: FuzzEnvironment;
let closeSender: () => Promise<void>;
const outcomes = new Map<string, number>();
const slowest = new Map<string, { ms: number; request: string }>();

beforeAll(async () => {
  buildIfChanged();
  database = await openFuzzDatabase();
  gateway = await startMeasuredGateway(database.url);
  const { send, close } = createSender(gateway.url, database);
  closeSender = close;
  database = { ...database, pools: { ...database.pools, ...(await readSampleCursors(send)) } };
  environment = { database, url: gateway.url, send };
});
afterAll(async () => {
  await closeSender();
  killStartedPrograms();
  await gateway.exit;
  await database.close();
});

/**
 * Sends requests to a target.
 * @throws Error with the smallest counterexample and the command that repeats it
 */
async function run(
  { name, check }: FuzzTarget,
  arbitrary: ReturnType<FuzzTarget['requests']>,
  { requests, seed }: { requests: number; seed: number },
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (request) => {
    const startedAt = performance.now();
    const outcome = `${name} ${await check(request, environment)}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const ms = Math.round(performance.now() - startedAt);
    if (ms > (slowest.get(name)?.ms ?? 0))
      slowest.set(name, { ms, request: fc.stringify(request) });
  });
  const path = suite.option('path');
  const details = await fc.check(property, { seed, numRuns: requests, ...(path && { path }) });
  if (!details.failed) return;
  throw new Error(
    [
      `${name}: ${String((details.errorInstance as Error | null)?.message)}`,
      `request (shrunk ${details.numShrinks} times): ${fc.stringify(details.counterexample)}`,
      `repeat: npm run test:fuzz -- --target ${name} --seed ${seed} --path ${details.counterexamplePath ?? ''}`,
    ].join('\n'),
  );
}

/** Runs all targets concurrently. @throws Error with the counterexamples of all of them */
async function runRound(
  arbitraries: readonly ReturnType<FuzzTarget['requests']>[],
  { requests, seed }: { requests: number; seed: number },
): Promise<void> {
  const total = TARGETS.reduce((sum, { share }) => sum + share, 0);
  const results = await Promise.allSettled(
    TARGETS.map((target, index) =>
      run(target, arbitraries[index]!, {
        seed,
        requests: Math.ceil((requests * target.share) / total),
      }),
    ),
  );
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : [],
  );
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

const countOutcomes = (matches: (outcome: string) => boolean): number =>
  [...outcomes].reduce((sum, [outcome, count]) => (matches(outcome) ? sum + count : sum), 0);

function assertEnoughRequestsSucceeded(): void {
  expect(countOutcomes(() => true)).toBeGreaterThanOrEqual(REQUESTS);
  if (suite.option('path')) return;
  for (const { name } of TARGETS.filter((target) => SUCCESS.has(target.name))) {
    const succeeded = countOutcomes((outcome) => SUCCESS.get(name)!.test(outcome));
    const all = countOutcomes((outcome) => outcome.startsWith(`${name} `));
    expect(succeeded / all).toBeGreaterThan(MIN_SUCCESS_SHARE);
  }
}

function reportOutcomes(): void {
  suite.report(
    [...outcomes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join('\n'),
  );
  for (const [name, { ms, request }] of slowest)
    suite.report(`slowest of ${name}: ${ms} ms, ${request.slice(0, MAX_PRINTED_LENGTH)}`);
}

/** @param memories one measurement per round */
function assertMemoryIsFlat(memories: readonly Memory[]): void {
  if (memories.length < MIN_ROUNDS_FOR_GROWTH) return;
  const third = Math.ceil(memories.length / 3);
  for (const kind of ['heap', 'rss'] as const) {
    const [first, later] = [memories.slice(0, third), memories.slice(third)].map((part) =>
      Math.max(...part.map((memory) => memory[kind])),
    );
    suite.report(
      `${kind}: max ${first} MB in the first third, max ${later} MB later, ${memories.at(-1)![kind]} MB at the end`,
    );
    expect(later).toBeLessThanOrEqual(first! * MAX_GROWTH[kind].factor + MAX_GROWTH[kind].mb);
  }
}

it('has a target with the name of --target', () => expect(TARGETS).not.toEqual([]));

it(`keeps all guarantees under ${REQUESTS} random requests`, async () => {
  suite.report(`seed ${SEED}`);
  const arbitraries = TARGETS.map((target) => target.requests(database));
  const memories: Memory[] = [];
  const rounds = Math.max(1, Math.round(REQUESTS / REQUESTS_PER_ROUND));
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await database.restore();
    await runRound(arbitraries, { requests: REQUESTS / rounds, seed: SEED + round });
    expect(await database.findInconsistencies()).toEqual([]);
    memories.push(await gateway.memory());
    suite.report(
      `${Math.round(((round + 1) * REQUESTS) / rounds)} requests; heap ${memories.at(-1)!.heap} MB, resident ${memories.at(-1)!.rss} MB`,
    );
  }
  expect(errorLinesOf(gateway)).toEqual([]);
  assertEnoughRequestsSucceeded();
  reportOutcomes();
  assertMemoryIsFlat(memories);
});
