import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { KeyedViewer } from '../fixtures/records.js';
import { POSTS_ALONE } from '../../src/domain/changes/change.js';
import type { Post } from '../../src/domain/posts/post.js';
import { createWebhook } from '../../src/networks/webhook.js';
import { createDeliveries } from '../../src/services/jobs/deliver-notification.js';
import { createNotificationStore } from '../../src/persistence/jobs/notification-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { systemClock } from '../../src/services/random-ids.js';
import { aNightShift, type NightShift } from '../fixtures/test-worker.js';
import { aReceiver, type Received } from '../fixtures/webhook-receiver.js';
import { updated } from '../fixtures/services.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

let receiver: Awaited<ReturnType<typeof aReceiver>>;
let night: NightShift;
let owner: KeyedViewer;
let editor: KeyedViewer;
beforeAll(async () => {
  receiver = await aReceiver();
  night = await aNightShift({
    webhook: createWebhook({ url: receiver.url, secrets: [secret], clock: systemClock }),
  });
});
beforeEach(async () => {
  await night.clear();
  receiver.reset();
  const { id: workspaceId, ownerId } = await night.aWorkspace({ requiresApproval: true });
  owner = await night.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  editor = await night.aViewer({ workspaceId, postActions: true });
});
afterAll(async () => {
  await receiver.close();
  await night.database.drop();
});

const verified = ({ body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, string>;
  };
const jobs = () =>
  night.sql<{ id: string; notification_id: string }>(
    "SELECT id, notification_id FROM job WHERE kind = 'notification'",
  );
const notes = () =>
  night.sql<{ id: string; user_id: string; created_at: Date }>(
    'SELECT id, user_id, created_at FROM notification WHERE workspace_id = $1',
    owner.workspace.id,
  );

/** A change that needs the owner's approval, and the job that tells them. */
async function aNotification(): Promise<{ post: Post; job: string }> {
  const post = await night.aPost({ by: owner, text: 'Nobody outside may read this' });
  updated(await night.update(editor, post, { text: 'Nor this, which is new' }));
  const [job] = await jobs();
  return { post, job: job!.id };
}
const status = (code: number, headers = {}) =>
  receiver.answers((response) => {
    response.writeHead(code, headers).end();
  });

describe('a notification', () => {
  it('is delivered by a job of the change that made it: signed, with its own id, and without a word of the post', async () => {
    const { post, job } = await aNotification();
    const [note] = await notes();
    expect(await jobs()).toEqual([{ id: job, notification_id: note!.id }]);
    expect(await night.doDue()).toEqual(['completed']);
    expect(receiver.received).toHaveLength(1);
    const [message] = receiver.received;
    expect(message!.headers['webhook-id']).toBe(note!.id);
    expect(verified(message!)).toEqual({
      type: 'notification.approval_needed',
      timestamp: note!.created_at.toISOString(),
      data: {
        id: note!.id,
        workspace_id: owner.workspace.id,
        user_id: owner.user.id,
        post_id: post.id,
      },
    });
    expect(message!.body).not.toMatch(/Nobody|Nor this/);
    expect(await night.job(job)).toMatchObject({
      status: 'completed',
      attempts: 1,
      failures: [],
      finished: true,
    });
    expect(await night.doDue()).toEqual([]);
  });

  it('of a deleted post names the post, and none of its text', async () => {
    const post = await night.aPost({
      by: editor,
      cell: 'scheduled_pending',
      text: 'Nobody outside may read this',
    });
    await night.remove(owner, [post.id]);
    expect(await night.doDue()).toEqual(['completed']);
    expect(verified(receiver.received[0]!)).toMatchObject({
      type: 'notification.pending_post_deleted',
      data: { user_id: editor.user.id, post_id: post.id },
    });
    expect(receiver.received[0]!.body).not.toContain('Nobody');
  });

  it('for several people is a message for each', async () => {
    const admin = await night.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
    await aNotification();
    await night.doDue();
    expect(new Set(receiver.received.map((one) => verified(one).data.user_id))).toEqual(
      new Set([owner.user.id, admin.user.id]),
    );
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });
});

describe('what the receiver does not take now', () => {
  it.each([[500], [429], [408]])(
    '(%i) is offered again with the same id, after a pause',
    async (code) => {
      const { job } = await aNotification();
      status(code);
      expect(await night.doDue()).toEqual(['again']);
      const { due_in: pause, ...row } = await night.job(job);
      expect(row).toMatchObject({ status: 'working', attempts: 1, failures: [], leased: false });
      expect(pause).toBeGreaterThan(4);
      expect(pause).toBeLessThanOrEqual(5);
      expect(await night.doDue()).toEqual([]);

      receiver.answers((response) => response.writeHead(200).end());
      await night.hurry();
      expect(await night.doDue()).toEqual(['completed']);
      const [first, second] = receiver.received;
      expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id']);
      expect(verified(first!)).toEqual(verified(second!));
      expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
    },
  );

  it('waits as long as it asks for', async () => {
    const { job } = await aNotification();
    status(503, { 'retry-after': '3600' });
    await night.doDue();
    expect((await night.job(job)).due_in).toBeGreaterThan(3_590);
  });

  it('ends as failed after the last attempt, with the reason', async () => {
    const { post, job } = await aNotification();
    status(502);
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(await night.doDue()).toEqual(['again']);
      await night.hurry();
    }
    expect(await night.doDue()).toEqual(['failed']);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      attempts: 10,
      failures: [
        { id: post.id, code: 'WEBHOOK_UNAVAILABLE', message: 'The webhook answered 502.' },
      ],
    });
  });
});

