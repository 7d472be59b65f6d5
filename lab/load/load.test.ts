import { buildIfChanged, killStartedPrograms } from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';
import {
  CAPACITY_MEASUREMENTS,
  CAPACITY_PAIRS,
  CLIENTS,
  HEAP_SLACK_MB,
  LOAD_SHARE,
  MAX_MEMORY_RATIO,
  MAX_PAIRS,
  MAX_RATIO,
  MAX_RATIO_AFTER_OVERLOAD,
  MAX_RECOVERY_MS,
  MIN_ACCEPTED_SHARE,
  MINUTES,
  OVERLOAD_FACTOR,
  OVERLOADS,
  PAIRS,
  SEGMENT_SECONDS,
  SEGMENTS,
  SUBSCRIBERS,
  USAGE_INTERVAL_MS,
  WINDOW_SECONDS,
} from './load-settings.js';
import {
  capacityOf,
  startLoadedGateway,
  stopLoadedGateway,
  unexpectedErrorLines,
  usageAtRest,
  type UsageAtRest,
} from './loaded-gateway.js';
import { runOverload, type OverloadResult } from './overload.js';
import {
  describeRatio,
  includes,
  measureInPairs,
  medians,
  type GatewayPair,
} from './paired-measurements.js';
import { monitorProcessUsage } from './process-usage.js';
import { startSteadyEvents } from './steady-events.js';
import {
  errorCounts,
  latencies,
  median,
  percentile,
  ratioOf,
  rounded,
  thirds,
} from './statistics.js';

jest.setTimeout((MINUTES + 15) * 60_000);

let gateways: GatewayPair;
beforeAll(async () => {
  buildIfChanged();
  gateways = { aged: await startLoadedGateway() };
}, 180_000);
afterAll(async () => {
  for (const gateway of [gateways?.aged, gateways?.fresh])
    if (gateway) await stopLoadedGateway(gateway);
  killStartedPrograms();
});

/**
 * Compares the resources at rest with those before: no leaked connection, handle or listener, and
 * no memory growth beyond the variation of garbage collection.
 */
async function expectNoLeak(before: UsageAtRest, when: string): Promise<void> {
  const after = await usageAtRest(gateways.aged);
  suite.report(
    `at rest before: ${before.handles} handles, ${before.connections} connections, a heap of ${before.heap} MB; ${when}: ${after.handles} handles, ${after.connections} connections, ${after.heap} MB`,
  );
  expect(after.heap).toBeLessThan(before.heap * MAX_MEMORY_RATIO + HEAP_SLACK_MB);
  expect([after.handles, after.connections]).toEqual([before.handles, before.connections]);
  expect(unexpectedErrorLines(gateways.aged)).toEqual([]);
}

it(`serves ${LOAD_SHARE * 100} % of its capacity for ${MINUTES} minutes without an error or a leak, and subscribers receive every event in order`, async () => {
  const { aged } = gateways;
  // From the first stream on, a gateway keeps a connection that listens for events.
  await (await startSteadyEvents(aged)).stop();
  const before = await usageAtRest(aged);
  const events = await startSteadyEvents(aged);
  const monitor = monitorProcessUsage(aged.metricsUrl, USAGE_INTERVAL_MS);
  const capacities: number[] = [];
  const segments: number[][] = [];
  const delayP99s: number[] = [];
  const errors: Record<string, number>[] = [];
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    capacities.push(await capacityOf(aged));
    const samples = await aged.generator.sendAtRate(
      Math.min(...capacities.slice(-CAPACITY_MEASUREMENTS)) * LOAD_SHARE,
      SEGMENT_SECONDS,
      aged.nextRequest,
    );
    // Only the latencies are kept: collecting hundreds of thousands of objects would stall this
    // process.
    segments.push(latencies(samples));
    delayP99s.push(
      percentile(
        samples.map(({ delayMs }) => delayMs),
        0.99,
      ),
    );
    errors.push(errorCounts(samples));
  }
  const usages = await monitor.stop();
  const { saved, refused, counts, faults } = await events.stop();

  const all = segments.flat();
  const rss = thirds(usages).map((third) => median(third.map(({ rssMb }) => rssMb)));
  suite.report(
    `capacity with ${CLIENTS} clients, every ${Math.round(SEGMENT_SECONDS)} s: ${capacities.map(Math.round).join(', ')} requests per second`,
  );
  suite.report(
    `${LOAD_SHARE * 100} % of it: ${all.length} requests in ${MINUTES} minutes; p50 ${rounded(percentile(all, 0.5))} ms, p99 ${rounded(percentile(all, 0.99))} ms; sent at most ${rounded(Math.max(...delayP99s))} ms late (p99)`,
  );
  suite.report(
    `p99 of each segment: ${segments.map((segment) => rounded(percentile(segment, 0.99))).join(', ')} ms`,
  );
  suite.report(`median resident memory of each third: ${rss.map(rounded).join(', ')} MB`);
  suite.report(`${SUBSCRIBERS} subscribers: ${saved} events each`);

  expect(faults).toEqual([]);
  expect(counts).toEqual(Array(SUBSCRIBERS).fill(saved));
  expect(saved).toBeGreaterThan(MINUTES * 60);
  expect([refused, ...errors]).toEqual([[], ...errors.map(() => ({}))]);
  expect(rss[2]! / rss[0]!).toBeLessThan(MAX_MEMORY_RATIO);
  await expectNoLeak(before, 'after');
});

