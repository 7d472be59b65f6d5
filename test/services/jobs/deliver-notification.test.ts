import type { KeyedViewer } from '../../fixtures/records.js';
import { EMPTY_CHANGE } from '../../../src/domain/changes/change.js';
import { toActor } from '../../../src/domain/events/actor.js';
import { createNotificationDelivery } from '../../../src/services/jobs/deliver-notification.js';
import { createNotificationStore } from '../../../src/persistence/jobs/notification-store.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import type { TestWorker } from '../../fixtures/test-worker.js';
import { updatedPost } from '../../fixtures/services.js';
import {
  createNotification,
  openNotificationEnvironment,
  verified,
  type NotificationEnvironment,
} from './notification-environment.js';

let environment: NotificationEnvironment;
let receiver: NotificationEnvironment['receiver'];
let worker: TestWorker;
let owner: KeyedViewer;
let editor: KeyedViewer;
beforeAll(async () => {
  environment = await openNotificationEnvironment();
  ({ receiver, worker } = environment);
});
beforeEach(async () => {
  ({ owner, editor } = await environment.createMembers());
});
afterAll(() => environment.close());

const jobs = () => environment.jobs();
const aNotification = () => createNotification(environment, { owner, editor });
const notes = () =>
  worker.sql<{ id: string; user_id: string; created_at: Date }>(
    'SELECT id, user_id, created_at FROM notification WHERE workspace_id = $1',
    owner.workspace.id,
  );

const status = (code: number, headers = {}) =>
  receiver.respondWith((response) => {
    response.writeHead(code, headers).end();
  });

describe('a notification', () => {
  it('is delivered by a job of the change that created it: signed, with its own id, and without post content', async () => {
    const { post, job } = await aNotification();
    const [note] = await notes();
    expect(await jobs()).toEqual([{ id: job, notification_id: note!.id }]);
    expect(await worker.runDueJobs()).toEqual(['completed']);
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
    expect(await worker.job(job)).toMatchObject({
      status: 'completed',
      attempts: 1,
      failures: [],
      finished: true,
    });
    expect(await worker.runDueJobs()).toEqual([]);
  });

  it('of a deleted post contains the post’s id, but not its text', async () => {
    const post = await worker.aPost({
      by: editor,
      storedState: 'scheduled_pending',
      text: 'Nobody outside may read this',
    });
    await worker.remove(owner, [post.id]);
    expect(await worker.runDueJobs()).toEqual(['completed']);
    expect(verified(receiver.received[0]!)).toMatchObject({
      type: 'notification.pending_post_deleted',
      data: { user_id: editor.user.id, post_id: post.id },
    });
    expect(receiver.received[0]!.body).not.toContain('Nobody');
  });

  it('for several users is one message each', async () => {
    const admin = await worker.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
    await aNotification();
    await worker.runDueJobs();
    expect(new Set(receiver.received.map((one) => verified(one).data.user_id))).toEqual(
      new Set([owner.user.id, admin.user.id]),
    );
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });
});

describe('no delivery', () => {
  it.each([
    [410, 'WEBHOOK_GONE'],
    [400, 'WEBHOOK_REFUSED'],
    [302, 'WEBHOOK_REFUSED'],
  ])('after a response of %i: %s', async (code, failure) => {
    const { post, job } = await aNotification();
    status(code);
    expect(await worker.runDueJobs()).toEqual(['failed']);
    await worker.makeJobsDue();
    expect(await worker.runDueJobs()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ id: post.id, code: failure, message: `The webhook returned ${code}.` }],
    });
  });

  const nothing = async (): Promise<void> => {
    expect([await jobs(), await notes(), await worker.runDueJobs(), receiver.received]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  };

  it('for a dry run', async () => {
    const post = await worker.aPost({ by: owner });
    updatedPost(await worker.update(editor, post, { text: 'New' }, { dryRun: true }));
    await nothing();
  });

  it('for a change that was not saved', async () => {
    const post = await worker.aPost({ by: owner });
    const note = {
      id: worker.ids.prefixed('ntf'),
      userId: owner.user.id,
      kind: 'approval_needed',
      message: 'Look',
      postId: post.databaseId,
    };
    // All is written, and then a row turns out to be another version than the one that was decided
    // on.
    const change = {
      ...EMPTY_CHANGE,
      workspaceId: owner.workspace.id,
      actor: toActor(editor),
      at: new Date(),
      notifications: [note],
    };
    const outdated = { kind: 'delete', before: { ...post, version: post.version + 1 } } as const;
    expect(await worker.store.save({ ...change, posts: [outdated] })).toEqual({ kind: 'conflict' });
    await nothing();
    const nobodys = { ...note, id: worker.ids.prefixed('ntf'), userId: 'usr_none' };
    // Written last, they are taken back with it too where the connection is lost at the end.
    await expect(
      worker.store.save({ ...change, posts: [], notifications: [note, nobodys] }),
    ).rejects.toThrow('notification_user_id_fkey');
    await nothing();
  });

  it('without a webhook: no job is created, and a worker without one fails jobs that others created', async () => {
    const { post, job } = await aNotification();
    const { database } = worker;
    const [run] = await worker.queue.claim(1);
    expect(
      await createNotificationDelivery({
        notifications: createNotificationStore(database),
        webhook: null,
        random: () => 0,
      })(run!),
    ).toEqual({
      kind: 'failed',
      failures: [
        {
          id: post.id,
          code: 'WEBHOOK_NOT_SET',
          message: 'No webhook is configured: NOTIFY_WEBHOOK_URL is not set for the worker.',
        },
      ],
    });
    expect(run!.id).toBe(job);

    await worker.clearJobs();
    const note = {
      id: worker.ids.prefixed('ntf'),
      userId: owner.user.id,
      kind: 'approval_needed',
      message: 'Look',
      postId: null,
    };
    await createPostStore(database).save({
      ...EMPTY_CHANGE,
      workspaceId: owner.workspace.id,
      actor: toActor(editor),
      at: new Date(),
      posts: [],
      notifications: [note],
    });
    expect(await jobs()).toEqual([]);
    expect(await notes()).toContainEqual(expect.objectContaining({ id: note.id }));
  });
});