describe('there is no delivery', () => {
  it.each([
    [410, 'WEBHOOK_GONE'],
    [400, 'WEBHOOK_REFUSED'],
    [302, 'WEBHOOK_REFUSED'],
  ])('after an answer of %i: %s', async (code, failure) => {
    const { post, job } = await aNotification();
    status(code);
    expect(await night.doDue()).toEqual(['failed']);
    await night.hurry();
    expect(await night.doDue()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ id: post.id, code: failure, message: `The webhook answered ${code}.` }],
    });
  });

  const nothing = async (): Promise<void> => {
    expect([
      await jobs(),
      await notes(),
      await night.sql('SELECT id FROM pgboss.job'),
      await night.doDue(),
      receiver.received,
    ]).toEqual([[], [], [], [], []]);
  };

  it('of a dry run', async () => {
    const post = await night.aPost({ by: owner });
    updated(await night.update(editor, post, { text: 'New' }, { dryRun: true }));
    await nothing();
  });

  it('of a change that was not saved', async () => {
    const post = await night.aPost({ by: owner });
    const note = {
      id: night.ids.prefixed('ntf'),
      userId: owner.user.id,
      kind: 'approval_needed',
      message: 'Look',
      postId: post.databaseId,
    };
    // All is written, and then a row turns out to be another version than the one that was decided on.
    const change = {
      ...POSTS_ALONE,
      workspaceId: owner.workspace.id,
      userId: editor.user.id,
      at: new Date(),
      notifications: [note],
    };
    const outdated = { kind: 'remove', before: { ...post, version: post.version + 1 } } as const;
    expect(await night.store.save({ ...change, posts: [outdated] })).toEqual({ kind: 'conflict' });
    await nothing();
    // Written last, they are taken back with it too where the connection is lost at the end.
    await expect(
      night.store.save({ ...change, posts: [], notifications: [note, note] }),
    ).rejects.toThrow('notification_pkey');
    await nothing();
  });

  it('where no webhook is set: no job is made, and a worker without one says so of those that others made', async () => {
    const { post, job } = await aNotification();
    const { prisma, pool } = night.database;
    const [ticket] = await night.queue.next(1);
    const run = (await night.runs.take(ticket!))!;
    expect(
      await createDeliveries({
        notifications: createNotificationStore(prisma),
        webhook: null,
        chance: () => 0,
      })(run),
    ).toEqual({
      kind: 'failed',
      failures: [
        {
          id: post.id,
          code: 'WEBHOOK_NOT_SET',
          message: 'The worker knows of no webhook: NOTIFY_WEBHOOK_URL is not set there.',
        },
      ],
    });
    expect(run.id).toBe(job);

    await night.clear();
    const note = {
      id: night.ids.prefixed('ntf'),
      userId: owner.user.id,
      kind: 'approval_needed',
      message: 'Look',
      postId: null,
    };
    await createPostStore(pool).save({
      ...POSTS_ALONE,
      workspaceId: owner.workspace.id,
      userId: editor.user.id,
      at: new Date(),
      posts: [],
      notifications: [note],
    });
    expect(await jobs()).toEqual([]);
    expect(await notes()).toContainEqual(expect.objectContaining({ id: note.id }));
  });
});
