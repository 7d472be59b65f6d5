import {
  toIpAddress,
  guardedLookup,
  isAllowedAddress,
} from '../../../src/networks/http-client/public-address.js';

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
])('never allows %s', (address) => {
  expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([
    false,
    false,
  ]);
});

it.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])(
  'allows %s only if loopback is allowed',
  (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([
      false,
      true,
    ]);
  },
);

it.each([
  '1.1.1.1',
  '172.32.0.1',
  '192.169.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
])('allows %s', (address) => {
  expect(isAllowedAddress(address, false)).toBe(true);
});

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['blog.example', null],
])('finds the address in the host %s', (host, address) => {
  expect(toIpAddress(host)).toBe(address);
});

it.each(['http://2130706433/', 'http://0x7f.1/', 'http://127.1/', 'http://0177.0.0.1/'])(
  'recognizes the loopback address in %s',
  (url) => {
    expect(toIpAddress(new URL(url).hostname)).toBe('127.0.0.1');
  },
);

describe('a name that resolves to loopback', () => {
  const resolveName = (allowLoopback: boolean, all: boolean): Promise<unknown> =>
    new Promise((resolve) =>
      guardedLookup(allowLoopback)('localhost', { all, family: 4 }, (error, address) =>
        resolve(error ? error.message : address),
      ),
    );

  it('is rejected when it is resolved, for one address and for all', async () => {
    expect([await resolveName(false, true), await resolveName(false, false)]).toEqual([
      'getaddrinfo ENOTFOUND localhost',
      'getaddrinfo ENOTFOUND localhost',
    ]);
  });

  it('is resolved if loopback is allowed', async () => {
    expect([await resolveName(true, true), await resolveName(true, false)]).toEqual([
      [{ address: '127.0.0.1', family: 4 }],
      '127.0.0.1',
    ]);
  });
});
