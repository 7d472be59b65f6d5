import { readConfig } from '../../src/config.js';
import { peerOf } from '../../src/http/peer.js';

const PROXIES = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.9, fd00::/8' }).trustedProxies;
const peer = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => peerOf({ headers, socket: { remoteAddress } }, PROXIES);
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
  ] as const)('takes %s with %j as secure: %s', (address, headers, secure) => {
    expect(peer(address, { ...headers }).secure).toBe(secure);
  });

  it('takes the client’s address from a proxy, but only what a proxy wrote', () => {
    const from = (forwarded: string, address = '10.0.0.1') => peer(address, { ...https, 'x-forwarded-for': forwarded }).address;
    expect(from('8.8.8.8')).toBe('8.8.8.8');
    expect(from('1.1.1.1, 8.8.8.8, 10.0.0.2')).toBe('8.8.8.8');
    expect(from('10.0.0.2')).toBe('10.0.0.1');
    expect(from('1.1.1.1', '9.9.9.9')).toBe('9.9.9.9');
  });
});
