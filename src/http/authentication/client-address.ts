import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** What there is to read about the other end of a request. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Who sent a request, and whether a key was safe on the way. */
export interface Peer {
  /** The client's address: behind a configured proxy the one it names. */
  readonly address: string | undefined;
  /** HTTPS as far as we can tell, or a caller on this machine (D36). */
  readonly secure: boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Any of these says that the peer is not where the request began. */
const FORWARDING = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip)$/;

/** Reads the peer of a request. Forwarding headers are believed from the proxies only. */
export function peerOf({ headers, socket }: Received, proxies: BlockList): Peer {
  const direct = socket.remoteAddress;
  if (headers['x-forwarded-proto'] !== undefined && isAmong(proxies, direct)) {
    return {
      address: clientAddress(headers, proxies) ?? direct,
      secure: isHttps(headers['x-forwarded-proto']),
    };
  }
  const isForwarded = Object.keys(headers).some((name) => FORWARDING.test(name));
  return { address: direct, secure: !isForwarded && isAmong(LOOPBACK, direct) };
}

/** Nobody is believed about where a request came from. */
const NO_PROXIES = new BlockList();
const LOCAL_NAME = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Whether a page is open on this machine: its request came straight from loopback, and asked for a loopback name.
 * Another name leads here too if its owner says so, and then the page is theirs.
 */
export function isOpenedHere(received: Received): boolean {
  const { host = '' } = received.headers;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  return peerOf(received, NO_PROXIES).secure && LOCAL_NAME.test(name);
}

// Each hop appends its own word: one plain hop is enough to show the key.
const isHttps = (protocols: string | string[]): boolean =>
  listOf(protocols).every((protocol) => protocol.toLowerCase() === 'https');

/** The last address that a configured proxy vouches for: what stands before it, anybody can have written. */
const clientAddress = (headers: IncomingHttpHeaders, proxies: BlockList): string | undefined =>
  listOf(headers['x-forwarded-for'] ?? '')
    .reverse()
    .find((address) => !isAmong(proxies, address));

const listOf = (value: string | string[]): string[] =>
  String(value)
    .split(',')
    .map((one) => one.trim());

function isAmong(list: BlockList, address = ''): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
