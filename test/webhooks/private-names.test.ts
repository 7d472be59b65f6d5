import type { LookupAddress } from 'node:dns';
import { deliveriesOf, waitForDeliveries, webhookGateway } from './webhook-gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';

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
const gateway = forAllTests(() => webhookGateway(), 'close');
beforeAll(async () => {
  gateway.startWorker();
});
afterEach(() => gateway.db.pool.query('DELETE FROM webhook'));

/** Everything that a user sees of a webhook with this URL. */
async function answersFor(addresses: readonly string[]): Promise<unknown> {
  mockAddresses = addresses;
  const { status, body } = await gateway.v1('POST', '/webhooks', {
    body: { url: URL, types: ['post.created'] },
  });
  const { status: changed } = await gateway.v1('PUT', `/webhooks/${body.id}`, {
    body: { url: `${URL}/other` },
  });
  await gateway.v1('POST', `/webhooks/${body.id}/test`);
  await waitForDeliveries(gateway, body.id, ({ error }) => error !== null);
  const [delivery] = await deliveriesOf(gateway, body.id);
  const { status: deliveryStatus, response_status: responseStatus, error } = delivery!;
  return { status, changed, deliveryStatus, responseStatus, error };
}

it.each([
  ['10.0.0.7'],
  ['169.254.169.254'],
  ['fd00::7'],
  [PUBLIC, '192.168.0.1'], // one of two
])(
  'a name that resolves to %s is answered like a name that does not exist',
  async (...addresses) => {
    const unknown = await answersFor([]);
    expect(unknown).toEqual({
      status: 200,
      changed: 200,
      deliveryStatus: 'pending',
      responseStatus: null,
      error:
        'The receiver is unavailable: its host name could not be resolved to a public address.',
    });
    expect(await answersFor(addresses)).toEqual(unknown);
  },
);
