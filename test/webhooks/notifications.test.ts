import type { KeyedViewer } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';
import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';
import { createWebhook, verified, webhookGateway } from './webhook-gateway.js';
import { forAllTests, forEachTest } from '../fixtures/lifecycle.js';

let owner: KeyedViewer;
let editor: KeyedViewer;
const gateway = forAllTests(() => webhookGateway(), 'close');
beforeAll(async () => {
  gateway.startWorker();
});
const receiver = forEachTest(() => aWebhookReceiver(), 'close');
beforeEach(async () => {
  const { id: workspaceId, ownerId } = await gateway.records.aWorkspace({ requiresApproval: true });
  owner = await gateway.records.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  editor = await gateway.records.aViewer({ workspaceId, postActions: true });
});
const webhook = forEachTest(() =>
  createWebhook(gateway, receiver.url, {
    types: ['NOTIFICATION_CREATED'],
    as: owner,
  }),
);
const sql = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await gateway.db.pool.query(text, values)).rows as Row[];
const notificationsOf = ({ workspace }: KeyedViewer) =>
  sql<{ id: string; userId: string }>(
    'SELECT id, user_id AS "userId" FROM notification WHERE workspace_id = $1 ORDER BY user_id',
    workspace.id,
  );
const update = (postId: string, query = '') =>
  gateway.v1('PUT', `/posts/${postId}${query}`, {
    as: editor,
    body: { post: { text: 'Nor this, which is new' } },
  });
const messages = async (count: number): Promise<any[]> => {
  await waitFor(async () => receiver.received.length >= count);
  return receiver.received
    .map((message) => verified(webhook.secret, message))
    .toSorted((one, other) => (one.data.user_id < other.data.user_id ? -1 : 1));
};

test('each notification is a message with its user, kind and post, but no text; only its user sees the event', async () => {
  await gateway.records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
  const post = await gateway.records.aPost({ by: owner, text: 'Nobody outside may read this' });
  expect((await update(post.id)).status).toBe(200);
  const received = await messages(2);
  const notifications = await notificationsOf(owner);
  expect(received).toEqual(
    notifications.map(({ id, userId }) => ({
      type: 'notification.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        event_id: expect.any(String),
        workspace_id: owner.workspace.id,
        notification_id: id,
        kind: 'approval_needed',
        post_id: post.id,
        account_id: null,
        user_id: userId,
        api: 'rest',
      },
    })),
  );
  expect(receiver.received.map(({ body }) => body).join()).not.toMatch(/Nobody|Nor this/);
  expect(
    await sql(
      'SELECT record_id AS id, visible_to AS "userId" FROM event WHERE workspace_id = $1 AND type = \'notification.created\' ORDER BY visible_to',
      owner.workspace.id,
    ),
  ).toEqual(notifications);
});

test('the notification of a deleted post has the ID of the post', async () => {
  const post = await gateway.records.aPost({ by: editor, storedState: 'scheduled_pending' });
  expect((await gateway.v1('DELETE', `/posts?post_ids[]=${post.id}`, { as: owner })).status).toBe(
    200,
  );
  expect(await messages(1)).toMatchObject([
    { data: { kind: 'pending_post_deleted', user_id: editor.user.id, post_id: post.id } },
  ]);
});

test('a dry run sends nothing', async () => {
  const post = await gateway.records.aPost({ by: owner });
  expect((await update(post.id, '?dry_run=true')).status).toBe(200);
  expect((await update(post.id)).status).toBe(200);
  expect(await messages(1)).toHaveLength(1);
  expect(await notificationsOf(owner)).toHaveLength(1);
});

test('jobs of earlier releases that delivered notifications end', async () => {
  await sql("INSERT INTO job (id, kind) VALUES ('job_earlier', 'notification')");
  await waitFor(async () => {
    const [job] = await sql<{ status: string }>("SELECT status FROM job WHERE id = 'job_earlier'");
    return job!.status === 'completed';
  });
});
