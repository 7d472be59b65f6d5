import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { createWebhook } from '../../src/networks/webhook.js';
import { systemClock } from '../../src/services/random-ids.js';
import { aReceiver, type Received } from '../fixtures/webhook-receiver.js';

const aSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, older] = [aSecret(), aSecret()];
const NOTE = {
  id: 'ntf_0123456789abcdef',
  kind: 'approval_needed',
  createdAt: new Date('2026-11-20T09:00:00.123Z'),
  workspaceId: 'wks_1',
  userId: 'usr_1',
  postId: '65f000000000000000000001',
};

let receiver: Awaited<ReturnType<typeof aReceiver>>;
beforeAll(async () => {
  receiver = await aReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

const webhook = (more: { secrets?: string[]; patienceMs?: number; url?: string } = {}) =>
  createWebhook({ url: receiver.url, secrets: [secret], clock: systemClock, ...more });
const verified = (message: Received, by = secret): unknown =>
  new Webhook(by).verify(message.body, message.headers as Record<string, string>);

describe('a message', () => {
  it('is signed so that the specification’s own verifier takes it, and says who is to look at what', async () => {
    expect(await webhook().deliver(NOTE)).toEqual({ kind: 'delivered' });
    const [message] = receiver.received;
    expect(message).toMatchObject({
      method: 'POST',
      path: '/hooks?token=in-the-address',
      headers: { 'content-type': 'application/json', 'webhook-id': NOTE.id },
    });
    expect(verified(message!)).toEqual({
      type: 'notification.approval_needed',
      timestamp: '2026-11-20T09:00:00.123Z',
      data: { id: NOTE.id, workspace_id: 'wks_1', user_id: 'usr_1', post_id: NOTE.postId },
    });
  });

  it('is refused by the verifier with another secret, another body, another id or an old time', async () => {
    await webhook().deliver(NOTE);
    const [message] = receiver.received as [Received];
    const { headers } = message;
    expect(() => verified(message, older)).toThrow(WebhookVerificationError);
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

  it('is signed with each of several secrets, so that a receiver can change', async () => {
    await webhook({ secrets: [secret, older] }).deliver(NOTE);
    for (const one of [secret, older])
      expect(verified(receiver.received[0]!, one)).toMatchObject({ data: { id: NOTE.id } });
  });

  it('keeps its id at every attempt and is signed for the moment of each', async () => {
    let now = new Date('2026-11-21T08:00:00.900Z');
    const sender = createWebhook({
      url: receiver.url,
      secrets: [secret],
      clock: { now: () => now },
    });
    await sender.deliver(NOTE);
    now = new Date('2026-11-21T09:00:00Z');
    await sender.deliver(NOTE);
    const heads = receiver.received.map(({ headers }) => [
      headers['webhook-id'],
      headers['webhook-timestamp'],
    ]);
    expect(heads).toEqual([
      [NOTE.id, '1795248000'],
      [NOTE.id, '1795251600'],
    ]);
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-signature']);
    expect(first).not.toBe(second);
  });
});

describe('an answer', () => {
  const status =
    (code: number, headers = {}) =>
    (response: ServerResponse): void => {
      response.writeHead(code, headers).end('what it says about in-the-address');
    };

  it.each([200, 202, 204, 299])('of %i is a delivery', async (code) => {
    receiver.answers(status(code));
    expect(await webhook().deliver(NOTE)).toEqual({ kind: 'delivered' });
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
    receiver.answers(status(code, { location: receiver.url }));
    expect(await webhook().deliver(NOTE)).toEqual({
      kind: 'failed',
      code: failure,
      message: `The webhook answered ${code}.`,
    });
    expect(receiver.received).toHaveLength(1); // no redirect is followed
  });

  it.each([
    ['30', 30_000],
    ['Sat, 21 Nov 2026 08:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', undefined],
    ['soon', undefined],
  ])('with Retry-After: %s asks for a pause of %p ms', async (header, retryAfterMs) => {
    receiver.answers(status(503, { 'retry-after': header }));
    const sender = createWebhook({
      url: receiver.url,
      secrets: [secret],
      clock: { now: () => new Date('2026-11-21T08:00:00Z') },
    });
    expect(await sender.deliver(NOTE)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook answered 503.',
      ...(retryAfterMs && { retryAfterMs }),
    });
  });

  it('that does not come in time, or is cut off, is told without the address', async () => {
    receiver.answers(() => undefined);
    expect(await webhook({ patienceMs: 100 }).deliver(NOTE)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook gave no answer: it took longer than 0.1 s.',
    });
    receiver.answers((response) => response.destroy());
    expect(await webhook().deliver(NOTE)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook gave no answer: UND_ERR_SOCKET.',
    });
    const gone = await aReceiver();
    await gone.close();
    expect(await webhook({ url: gone.url }).deliver(NOTE)).toEqual({
      kind: 'failed',
      code: 'WEBHOOK_UNAVAILABLE',
      message: 'The webhook gave no answer: ECONNREFUSED.',
    });
  });

  it('of many megabytes is not read', async () => {
    receiver.answers((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await webhook().deliver(NOTE)).toEqual({ kind: 'delivered' });
  });
});
