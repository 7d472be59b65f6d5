import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { composeWorker } from '../../src/composition/worker.js';
import { readConfig } from '../../src/config/config.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';

test('notifications of changes through the APIs reach the configured webhook', async () => {
  const receiver = await aWebhookReceiver();
  const NOTIFY_WEBHOOK_SECRET = `whsec_${randomBytes(24).toString('base64')}`;
  const config = readConfig({ NOTIFY_WEBHOOK_URL: receiver.url, NOTIFY_WEBHOOK_SECRET });
  const gateway = await gatewayWith({ webhookUrl: config.webhookUrl });
  const worker = composeWorker(
    config,
    { ...gateway.db, isEmbedded: false, isNew: false },
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
    const delivery = receiver.next();
    expect(
      (
        await gateway.v1('PUT', `/posts/${post.id}`, {
          as: editor,
          body: { post: { text: 'New' } },
        })
      ).status,
    ).toBe(200);
    const { body, headers } = await delivery;
    const {
      body: { data },
    } = await gateway.graphql(
      '{ viewer { notifications(first: 1) { nodes { id kind post { id } } } } }',
      {},
      { as: owner },
    );
    const [notification] = data.viewer.notifications.nodes;
    expect(
      new Webhook(NOTIFY_WEBHOOK_SECRET).verify(body, headers as Record<string, string>),
    ).toMatchObject({
      type: `notification.${notification.kind}`,
      data: {
        id: notification.id,
        workspace_id: workspaceId,
        user_id: ownerId,
        post_id: notification.post.id,
      },
    });
  } finally {
    await worker.stop(5_000);
    await gateway.close();
    await receiver.close();
  }
});
