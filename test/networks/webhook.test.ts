import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { createWebhook } from '../../src/networks/webhook.js';
import { systemClock } from '../../src/services/clock.js';
import { aWebhookReceiver, type ReceivedWebhook } from '../fixtures/webhook-receiver.js';

const aSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, oldSecret] = [aSecret(), aSecret()];
const NOTIFICATION = {
  id: 'ntf_0123456789abcdef',
  kind: 'approval_needed',
  createdAt: new Date('2026-11-20T09:00:00.123Z'),
  workspaceId: 'wks_1',
  userId: 'usr_1',
  postId: '65f000000000000000000001',
};

let receiver: Awaited<ReturnType<typeof aWebhookReceiver>>;
beforeAll(async () => {
  receiver = await aWebhookReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

const webhook = (more: { secrets?: string[]; timeoutMs?: number; url?: string } = {}) =>
  createWebhook({ url: receiver.url, secrets: [secret], clock: systemClock, ...more });
const verified = (message: ReceivedWebhook, by = secret): unknown =>
  new Webhook(by).verify(message.body, message.headers as Record<string, string>);

describe('a message', () => {
  it('is signed in the way the specification’s verifier accepts, and names user and post', async () => {
    expect(await webhook().deliver(NOTIFICATION)).toEqual({ kind: 'delivered' });
    const [message] = receiver.received;
    expect(message).toMatchObject({
      method: 'POST',
      path: '/hooks?token=in-the-address',
      headers: { 'content-type': 'application/json', 'webhook-id': NOTIFICATION.id },
    });
    expect(verified(message!)).toEqual({
      type: 'notification.approval_needed',
      timestamp: '2026-11-20T09:00:00.123Z',
      data: {
        id: NOTIFICATION.id,
        workspace_id: 'wks_1',
        user_id: 'usr_1',
        post_id: NOTIFICATION.postId,
      },
    });
  });

  it('is rejected by the verifier with another secret, another body, another ID or an old timestamp', async () => {
    await webhook().deliver(NOTIFICATION);
    const [message] = receiver.received as [ReceivedWebhook];
    const { headers } = message;
    expect(() => verified(message, oldSecret)).toThrow(WebhookVerificationError);
    expect(() => verified({ ...message, body: message.body.replace('usr_1', 'usr_2') })).toThrow(
      WebhookVerificationError,
    );
    expect(() =>
      verified({ ...message, headers: { ...headers, 'webhook-id': 'ntf_other' } }),
    ).toThrow(WebhookVerificationError);
    expect(() =>
      verified({
        ...message,
        headers: {
          ...headers,
          'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 600),
        },
      }),
    ).toThrow('Message timestamp too old');
  });

  it('is signed with each of several secrets, so that a receiver can rotate them', async () => {
    await webhook({ secrets: [secret, oldSecret] }).deliver(NOTIFICATION);
    for (const each of [secret, oldSecret])
      expect(verified(receiver.received[0]!, each)).toMatchObject({
        data: { id: NOTIFICATION.id },
      });
  });

  it('keeps its ID in every attempt and is signed with the time of each', async () => {
    let now = new Date('2026-11-21T08:00:00.900Z');
    const sender = createWebhook({
      url: receiver.url,
      secrets: [secret],
      clock: { now: () => now },
    });
    await sender.deliver(NOTIFICATION);
    now = new Date('2026-11-21T09:00:00Z');
    await sender.deliver(NOTIFICATION);
    const ids = receiver.received.map(({ headers }) => [
      headers['webhook-id'],
      headers['webhook-timestamp'],
    ]);
    expect(ids).toEqual([
      [NOTIFICATION.id, '1795248000'],
      [NOTIFICATION.id, '1795251600'],
    ]);
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-signature']);
    expect(first).not.toBe(second);
  });
});

describe('a response', () => {
  const status =
    (code: number, headers = {}) =>
    (response: ServerResponse): void => {
      response.writeHead(code, headers).end('a body that contains in-the-address');
    };

  it.each([200, 202, 204, 299])('of %i is a delivery', async (code) => {
    receiver.respondWith(status(code));
    expect(await webhook().deliver(NOTIFICATION)).toEqual({ kind: 'delivered' });
  });

  it.each([
    [301, 'WEBHOOK_REFUSED'],
    [400, 'WEBHOOK_REFUSED'],
    [401, 'WEBHOOK_REFUSED'],
    [404, 'WEBHOOK_REFUSED'],
    [410, 'WEBHOOK_GONE'],
    [408, 'WEBHOOK_UNAVAILABLE'],
    [425, 'WEBHOOK_UNAVAILABLE'],
    [429, 'WEBHOOK_UNAVAILABLE'],
    [500, 'WEBHOOK_UNAVAILABLE'],
    [502, 'WEBHOOK_UNAVAILABLE'],
    [504, 'WEBHOOK_UNAVAILABLE'],
  ])('of %i is %s', async (code, failure) => {
    receiver.respondWith(status(code, { location: receiver.url }));
    expect(await webhook().deliver(NOTIFICATION)).toEqual({
      kind: 'failed',
      code: failure,
      message: `The webhook returned ${code}.`,
    });
    expect(receiver.received).toHaveLength(1); // no redirect is followed
  });

  it.each([
    ['30', 30_000],
    ['Sat, 21 Nov 2026 08:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', undefined],
    ['soon', undefined],
  ])('with Retry-After: %s requests a delay of %p ms', async (header, retryAfterMs) => {
    receiver.respondWith(status(503, { 'retry-after': header }));
    const sender = createWebhook({
      url: receiver.url,
      secrets: [secret],
      clock: { now: () => new Date('2026-11-21T08:00:00Z') },
    });
    expect(await sender.deliver(NOTIFICATION)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook returned 503.',
      ...(retryAfterMs && { retryAfterMs }),
    });
  });

  it('that times out or is interrupted is reported without the URL', async () => {
    receiver.respondWith(() => undefined);
    expect(await webhook({ timeoutMs: 100 }).deliver(NOTIFICATION)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook did not respond: it took longer than 0.1 s.',
    });
    receiver.respondWith((response) => response.destroy());
    expect(await webhook().deliver(NOTIFICATION)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook did not respond: UND_ERR_SOCKET.',
    });
    const closed = await aWebhookReceiver();
    await closed.close();
    expect(await webhook({ url: closed.url }).deliver(NOTIFICATION)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook did not respond: ECONNREFUSED.',
    });
  });

  it('of many megabytes is not read', async () => {
    receiver.respondWith((response) => {
      response.writeHead(200);
      const writeChunks = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', writeChunks);
      writeChunks();
    });
    expect(await webhook().deliver(NOTIFICATION)).toEqual({ kind: 'delivered' });
  });
});
