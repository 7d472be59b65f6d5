import { isIP } from 'node:net';
import { FAILURE_LIMIT, rateState, type RateState } from '../../domain/access/rate-window.js';
import type { RateCounter, SharedWindows } from '../../services/ports.js';

/**
 * Slows down whoever guesses keys (D38). `fail` is called for failures alone, so that a valid key always
 * passes: it counts one for the address and says whether it was over the limit, which is answered with 429
 * instead of 401. Counted over all processes, or in this one while that cannot be; `own` brings its bound on memory, and in
 * Redis a minute does.
 */
export interface FailureThrottle {
  fail(address: string | undefined, now: Date): Promise<RateState>;
}

export function createFailureThrottle({
  shared,
  own,
}: {
  shared: SharedWindows | null;
  own: RateCounter;
}): FailureThrottle {
  return {
    async fail(address, now) {
      const network = networkOf(address ?? '');
      return rateState((await shared?.take(network)) ?? own.take(network, now), FAILURE_LIMIT);
    },
  };
}

/**
 * Whom an address stands for: an IPv4 address for itself, also where it is written inside IPv6; an IPv6 address
 * for its /64, since whoever has one address there has them all. Anything else stands together as '': a socket
 * without address, and forwarded text that would otherwise fill the memory.
 */
export function networkOf(address: string): string {
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

/** The eight numbers of a valid IPv6 address. */
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
