import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 ranges that lead to no public host (IANA's special-purpose registry), loopback apart. */
const CLOSED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Of IPv6 only 2000::/3 is public, and of that not the ranges that wrap IPv4 addresses or stand in documents. */
const CLOSED_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, bits] of CLOSED_V4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of CLOSED_V6) closed.addSubnet(net, bits, 'ipv6');
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an IP address is this machine's own. */
export const isLoopback = (address: string): boolean =>
  loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether requests may go to an IP address: public ones, and this machine's own where that is allowed. */
export function mayReach(address: string, allowLoopback: boolean): boolean {
  if (isLoopback(address)) return allowLoopback;
  return isIP(address) === 6
    ? open6.check(address, 'ipv6') && !closed.check(address, 'ipv6')
    : !closed.check(address, 'ipv4');
}

/** A host that requests must not go to: users name hosts, and none of them is a way into the network the gateway stands in. */
export class ClosedAddress extends Error {
  constructor(host: string, reason = 'is not a public address') {
    super(`${host} ${reason}`);
  }
}

/** The address in a URL's host, where it is one; a name is judged when it is looked up. */
export const addressIn = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
};

/** Looks names up as usual and refuses those of which any address is closed: judged where the connection is made, so that nothing can change in between. */
export const guardedLookup =
  (allowLoopback: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(
      hostname,
      { ...(options as LookupOptions), all: true },
      (error, addresses: LookupAddress[]) => {
        const refused =
          !error &&
          (addresses.length === 0 ||
            addresses.some(({ address }) => !mayReach(address, allowLoopback)));
        if (error || refused) return callback(error ?? new ClosedAddress(hostname), '', 0);
        if (options.all) return callback(null, addresses);
        return callback(null, addresses[0]!.address, addresses[0]!.family);
      },
    );
  };
