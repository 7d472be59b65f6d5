import { suite } from '../../test/setup/suite.js';
import type { Sample } from './load-generator.js';
import {
  ALLOWANCE,
  CAPACITY_MEASUREMENTS,
  LOAD_SHARE,
  MAX_CONCURRENT_REQUESTS,
  MAX_QUEUE_WAIT_MS,
  MAX_RECOVERY_MS,
  MAX_REJECTION_MS,
  OVERLOAD_ERROR,
  OVERLOAD_FACTOR,
  OVERLOAD_SECONDS,
  RECOVERY_SECONDS,
} from './load-settings.js';
import { capacityOf, type LoadedGateway } from './loaded-gateway.js';
import { errorCounts, latencies, median, p99PerWindow, percentile, rounded } from './statistics.js';

const SECOND_MS = 1_000;

/** Figures of one overload that are judged by the median of several. */
export interface OverloadResult {
  /** Requests per second before the overload. */
  readonly capacity: number;
  /** Requests per second that could be served: the machine may have become slower meanwhile. */
  readonly possible: number;
  /** Requests per second that were served during the overload. */
  readonly served: number;
  /** p99 after recovery divided by that before the overload. */
  readonly recoveredRatio: number;
}

/**
 * Limit for the p99 of served requests, in milliseconds: the wait in the queue, and the time in
 * which all requests in progress are served.
 */
const maxServedP99 = (waitMs: number, capacity: number): number =>
  ALLOWANCE * (waitMs + (MAX_CONCURRENT_REQUESTS / capacity) * 1000);

/** The usual load, three times the capacity, and the usual load again. */
async function sendOverload({ generator, nextRequest }: LoadedGateway, capacity: number) {
  const usual = capacity * LOAD_SHARE;
  return {
    before: await generator.sendAtRate(usual, RECOVERY_SECONDS, nextRequest),
    during: await generator.sendAtRate(capacity * OVERLOAD_FACTOR, OVERLOAD_SECONDS, nextRequest),
    after: await generator.sendAtRate(usual, RECOVERY_SECONDS, nextRequest),
  };
}

const withStatus = (samples: readonly Sample[], code: number): Sample[] =>
  samples.filter(({ status }) => status === code);
const medianP99 = (samples: readonly Sample[]): number => median(p99PerWindow(samples, SECOND_MS));
const p99Of = (samples: readonly Sample[]): number => percentile(latencies(samples), 0.99);

/**
 * Overloads the gateway, checks the limits that hold every time, and returns the figures that are
 * judged by their median.
 */
export async function runOverload(
  gateway: LoadedGateway,
  measureCapacities: (count: number) => Promise<number[]>,
): Promise<OverloadResult> {
  const capacity = Math.min(...(await measureCapacities(CAPACITY_MEASUREMENTS)));
  const { before, during, after } = await sendOverload(gateway, capacity);
  const possible = Math.min(capacity, await capacityOf(gateway));
  const [served, rejected] = [withStatus(during, 200), withStatus(during, 503)];
  const servedPerSecond =
    served.filter(({ dueAt, latencyMs }) => dueAt + latencyMs <= OVERLOAD_SECONDS * 1000).length /
    OVERLOAD_SECONDS;
  const p99 = medianP99(served);
  const lastErrorMs = Math.max(
    0,
    ...after.filter(({ error }) => error !== null).map(({ dueAt }) => dueAt),
  );
  const recovered = after.filter(({ dueAt }) => dueAt >= MAX_RECOVERY_MS);
  const [beforeP99, recoveredP99] = [medianP99(before), medianP99(recovered)];
  const delayP99 = percentile(
    during.map(({ delayMs }) => delayMs),
    0.99,
  );

  suite.report(
    `${OVERLOAD_FACTOR} × ${Math.round(capacity)} per second: ${during.length} requests in ${OVERLOAD_SECONDS} s; ${Math.round(servedPerSecond)} per second served of ${Math.round(possible)} possible, p50 ${rounded(percentile(latencies(served), 0.5))} ms, p99 ${rounded(p99Of(served))} ms, median p99 of a second ${rounded(p99)} ms; ${rejected.length} × 503, p99 ${rounded(p99Of(rejected))} ms; sent ${rounded(delayP99)} ms late (p99)`,
  );
  suite.report(
    `after it: last rejection ${rounded(lastErrorMs / 1000)} s later; median p99 of a second ${rounded(beforeP99)} ms before, ${rounded(recoveredP99)} ms from the fifth second on`,
  );

  expect(Object.keys(errorCounts(during))).toEqual([OVERLOAD_ERROR]);
  expect(p99Of(served)).toBeLessThan(maxServedP99(MAX_QUEUE_WAIT_MS, capacity));
  expect(p99Of(rejected)).toBeLessThan(MAX_REJECTION_MS);
  expect(errorCounts(recovered)).toEqual({});
  return {
    capacity,
    possible,
    served: servedPerSecond,
    recoveredRatio: recoveredP99 / beforeP99,
  };
}
