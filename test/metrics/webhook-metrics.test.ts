import { expectSeries, scrapeMetrics, seriesOf } from '../fixtures/metric-series.js';
import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';
import { createWebhook, waitForDeliveries, webhookGateway } from '../webhooks/webhook-gateway.js';
import { forEachTest } from '../fixtures/lifecycle.js';

const ATTEMPTS = 'posts_gateway_webhook_attempts_total';
const DURATIONS = 'posts_gateway_webhook_attempt_duration_seconds';
const OLDEST = 'posts_gateway_webhook_oldest_due_seconds';
const gateway = forEachTest(() => webhookGateway({ metricsPort: 0 }));
const receiver = forEachTest(() => aWebhookReceiver());
afterEach(async () => {
  await gateway.close();
  await receiver.close();
});

const series = async (name: string) => seriesOf(await scrapeMetrics(gateway.metricsUrl), name);
const attempts = (delivered: number, retried: number, failed: number): Promise<void> =>
  expectSeries(gateway.metricsUrl, ATTEMPTS, {
    '{outcome="delivered"}': delivered,
    '{outcome="retried"}': retried,
    '{outcome="failed"}': failed,
  });

it('attempts are counted by outcome, and timed', async () => {
  gateway.startWorker();
  const { id } = await createWebhook(gateway, receiver.url);
  await attempts(0, 0, 0);
  const test = async (status: number): Promise<void> => {
    receiver.respondWith((response) => response.writeHead(status).end());
    await gateway.v1('POST', `/webhooks/${id}/test`);
    await waitForDeliveries(gateway, id, ({ last_attempt_at: at }) => at !== null);
  };
  await test(204);
  await test(204);
  await attempts(2, 0, 0);
  await test(500);
  await attempts(2, 1, 0);
  await test(410);
  await attempts(2, 1, 1);
  expect(await series(`${DURATIONS}_count`)).toEqual({ '': 4 });
  const { '': seconds } = await series(`${DURATIONS}_sum`);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(20);
});

it('the oldest due message tells how long nothing was sent', async () => {
  const { id } = await createWebhook(gateway, receiver.url); // no worker runs
  await expectSeries(gateway.metricsUrl, OLDEST, { '': 0 });
  await gateway.v1('POST', `/webhooks/${id}/test`);
  await gateway.db.pool.query(
    "UPDATE webhook_delivery SET due_at = now() - interval '100 seconds'",
  );
  const { '': waiting } = await series(OLDEST);
  expect(waiting).toBeGreaterThanOrEqual(100);
  expect(waiting).toBeLessThan(160);
  gateway.startWorker();
  await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
  await expectSeries(gateway.metricsUrl, OLDEST, { '': 0 });
});
