import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { parseUrl } from '../../domain/input/urls.js';

/** The parts of a request that identify its client. */
interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The client of a request, and whether its key was sent over a secure connection. */
export interface Client {
  /** Behind a trusted proxy, the address that the proxy forwarded. */
  readonly address: string | undefined;
  /** HTTPS according to a trusted proxy, or a client on this machine (D36). */
  readonly isSecure: boolean;
}

/** Addresses of this machine, as Node.js presents them. Faster than a list for each request. */
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d+){3}|::1)$/;

/** Headers that show that the request was forwarded. */
const FORWARDING_HEADER = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip)$/;

/** Reads the client of a request. Forwarding headers are trusted only from `proxies`. */
export function readClient({ headers, socket }: ReceivedRequest, proxies: BlockList): Client {
  const { remoteAddress } = socket;
  if (headers['x-forwarded-proto'] !== undefined && isAmong(proxies, remoteAddress)) {
    return {
      address: forwardedAddress(headers, proxies) ?? remoteAddress,
      isSecure: isHttps(headers['x-forwarded-proto']),
    };
  }
  const isForwarded = Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));
  return { address: remoteAddress, isSecure: !isForwarded && LOOPBACK.test(remoteAddress ?? '') };
}

const NO_PROXIES = new BlockList();

/** Whether a request was sent by a program on this machine, and was not forwarded by a proxy. */
export const isSentLocally = (request: ReceivedRequest): boolean =>
  readClient(request, NO_PROXIES).isSecure;

const LOOPBACK_NAME = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Whether a page is open in a browser on this machine: the request came directly from loopback, for
 * a loopback host name. Any other name may resolve to 127.0.0.1 (DNS rebinding), and the page then
 * belongs to the owner of that name.
 */
export function isOpenedLocally(request: ReceivedRequest): boolean {
  const { host = '' } = request.headers;
  const name = parseUrl(`http://${host}`)?.hostname ?? '';
  return isSentLocally(request) && LOOPBACK_NAME.test(name);
}

/** Each hop appends its protocol: a single unencrypted hop exposes the key. */
const isHttps = (protocols: string | string[]): boolean =>
  listOf(protocols).every((protocol) => protocol.toLowerCase() === 'https');

/**
 * The last address in X-Forwarded-For that is not a trusted proxy. Clients can forge the addresses
 * before it.
 */
const forwardedAddress = (headers: IncomingHttpHeaders, proxies: BlockList): string | undefined =>
  listOf(headers['x-forwarded-for'] ?? '')
    .reverse()
    .find((address) => !isAmong(proxies, address));

const listOf = (value: string | string[]): string[] =>
  String(value)
    .split(',')
    .map((entry) => entry.trim());

/** Whether an address is in the list. */
export function isAmong(list: BlockList, address = ''): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The trusted addresses at which clients may run besides proxies: ranges, and this machine. Such a
 * client can forge X-Forwarded-For: its own address counts as that of a proxy.
 * @returns in the form of the setting
 */
export const forgeableAddresses = ({ rules }: BlockList): string[] =>
  rules.flatMap((rule) => {
    const [, kind, family, address = ''] = /^(\w+): (\w+) (\S+)$/.exec(rule) ?? [];
    const isOne = kind === 'Address' || /^(IPv4 .*\/32|IPv6 .*\/128)$/.test(`${family} ${address}`);
    return isOne && !LOOPBACK.test(address) ? [] : [address];
  });
