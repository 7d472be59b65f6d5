import type { LookupAddress } from 'node:dns';
import type { TestGateway } from '../fixtures/gateway.js';
import { deliveriesOf, waitForDeliveries, webhookGateway } from './webhook-gateway.js';

/** What the name of the receiver resolves to; none: it does not exist. */
let mockAddresses: readonly string[] = [];
jest.mock('node:dns', () => ({
  ...jest.requireActual<object>('node:dns'),
  lookup: (
    host: string,
    _options: object,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ) =>
    mockAddresses.length === 0
      ? callback(
          Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }),
          [],
        )
      : callback(
          null,
          mockAddresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
}));

const URL = 'https://hooks.example.com/posts';
const PUBLIC = '93.184.216.34';
const PROBLEM = 'url cannot be used: hooks.example.com is not a public address.';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await webhookGateway();
  gateway.startWorker();
});
afterEach(() => gateway.db.pool.query('DELETE FROM webhook'));
afterAll(() => gateway.close());

const create = () =>
  gateway.v1('POST', '/webhooks', { body: { url: URL, types: ['post.created'] } });
const urls = async (): Promise<string[]> =>
  (await gateway.db.pool.query<{ url: string }>('SELECT url FROM webhook')).rows.map(
    ({ url }) => url,
  );

describe('a name that resolves to a private address', () => {
  it.each([
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['fd00::7'],
    [PUBLIC, '192.168.0.1'], // one of two
  ])('%s is refused when a webhook is created, in both APIs', async (...addresses) => {
    mockAddresses = addresses;
    const { status, body } = await create();
    expect([status, body.code, body.errors]).toEqual([422, 'RULE_VIOLATION', [PROBLEM]]);
    const { body: viaGraphql } = await gateway.graphql(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } secret userErrors { code field message } } }',
      { input: { url: URL, types: ['POST_CREATED'] } },
    );
    expect(viaGraphql.data.createWebhook).toEqual({
      webhook: null,
      secret: null,
      userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'url'], message: PROBLEM }],
    });
    expect(await urls()).toEqual([]);
  });

  it('is refused when the URL of a webhook is changed', async () => {
    mockAddresses = [PUBLIC];
    const { body } = await create();
    mockAddresses = ['10.0.0.7'];
    const { status } = await gateway.v1('PUT', `/webhooks/${body.id}`, {
      body: { url: `${URL}/other` },
    });
    expect([status, await urls()]).toEqual([422, [URL]]);
  });

  it('gets no message if it was public, or unknown, when the webhook was created', async () => {
    for (const addresses of [[PUBLIC], []]) {
      mockAddresses = addresses;
      const { status, body } = await create();
      expect(status).toBe(200);
      mockAddresses = ['10.0.0.7'];
      await gateway.v1('POST', `/webhooks/${body.id}/test`);
      await waitForDeliveries(gateway, body.id, ({ attempts }) => attempts === 1);
      await waitForDeliveries(gateway, body.id, ({ error }) => error !== null);
      expect(await deliveriesOf(gateway, body.id)).toMatchObject([
        {
          status: 'pending',
          response_status: null,
          error: 'The receiver cannot be called: hooks.example.com is not a public address.',
        },
      ]);
    }
  });
});
