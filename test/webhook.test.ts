import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { composeWorker } from '../src/composition/worker.js';
import { readConfig } from '../src/config/config.js';
import { gatewayWith } from './fixtures/gateway.js';
import { aReceiver } from './fixtures/webhook-receiver.js';

test('what a change over an interface notifies of reaches the webhook of the settings', async () => {
  const receiver = await aReceiver();
  const NOTIFY_WEBHOOK_SECRET = `whsec_${randomBytes(24).toString('base64')}`;
  const config = readConfig({ NOTIFY_WEBHOOK_URL: receiver.url, NOTIFY_WEBHOOK_SECRET });
  const gateway = await gatewayWith({ webhookUrl: config.webhookUrl });
  const worker = composeWorker(
    config,
    { ...gateway.db, embedded: false },
    { log: pino({ level: 'silent' }) },
  );
  try {
    const { id: workspaceId, ownerId } = await gateway.records.aWorkspace({
      requiresApproval: true,
    });
    const owner = await gateway.records.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
    const editor = await gateway.records.aViewer({ workspaceId, postActions: true });
    const post = await gateway.records.aPost({ by: owner });
    worker.start();
    const arrived = receiver.next();
    expect(
      (
        await gateway.v1('PUT', `/posts/${post.id}`, {
          as: editor,
          body: { post: { text: 'New' } },
        })
      ).status,
    ).toBe(200);
    const { body, headers } = await arrived;
    const {
      body: { data },
    } = await gateway.graphql(
      '{ viewer { notifications(first: 1) { nodes { id kind post { id } } } } }',
      {},
      { as: owner },
    );
    const [note] = data.viewer.notifications.nodes;
    expect(
      new Webhook(NOTIFY_WEBHOOK_SECRET).verify(body, headers as Record<string, string>),
    ).toMatchObject({
      type: `notification.${note.kind}`,
      data: { id: note.id, workspace_id: workspaceId, user_id: ownerId, post_id: note.post.id },
    });
  } finally {
    await worker.stop(5_000);
    await gateway.close();
    await receiver.close();
  }
});
