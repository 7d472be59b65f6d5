import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Clock } from '../../src/services/clock.js';
import { waitFor } from '../fixtures/wait-for.js';
import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';
import {
  createWebhook,
  deliveriesOf,
  verified,
  waitForDeliveries,
  webhookGateway,
} from './webhook-gateway.js';
import { forAllTests, forEachTest } from '../fixtures/lifecycle.js';

const HOUR = 3_600_000;
let aheadMs = 0;
const clock: Clock = { now: () => new Date(Date.now() + aheadMs) };
const gateway = forAllTests(() => webhookGateway({ clock }), 'close');
beforeAll(async () => {
  gateway.startWorker();
});
beforeEach(async () => {
  aheadMs = 0;
});
const receiver = forEachTest(() => aWebhookReceiver());
afterEach(async () => {
  await gateway.db.pool.query('DELETE FROM webhook');
  await receiver.close();
});
const test = (id: string) => gateway.v1('POST', `/webhooks/${id}/test`);
const attempted = ({ last_attempt_at: at }: any): boolean => at !== null;
const notifications = async (): Promise<string[]> =>
  (
    await gateway.graphql('{ viewer { notifications(first: 20) { nodes { kind message } } } }')
  ).body.data.viewer.notifications.nodes
    .filter(({ kind }: any) => kind === 'webhook_disabled')
    .map(({ message }: any) => message);
const statusOf = async (id: string): Promise<string> =>
  (await gateway.v1('GET', `/webhooks/${id}`)).body.status;

/** A server that treats each connection as given, and counts them. */
async function aRawServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    connections: sockets,
    close() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

describe('a receiver', () => {
  it('that redirects is not followed', async () => {
    const target = await aWebhookReceiver();
    receiver.respondWith((response) => response.writeHead(307, { location: target.url }).end());
    const { id } = await createWebhook(gateway, receiver.url);
    await test(id);
    await waitForDeliveries(gateway, id, attempted);
    expect(await deliveriesOf(gateway, id)).toMatchObject([
      { status: 'pending', response_status: 307, attempts: 1 },
    ]);
    expect(target.received).toEqual([]);
    await target.close();
  });

  it('that closes the connection early is tried again', async () => {
    const closing = await aRawServer((socket) => socket.once('data', () => socket.destroy()));
    const { id } = await createWebhook(gateway, closing.url);
    await test(id);
    await waitForDeliveries(gateway, id, attempted);
    expect(await deliveriesOf(gateway, id)).toMatchObject([
      {
        status: 'pending',
        response_status: null,
        response_body: null,
        error: 'The receiver is unavailable: the connection was interrupted.',
      },
    ]);
    closing.close();
  });

  it('that responds with 10 MB is read no further than necessary', async () => {
    let sent = 0;
    receiver.respondWith((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536, 'x');
      const write = (): void => {
        while (sent < 10_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', write);
      write();
    });
    const { id } = await createWebhook(gateway, receiver.url);
    await test(id);
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    expect(await deliveriesOf(gateway, id)).toMatchObject([
      { response_status: 200, response_body: 'x'.repeat(1_024) },
    ]);
    expect(sent).toBeLessThan(10_000_000);
  });

  it('whose response is not text is stored as text', async () => {
    receiver.respondWith((response) => response.writeHead(200).end(Buffer.from([0, 255, 0x61])));
    const { id } = await createWebhook(gateway, receiver.url);
    await test(id);
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    expect(await deliveriesOf(gateway, id)).toMatchObject([{ response_body: '\uFFFD\uFFFDa' }]);
  });

  it('that responds with 410 is disabled, and the owner is notified', async () => {
    receiver.respondWith((response) => response.writeHead(410).end());
    const { id } = await createWebhook(gateway, receiver.url);
    await test(id);
    await waitForDeliveries(gateway, id, ({ status }) => status === 'failed');
    expect(await statusOf(id)).toBe('disabled');
    expect(await notifications()).toContain(
      `The webhook to ${new URL(receiver.url).host} was disabled: its receiver responded with 410.`,
    );
    const refused = await test(id);
    expect([refused.status, refused.body.code]).toEqual([422, 'RULE_VIOLATION']);
  });

  it('that fails is tried again over three days, and then disabled', async () => {
    receiver.respondWith((response) => response.writeHead(500).end('down'));
    const { id } = await createWebhook(gateway, receiver.url);
    await test(id);
    const ids = new Set<unknown>();
    for (let attempt = 1; (await statusOf(id)) === 'active'; attempt++) {
      await waitForDeliveries(
        gateway,
        id,
        ({ attempts, status }) => attempts === attempt || status === 'failed',
      );
      receiver.received.forEach(({ headers }) => ids.add(headers['webhook-id']));
      const [delivery] = await deliveriesOf(gateway, id);
      if (delivery.next_attempt_at)
        aheadMs = Date.parse(delivery.next_attempt_at) + 1_000 - Date.now();
      await waitFor(
        async () => receiver.received.length > attempt || (await statusOf(id)) === 'disabled',
      );
    }
    expect(ids.size).toBe(1);
    expect(receiver.received).toHaveLength(10);
    expect(aheadMs / HOUR).toBeGreaterThan(72);
    expect(await notifications()).toContain(
      `The webhook to ${new URL(receiver.url).host} was disabled: its receiver has failed for three days.`,
    );
    expect(await deliveriesOf(gateway, id)).toMatchObject([
      { status: 'failed', next_attempt_at: null, response_body: 'down' },
    ]);
  });

  it('that recovers gets the message, and counts as healthy again', async () => {
    receiver.respondWith((response) => response.writeHead(503, { 'retry-after': '7200' }).end());
    const { id } = await createWebhook(gateway, receiver.url);
    await test(id);
    await waitForDeliveries(gateway, id, attempted);
    const [delivery] = await deliveriesOf(gateway, id);
    expect(Date.parse(delivery.next_attempt_at) - clock.now().getTime()).toBeGreaterThan(
      1.9 * HOUR,
    );
    receiver.respondWith((response) => response.writeHead(204).end());
    const next = receiver.next();
    aheadMs = 3 * HOUR;
    expect(JSON.parse((await next).body)).toMatchObject({ type: 'webhook.test' });
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    const { rows } = await gateway.db.pool.query('SELECT failing_since FROM webhook');
    expect(rows).toEqual([{ failing_since: null }]);
  });

  it('that hangs does not delay the receivers of other workspaces', async () => {
    const hanging = await aRawServer(() => undefined);
    const other = await gateway.records.aViewer({ name: 'Otto' });
    const dead = await createWebhook(gateway, hanging.url);
    for (let message = 0; message < 20; message++) await test(dead.id);
    await waitFor(() => hanging.connections.size > 0);
    const { id, secret } = await createWebhook(gateway, receiver.url, { as: other });
    const next = receiver.next();
    const sentAt = Date.now();
    await gateway.v1('POST', `/webhooks/${id}/test`, { as: other });
    expect(verified(secret, await next)).toMatchObject({ type: 'webhook.test' });
    expect(Date.now() - sentAt).toBeLessThan(9_000);
    expect(hanging.connections.size).toBeLessThanOrEqual(4);
    hanging.close();
  });
});
