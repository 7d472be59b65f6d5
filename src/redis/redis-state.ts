import { GRANT_LEASE_MS } from '../domain/access/grant-lease.js';
import { WINDOW_MS } from '../domain/access/rate-window.js';
import type { SharedWindows } from '../services/ports.js';
import { createAccessEpochs, NO_EPOCHS, type AccessEpochs } from './grants-versions.js';
import type { Log } from '../persistence/log.js';
import { openRedisLink, type RedisLink } from './redis-connection.js';
import { createRedisWindows } from './rate-windows.js';

/** Where Redis is, if anywhere. */
export interface RedisSettings {
  readonly redisUrls: readonly string[];
  readonly redisPrefix: string;
}

/** In milliseconds: how long windows of requests are, and for how long a grant is used once it was read. */
export interface GateTimes {
  readonly requestWindow: number;
  readonly lease: number;
}
export const GATE_TIMES: GateTimes = { requestWindow: WINDOW_MS.requests, lease: GRANT_LEASE_MS };

/** How Redis stands. While it is away each process counts for itself. */
export type RedisStanding = 'ok' | 'away' | 'unused';

/** What all gateways know together. */
export interface SharedMemory {
  /** Windows of requests by user (D37) and of failures by address (D38); null without a Redis. */
  readonly requests: SharedWindows | null;
  readonly failures: SharedWindows | null;
  readonly epochs: AccessEpochs;
  /** Calls whenever what is known by it may be so no more. */
  onAway(act: () => void): void;
  standing(): RedisStanding;
  close(): void;
}

const NONE: SharedMemory = {
  requests: null,
  failures: null,
  epochs: NO_EPOCHS,
  onAway() {},
  standing: () => 'unused',
  close() {},
};

/** Opens Redis for a gateway. */
export async function openSharedMemory(
  settings: RedisSettings,
  log: Log,
  { requestWindow, lease }: GateTimes,
): Promise<SharedMemory> {
  if (settings.redisUrls.length === 0) return NONE;
  const link = await openRedisLink(settings, log);
  return {
    requests: createRedisWindows(link, 'rate', requestWindow),
    failures: createRedisWindows(link, 'failures', WINDOW_MS.failures),
    epochs: createAccessEpochs({ open: () => Promise.resolve(link), log, lease }),
    onAway: (act) => link.onAway(act),
    standing: () => (link.isUp() ? 'ok' : 'away'),
    close: () => link.close(),
  };
}

/** Opens Redis for a command, with the first change that ends an epoch: most commands need none. */
export function openEpochs(
  settings: RedisSettings,
  log: Log,
  { lease }: GateTimes = GATE_TIMES,
): AccessEpochs & { close(): Promise<void> } {
  if (settings.redisUrls.length === 0) return { ...NO_EPOCHS, close: () => Promise.resolve() };
  const silent: Log = { info() {}, warn() {} }; // what a gateway does without Redis is not a command's to tell
  let opened: Promise<RedisLink> | undefined;
  return {
    ...createAccessEpochs({ open: () => (opened ??= openRedisLink(settings, silent)), log, lease }),
    close: async () => (await opened)?.close(),
  };
}
