import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 ranges without public hosts (IANA's special-purpose registry), except loopback. */
const NON_PUBLIC_IPV4: readonly (readonly [string, number])[] = [
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
/**
 * IPv6: only 2000::/3 is public, without these ranges that embed IPv4 addresses or are reserved for
 * documentation.
 */
const NON_PUBLIC_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const nonPublic = new BlockList();
for (const [net, bits] of NON_PUBLIC_IPV4) nonPublic.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of NON_PUBLIC_IPV6) nonPublic.addSubnet(net, bits, 'ipv6');
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an IP address is a loopback address. */
export const isLoopback = (address: string): boolean =>
  loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether requests may be sent to an IP address: public addresses, and loopback if allowed. */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  if (isLoopback(address)) return allowLoopback;
  return isIP(address) === 6
    ? publicIpv6.check(address, 'ipv6') && !nonPublic.check(address, 'ipv6')
    : !nonPublic.check(address, 'ipv4');
}

/**
 * A request to a host that is not public was blocked. Users provide host names, which must not give
 * them access to the internal network of the gateway (SSRF).
 */
export class BlockedAddressError extends Error {
  constructor(host: string, reason = 'is not a public address') {
    super(`${host} ${reason}`);
  }
}

/**
 * The IP address in a URL's host, or null for a name, which `guardedLookup` checks when it is
 * resolved.
 */
export const toIpAddress = (hostname: string): string | null => {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? null : address;
};

/** The error of a name that does not exist. */
const unknownName = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });

/**
 * DNS lookup that rejects a name if any of its addresses is not allowed. The check is part of the
 * connection, so a DNS change between check and connection (rebinding) has no effect. The error is
 * that of a name that does not exist: users must not learn which names the internal network has.
 */
export const guardedLookup =
  (allowLoopback: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(
      hostname,
      { ...(options as LookupOptions), all: true },
      (error, addresses: LookupAddress[]) => {
        const isBlocked =
          !error &&
          (addresses.length === 0 ||
            addresses.some(({ address }) => !isAllowedAddress(address, allowLoopback)));
        if (error || isBlocked) return callback(error ?? unknownName(hostname), '', 0);
        if (options.all) return callback(null, addresses);
        return callback(null, addresses[0]!.address, addresses[0]!.family);
      },
    );
  };
