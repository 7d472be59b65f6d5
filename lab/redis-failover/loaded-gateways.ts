import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createRateWindows } from '../../src/redis/rate-windows.js';
import { readRedisUrls } from '../../src/config/redis-urls.js';
import { gatewayWith, type TestGateway } from '../../test/fixtures/gateway.js';
import { aRedisConnection, measureRunningTime } from '../../test/fixtures/redis-connection.js';
import type { KeyedViewer } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';

/** Requests per user and window. */
export const LIMIT = 15;
const WINDOW_MS = 4_000;
const USERS = 6;
const PAUSE_MS = 25;

/** What clients and the log saw during the load. */
export interface LoadReport {
  /** Requests by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The most requests that were accepted in one window of one user. */
  readonly mostAccepted: number;
  /**
   * The longest that a count and a request took, in milliseconds, without the time in which the
   * test was suspended.
   */
  readonly longestCountMs: number;
  readonly longestRequestMs: number;
  /** Outages that the gateways logged. */
  readonly outages: number;
}

/**
 * The number of requests in each window of a user, from the ends of their windows in seconds. Ends
 * that differ by less than a window are those of one: two gateways that count separately for a while
 * begin it at different times.
 */
function requestsByWindow(ends: readonly number[]): number[] {
  const sizes: number[] = [];
  let firstEnd = -Infinity;
  for (const end of ends.toSorted((a, b) => a - b)) {
    if ((end - firstEnd) * 1_000 < WINDOW_MS) sizes.push(sizes.pop()! + 1);
    else {
      sizes.push(1);
      firstEnd = end;
    }
  }
  return sizes;
}

/** Two gateways on one database and one Redis. */
export interface LoadedGateways {
  /**
   * Sends requests of several users to both gateways until `work` is done and Redis is available.
   */
  during(work: () => Promise<void>): Promise<LoadReport>;
  /** How many of `count` concurrent requests of a new user both gateways accept together. */
  accepted(count: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts the gateways with this REDIS_URL. */
export async function loadedGateways(url: string): Promise<LoadedGateways> {
  const lines: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const settings = {
    redisUrls: readRedisUrls(url)!,
    rateLimit: LIMIT,
    times: { requestWindowMs: WINDOW_MS, grantLeaseMs: 10_000 },
    log,
  };
  const first = await gatewayWith(settings);
  const second = await gatewayWith({ ...settings, databaseUrl: first.db.url });
  const gateways: readonly TestGateway[] = [first, second];
  const connection = await aRedisConnection({ url, prefix: first.config.redisPrefix });
  const windows = createRateWindows(connection, 'rate', { windowMs: WINDOW_MS });
  const counted = (text: string): number => lines.filter((line) => line.includes(text)).length;
  const isAvailable = (): boolean =>
    counted('Redis is unavailable') === counted('Redis is available again') &&
    connection.isAvailable();
  const requestAs = (gateway: TestGateway, viewer: KeyedViewer) =>
    gateway.v1('GET', '/posts', { as: viewer });

  return {
    async during(work) {
      const outagesBefore = counted('Redis is unavailable');
      const statuses = new Map<number, number>();
      /** When the windows of the accepted requests end, in seconds, by user. */
      const acceptedBy = new Map<string, number[]>();
      let longestCountMs = 0;
      let longestRequestMs = 0;
      let isOver = false;
      const sendAs = async (viewer: KeyedViewer, gateway: TestGateway): Promise<void> => {
        while (!isOver) {
          const { result, ms } = await measureRunningTime(() => requestAs(gateway, viewer));
          longestRequestMs = Math.max(longestRequestMs, ms);
          const { status, headers } = result;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 200)
            acceptedBy.get(viewer.user.id)!.push(Number(headers.get('x-ratelimit-reset')));
          await sleep(PAUSE_MS);
        }
      };
      const countAs = async (user: string): Promise<void> => {
        while (!isOver) {
          const { ms } = await measureRunningTime(() => windows.increment(user));
          longestCountMs = Math.max(longestCountMs, ms);
          await sleep(PAUSE_MS);
        }
      };
      const viewers = await Promise.all(
        Array.from({ length: USERS }, () => first.records.aViewer()),
      );
      for (const { user } of viewers) acceptedBy.set(user.id, []);
      const load = Promise.all([
        ...viewers.flatMap((viewer) => gateways.map((gateway) => sendAs(viewer, gateway))),
        ...viewers.map(({ user }) => countAs(`counted ${user.id}`)),
      ]);
      try {
        await waitFor(() => statuses.has(429));
        await work();
        await waitFor(isAvailable);
        await sleep(WINDOW_MS / 4);
      } finally {
        isOver = true;
        await load;
      }
      return {
        statuses,
        mostAccepted: Math.max(...[...acceptedBy.values()].flatMap(requestsByWindow)),
        longestCountMs,
        longestRequestMs,
        outages: counted('Redis is unavailable') - outagesBefore,
      };
    },
    async accepted(count) {
      await waitFor(isAvailable);
      const viewer = await first.records.aViewer();
      const responses = await Promise.all(
        Array.from({ length: count }, (_, index) => requestAs(gateways[index % 2]!, viewer)),
      );
      return responses.filter(({ status }) => status === 200).length;
    },
    async close() {
      connection.close();
      await second.close();
      await first.close();
    },
  };
}
