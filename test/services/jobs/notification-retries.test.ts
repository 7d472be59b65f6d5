import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { KeyedViewer } from '../../fixtures/records.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { createWebhook } from '../../../src/networks/webhook.js';
import { systemClock } from '../../../src/services/clock.js';
import { testWorker, type TestWorker } from '../../fixtures/test-worker.js';
import { aWebhookReceiver, type ReceivedWebhook } from '../../fixtures/webhook-receiver.js';
import { updatedPost } from '../../fixtures/services.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

let receiver: Awaited<ReturnType<typeof aWebhookReceiver>>;
let worker: TestWorker;
let owner: KeyedViewer;
let editor: KeyedViewer;
beforeAll(async () => {
  receiver = await aWebhookReceiver();
  worker = await testWorker({
    webhook: createWebhook({ url: receiver.url, secrets: [secret], clock: systemClock }),
  });
});
beforeEach(async () => {
  await worker.clearJobs();
  receiver.reset();
  const { id: workspaceId, ownerId } = await worker.aWorkspace({ requiresApproval: true });
  owner = await worker.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  editor = await worker.aViewer({ workspaceId, postActions: true });
});
afterAll(async () => {
  await receiver.close();
  await worker.database.drop();
});

const verified = ({ body, headers }: ReceivedWebhook) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, string>;
  };
const jobs = () =>
  worker.sql<{ id: string; notification_id: string }>(
    "SELECT id, notification_id FROM job WHERE kind = 'notification'",
  );

/** A change that needs the owner's approval, and the job of its notification. */
async function aNotification(): Promise<{ post: Post; job: string }> {
  const post = await worker.aPost({ by: owner, text: 'Nobody outside may read this' });
  updatedPost(await worker.update(editor, post, { text: 'Nor this, which is new' }));
  const [job] = await jobs();
  return { post, job: job!.id };
}
const status = (code: number, headers = {}) =>
  receiver.respondWith((response) => {
    response.writeHead(code, headers).end();
  });

describe('a delivery that the receiver defers', () => {
  it.each([[500], [429], [408]])(
    '(%i) is retried with the same id, after a pause',
    async (code) => {
      const { job } = await aNotification();
      status(code);
      expect(await worker.runDueJobs()).toEqual(['retried']);
      const { due_in: pause, ...row } = await worker.job(job);
      expect(row).toMatchObject({ status: 'working', attempts: 1, failures: [], leased: false });
      expect(pause).toBeGreaterThan(4);
      expect(pause).toBeLessThanOrEqual(5);
      expect(await worker.runDueJobs()).toEqual([]);

      receiver.respondWith((response) => response.writeHead(200).end());
      await worker.makeJobsDue();
      expect(await worker.runDueJobs()).toEqual(['completed']);
      const [first, second] = receiver.received;
      expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id']);
      expect(verified(first!)).toEqual(verified(second!));
      expect(await worker.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
    },
  );

  it('waits for the requested pause', async () => {
    const { job } = await aNotification();
    status(503, { 'retry-after': '3600' });
    await worker.runDueJobs();
    expect((await worker.job(job)).due_in).toBeGreaterThan(3_590);
  });

  it('fails after the last attempt, with the reason', async () => {
    const { post, job } = await aNotification();
    status(502);
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(await worker.runDueJobs()).toEqual(['retried']);
      await worker.makeJobsDue();
    }
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      attempts: 10,
      failures: [
        { id: post.id, code: 'WEBHOOK_UNAVAILABLE', message: 'The webhook returned 502.' },
      ],
    });
  });
});
