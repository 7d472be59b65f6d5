import { BlockList, isIP } from 'node:net';
import { entriesOf, isUrlOf } from './setting.js';

const IN_HEX = /^[0-9a-f]{64}$/i;
const IN_BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Undefined where it is neither 0 nor 1. */
export const readFlag = (text: string): boolean | undefined =>
  /^[01]$/.test(text) ? text === '1' : undefined;

/** Keys of 32 bytes as base64 or hex, one at least; undefined where one is none. */
export function readSealingKeys(text: string): Uint8Array[] | undefined {
  const entries = entriesOf(text);
  const areKeys =
    entries.length > 0 && entries.every((entry) => IN_HEX.test(entry) || IN_BASE64.test(entry));
  return areKeys
    ? entries.map((entry) => Buffer.from(entry, IN_HEX.test(entry) ? 'hex' : 'base64'))
    : undefined;
}

/** Addresses of Redis servers, one at least; undefined where one is none. */
export function readRedisUrls(text: string): string[] | undefined {
  const urls = entriesOf(text);
  return urls.length > 0 && urls.every((url) => isUrlOf(/^rediss?:$/, url)) ? urls : undefined;
}

/** IP addresses and CIDR ranges, one at least; undefined where one is neither. */
export function readAddresses(text: string): BlockList | undefined {
  const list = new BlockList();
  const entries = entriesOf(text);
  const understood =
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
  return understood ? list : undefined;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** https, or http where it does not leave the machine, without user and password; undefined for anything else. */
export function readWebhookUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isTaken =
    url !== null &&
    url.username + url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)));
  return isTaken ? text : undefined;
}

/** Secrets as the Standard Webhooks specification writes them, one at least; undefined where one is none. */
export function readWebhookSecrets(text: string): string[] | undefined {
  const entries = entriesOf(text);
  const isSecret = (entry: string): boolean => {
    const base64 = entry.replace(/^whsec_/, '');
    const bytes = Buffer.from(base64, 'base64');
    return (
      base64 !== entry &&
      bytes.length >= 24 &&
      bytes.length <= 64 &&
      bytes.toString('base64') === base64
    );
  };
  return entries.length > 0 && entries.every(isSecret) ? entries : undefined;
}
