import { randomBytes } from 'node:crypto';
import { waitFor } from '../fixtures/wait-for.js';
import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';
import { aWorkerProcess, type WorkerProcess } from '../fixtures/worker-process.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { createWebhook, verified, waitForDeliveries, webhookGateway } from './webhook-gateway.js';
import { forEachTest } from '../fixtures/lifecycle.js';

const key = randomBytes(32);
beforeAll(buildIfChanged, 90_000);
const gateway = forEachTest(() => webhookGateway({ credentialsKeys: [key] }));
const receiver = forEachTest(() => aWebhookReceiver());
afterEach(async () => {
  killStartedPrograms();
  await gateway.close();
  await receiver.close();
});

const aWorker = (): Promise<WorkerProcess> =>
  aWorkerProcess({
    DATABASE_URL: gateway.db.url,
    CREDENTIALS_KEY: key.toString('base64'),
    NETWORKS_ALLOW_LOOPBACK: '1',
  });

const isDelivered = ({ status }: any): boolean => status === 'delivered';

it('a message whose worker is killed before it recorded the delivery arrives again with its ID', async () => {
  const { id, secret } = await createWebhook(gateway, receiver.url);
  const worker = await aWorker();
  receiver.respondWith(() => undefined);
  await gateway.v1('POST', `/webhooks/${id}/test`);
  await waitFor(() => receiver.received.length === 1);
  await worker.kill();
  receiver.respondWith((response) => response.writeHead(204).end());
  await gateway.db.pool.query(
    "UPDATE webhook_delivery SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL",
  );
  await aWorker();
  await waitForDeliveries(gateway, id, isDelivered);
  const [first, second] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect(verified(secret, second!)).toEqual(verified(secret, first!));
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
});

it('two workers send each event once', async () => {
  const { id, secret } = await createWebhook(gateway, receiver.url, { types: ['POST_UPDATED'] });
  await Promise.all([aWorker(), aWorker()]);
  const posts = await Promise.all(
    Array.from({ length: 30 }, () => gateway.records.aPost({ by: gateway.owner })),
  );
  for (const post of posts)
    await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'Changed' } } });
  await waitFor(() => receiver.received.length >= posts.length);
  await waitForDeliveries(gateway, id, isDelivered);
  const ids = receiver.received.map((message) => verified(secret, message).data.post_id);
  expect(ids.toSorted()).toEqual(posts.map((post) => post.id).toSorted());
});
