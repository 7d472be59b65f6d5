import { isIP } from 'node:net';
import { FAILURE_LIMIT, rateState, type RateState } from '../../domain/access/rate-window.js';
import type { LocalRateCounter, SharedRateCounter } from '../../services/access/rate-counters.js';

/**
 * Slows down guessing of keys (D38). Only failures are counted, so that a valid key always passes.
 * A failure over the limit of its address gets 429 instead of 401. Failures are counted for all
 * processes in Redis, where windows expire after a minute; without Redis they are counted in this
 * process, where `localCounter` limits its memory.
 */
export interface FailureThrottle {
  /**
   * Counts a failure of this address. Returns its window, in which `allowed` is false once the
   * limit is exceeded.
   */
  recordFailure(address: string | undefined, now: Date): Promise<RateState>;
}

interface FailureThrottleDependencies {
  /** Null without Redis. */
  readonly sharedCounter: SharedRateCounter | null;
  readonly localCounter: LocalRateCounter;
}

/**
 * Creates the throttle. While `sharedCounter` is unavailable, `localCounter` continues from its
 * last counts.
 */
export function createFailureThrottle({
  sharedCounter,
  localCounter,
}: FailureThrottleDependencies): FailureThrottle {
  return {
    async recordFailure(address, now) {
      const key = networkKey(address ?? '');
      const shared = await sharedCounter?.increment(key, { known: localCounter.find(key, now) });
      if (shared) localCounter.adopt(key, shared);
      return rateState(shared ?? localCounter.increment(key, now), FAILURE_LIMIT);
    },
  };
}

/**
 * The key by which an address is counted. For IPv4 and IPv4-mapped addresses it is the address; for
 * IPv6 it is the /64 prefix, because a client usually owns all of it. Everything else shares the
 * key '': sockets without an address, and malformed forwarded values, which could otherwise exhaust
 * the memory.
 */
export function networkKey(address: string): string {
  const plain = address.replace(/%.*$/s, '');
  const version = isIP(plain);
  if (version !== 6) return version === 4 ? plain : '';
  const groups = ipv6Groups(plain);
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedIPv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = [], tail = []] = hex
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
