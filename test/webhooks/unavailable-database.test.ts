import { setReadOnly } from '../fixtures/read-only-database.js';
import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';
import {
  createWebhook,
  deliveriesOf,
  waitForDeliveries,
  webhookGateway,
} from './webhook-gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';

const gateway = forAllTests(() => webhookGateway());
beforeAll(async () => {
  gateway.startWorker();
});
const receiver = forAllTests(() => aWebhookReceiver());
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

it('a message that arrives during an outage of the database is not sent again', async () => {
  const { id } = await createWebhook(gateway, receiver.url);
  const arrived = new Promise<void>((resolve) => {
    receiver.respondWith((response) => {
      void setReadOnly(gateway.db.url, true).then(() => {
        response.writeHead(204).end();
        resolve();
      });
    });
  });
  await gateway.v1('POST', `/webhooks/${id}/test`);
  await arrived;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await deliveriesOf(gateway, id)).toMatchObject([{ status: 'pending' }]);
  await setReadOnly(gateway.db.url, false);
  await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
  expect(await deliveriesOf(gateway, id)).toMatchObject([{ attempts: 1, response_status: 204 }]);
  expect(receiver.received).toHaveLength(1);
});
