import { readConfig } from '../../../src/config/config.js';
import {
  isOpenedLocally,
  readClient,
  forgeableAddresses,
} from '../../../src/http/authentication/client-address.js';

const PROXIES = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.9, fd00::/8' }).trustedProxies;
const peer = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  readClient({ headers, socket: { remoteAddress } }, PROXIES);
const https = { 'x-forwarded-proto': 'https' };

describe('the HTTPS rule (D36)', () => {
  it.each([
    ['127.0.0.1', {}, true],
    ['127.8.9.10', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['192.168.1.4', {}, false],
    ['8.8.8.8', https, false],
    [undefined, {}, false],
    ['127.0.0.1', https, false],
    ['127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, false],
    ['127.0.0.1', { 'x-forwarded-host': 'example.com' }, false],
    ['127.0.0.1', { 'x-real-ip': '8.8.8.8' }, false],
    ['127.0.0.1', { forwarded: 'proto=https' }, false],
    ['127.0.0.1', { via: '1.1 proxy' }, false],
    ['10.1.2.3', https, true],
    ['::ffff:10.1.2.3', https, true],
    ['fd00::2', https, true],
    ['127.0.0.9', https, true],
    ['127.0.0.9', {}, true],
    ['127.0.0.9', { 'x-forwarded-for': '8.8.8.8' }, false],
    ['10.1.2.3', {}, false],
    ['10.1.2.3', { 'x-forwarded-proto': 'http' }, false],
    ['10.1.2.3', { 'x-forwarded-proto': 'https, http' }, false],
    ['10.1.2.3', { 'x-forwarded-proto': 'HTTPS,https' }, true],
    ['10.1.2.3', { 'x-forwarded-proto': '' }, false],
  ] as const)('%s with %j is secure: %s', (address, headers, secure) => {
    expect(peer(address, { ...headers }).isSecure).toBe(secure);
  });

  it('reads the client’s address from a trusted proxy, and only the entries of trusted proxies', () => {
    const from = (forwarded: string, address = '10.0.0.1') =>
      peer(address, { ...https, 'x-forwarded-for': forwarded }).address;
    expect(from('8.8.8.8')).toBe('8.8.8.8');
    expect(from('1.1.1.1, 8.8.8.8, 10.0.0.2')).toBe('8.8.8.8');
    expect(from('10.0.0.2')).toBe('10.0.0.1');
    expect(from('1.1.1.1', '9.9.9.9')).toBe('9.9.9.9');
  });
});

describe('isOpenedLocally', () => {
  const openedHere = (
    host: string,
    { from = '127.0.0.1', ...headers }: Record<string, string> = {},
  ) => isOpenedLocally({ headers: { host, ...headers }, socket: { remoteAddress: from } });

  it.each(['localhost:4000', 'LOCALHOST', '127.0.0.1:4000', '127.9.9.9', '[::1]:4000'])(
    'accepts %s from loopback',
    (host) => {
      expect(openedHere(host)).toBe(true);
      expect(openedHere(host, { from: '::1' })).toBe(true);
      expect(openedHere(host, { from: '192.168.1.4' })).toBe(false);
      expect(openedHere(host, { 'x-forwarded-for': '127.0.0.1' })).toBe(false);
      expect(openedHere(host, { 'x-forwarded-proto': 'https' })).toBe(false);
    },
  );

  it.each([
    'rebound.example',
    'localhost.example:4000',
    '127.0.0.1.example',
    '192.168.1.4:4000',
    '0.0.0.0:4000',
    '',
    '[',
  ])('rejects %j', (host) => {
    expect(openedHere(host)).toBe(false);
  });
});

it('knows the trusted addresses at which clients can forge X-Forwarded-For', () => {
  const forgeable = (text: string): string[] =>
    forgeableAddresses(readConfig({ TRUSTED_PROXIES: text }).trustedProxies).toSorted();
  expect(forgeable('10.0.0.7, 10.0.0.8/32, fd00::7, fd00::8/128')).toEqual([]);
  expect(forgeable('10.0.0.7, 127.0.0.1, 10.0.0.0/8, fd00::/8')).toEqual([
    '10.0.0.0/8',
    '127.0.0.1',
    'fd00::/8',
  ]);
});
