import { replaceHost } from '../../../src/networks/http-client/network-hosts.js';
import { NETWORK_CASES } from '../stand-ins/network-suite.js';
import { createTestHttpClient } from '../stand-ins/edit-requests.js';

it('replaces hosts, and keeps paths and queries as they are', () => {
  const hosts = {
    'api.pinterest.com': 'https://api-sandbox.pinterest.com',
    'graph.facebook.com': 'http://127.0.0.1:9001/graph.facebook.com/',
  };
  const replaced = (url: string): string => replaceHost(hosts, new URL(url)).href;
  expect(replaced('https://api.pinterest.com/v5/pins?a=b%20c')).toBe(
    'https://api-sandbox.pinterest.com/v5/pins?a=b%20c',
  );
  expect(replaced('https://graph.facebook.com/v25.0/1_2%3A3?fields=id')).toBe(
    'http://127.0.0.1:9001/graph.facebook.com/v25.0/1_2%3A3?fields=id',
  );
  for (const url of ['https://pinterest.com/v5/pins', 'https://constructor/', 'https://a.b:1/'])
    expect(replaced(url)).toBe(url);
});

it('sends nothing to an official host whose host is replaced', async () => {
  const facebook = NETWORK_CASES.find(({ network }) => network === 'facebook')!;
  const standIn = await facebook.start();
  const adapter = facebook.adapter(createTestHttpClient(), standIn.url);
  expect(await adapter.check(facebook.credentials(standIn.url))).toMatchObject({ name: 'Kiosk' });
  expect(standIn.requests).toEqual(['GET /v25.0/me']);
  await standIn.close();
});
