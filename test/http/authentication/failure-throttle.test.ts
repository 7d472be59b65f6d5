import fc from 'fast-check';
import {
  createFailureThrottle,
  networkKey,
} from '../../../src/http/authentication/failure-throttle.js';
import { createInMemoryRateCounter } from '../../../src/redis/in-memory-rate-counter.js';

const aThrottle = () =>
  createFailureThrottle({
    sharedCounter: null,
    localCounter: createInMemoryRateCounter({ windowMs: 60_000, maxWindows: 100 }),
  });
const second = (seconds: number): Date => new Date(Date.UTC(2026, 0) + seconds * 1000);

describe('createFailureThrottle', () => {
  it('allows 20 failures per minute and address', async () => {
    const throttle = aThrottle();
    for (let i = 0; i < 20; i++)
      expect((await throttle.recordFailure('192.0.2.1', second(i))).allowed).toBe(true);
    expect(await throttle.recordFailure('192.0.2.1', second(30))).toMatchObject({
      allowed: false,
      resetAt: second(60),
    });
    expect((await throttle.recordFailure('192.0.2.2', second(30))).allowed).toBe(true);
    expect((await throttle.recordFailure('192.0.2.1', second(60))).allowed).toBe(true);
  });

  it('counts all addresses of an IPv6 /64 as one', async () => {
    const throttle = aThrottle();
    for (let i = 0; i < 20; i++)
      await throttle.recordFailure(`2001:db8::${i.toString(16)}`, second(0));
    expect((await throttle.recordFailure('2001:db8::ffff', second(1))).allowed).toBe(false);
    expect((await throttle.recordFailure('2001:db8:0:1::1', second(1))).allowed).toBe(true);
  });

  it('counts a client without an address', async () => {
    const throttle = aThrottle();
    expect(await throttle.recordFailure(undefined, second(0))).toMatchObject({
      allowed: true,
      remaining: 19,
    });
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:00aa:000b::', '2001:db8:aa:b::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unknown', ''],
    ['1.2.3', ''],
  ])('of %j is %j', (address, network) => {
    expect(networkKey(address)).toBe(network);
  });

  it('is the same for all notations of an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(networkKey(address)).toBe(networkKey(canonical));
      }),
    );
  });
});
