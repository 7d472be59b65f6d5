import { BlockList, isIP } from 'node:net';
import { parseUrl } from '../domain/input/urls.js';
import { splitList } from './setting.js';

const IN_HEX = /^[0-9a-f]{64}$/i;
const IN_BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** `1` or `0`; undefined for any other text. */
export const readFlag = (text: string): boolean | undefined =>
  /^[01]$/.test(text) ? text === '1' : undefined;

/** One or more 32-byte keys as base64 or hex; undefined if one is invalid. */
export function readSealingKeys(text: string): Uint8Array[] | undefined {
  const entries = splitList(text);
  const areKeys =
    entries.length > 0 && entries.every((entry) => IN_HEX.test(entry) || IN_BASE64.test(entry));
  return areKeys
    ? entries.map((entry) => Buffer.from(entry, IN_HEX.test(entry) ? 'hex' : 'base64'))
    : undefined;
}

/** One or more IP addresses or CIDR ranges; undefined if one is invalid. */
export function readAddresses(text: string): BlockList | undefined {
  const list = new BlockList();
  const entries = splitList(text);
  const isValid =
    entries.length > 0 &&
    entries.every((entry) => {
      const [address = '', prefix, ...rest] = entry.split('/');
      const version = isIP(address);
      if (version === 0 || rest.length > 0) return false;
      const family = version === 4 ? 'ipv4' : 'ipv6';
      if (prefix === undefined) return (list.addAddress(address, family), true);
      if (!/^\d{1,3}$/.test(prefix) || +prefix > (version === 4 ? 32 : 128)) return false;
      return (list.addSubnet(address, +prefix, family), true);
    });
  return isValid ? list : undefined;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a valid URL leads to this machine. */
export const isLoopbackUrl = (text: string): boolean => LOOPBACK.test(new URL(text).hostname);

/**
 * An https URL, or an http URL of localhost, without user and password; undefined for any other
 * text.
 */
export function readPublicUrl(text: string): string | undefined {
  const url = parseUrl(text);
  const isAllowed =
    url !== null &&
    url.username + url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)));
  return isAllowed ? text : undefined;
}