it('then has the capacity and the latency of a fresh gateway on a new database', async () => {
  const capacities = await measureInPairs(
    gateways,
    { first: 0, pairs: CAPACITY_PAIRS },
    capacityOf,
  );
  const [agedCapacity, freshCapacity] = medians(capacities);
  const rate = LOAD_SHARE * Math.min(agedCapacity, freshCapacity);
  const errors: Record<string, number>[] = [];
  const p99s: number[][] = [];
  do {
    p99s.push(
      ...(await measureInPairs(
        gateways,
        { first: p99s.length, pairs: PAIRS },
        async ({ generator, nextRequest }) => {
          const samples = await generator.sendAtRate(rate, WINDOW_SECONDS, nextRequest);
          errors.push(errorCounts(samples));
          return percentile(latencies(samples), 0.99);
        },
      )),
    );
  } while (p99s.length < MAX_PAIRS && includes(ratioOf(p99s), MAX_RATIO));
  const [capacityRatio, p99Ratio] = [ratioOf(capacities), ratioOf(p99s)];
  suite.report(
    `compared with a fresh gateway: capacity ${Math.round(agedCapacity)} and ${Math.round(freshCapacity)} per second, ${describeRatio(capacityRatio)} of ${CAPACITY_PAIRS} pairs`,
  );
  suite.report(
    `at ${Math.round(rate)} per second, ${WINDOW_SECONDS} s each: median p99 ${medians(p99s).map(rounded).join(' and ')} ms, ${describeRatio(p99Ratio)} of ${p99s.length} pairs`,
  );

  expect(errors).toEqual(errors.map(() => ({})));
  expect(1 / capacityRatio.mean).toBeLessThan(MAX_RATIO);
  expect(p99Ratio.mean).toBeLessThan(MAX_RATIO);
});

it(`rejects the excess of ${OVERLOAD_FACTOR} times its capacity, serves the rest fast, and recovers within ${MAX_RECOVERY_MS / 1000} s`, async () => {
  const before = await usageAtRest(gateways.aged);
  const results: OverloadResult[] = [];
  const measureCapacities = async (count: number): Promise<number[]> =>
    (await measureInPairs(gateways, { first: 0, pairs: count }, capacityOf)).flat();
  for (let overload = 0; overload < OVERLOADS; overload += 1)
    results.push(await runOverload(gateways.aged, measureCapacities));
  const medianOf = (figure: (result: OverloadResult) => number): number =>
    median(results.map(figure));

  expect(medianOf(({ served, possible }) => served / possible)).toBeGreaterThan(MIN_ACCEPTED_SHARE);
  expect(medianOf(({ recoveredRatio }) => recoveredRatio)).toBeLessThan(MAX_RATIO_AFTER_OVERLOAD);
  await expectNoLeak(before, 'after the overloads');
});
