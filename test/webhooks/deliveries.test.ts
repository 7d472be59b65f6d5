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

const gateway = forAllTests(() => webhookGateway(), 'close');
beforeAll(async () => {
  gateway.startWorker();
});
const receiver = forEachTest(() => aWebhookReceiver());
afterEach(async () => {
  await gateway.db.pool.query('DELETE FROM webhook');
  await receiver.close();
});
const update = (id: string, post: object) => gateway.v1('PUT', `/posts/${id}`, { body: { post } });

describe('a webhook', () => {
  it('receives the events of its types, signed, with IDs and states but no text', async () => {
    const post = await gateway.records.aPost({ by: gateway.owner, text: 'A secret plan' });
    const { id, secret } = await createWebhook(gateway, receiver.url, { types: ['POST_UPDATED'] });
    expect((await update(post.id, { text: 'Another secret plan' })).status).toBe(200);
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    const [message] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    const { rows } = await gateway.db.pool.query<{ state: string }>(
      'SELECT version, account_id, network FROM post WHERE doc_id = $1',
      [post.id],
    );
    const [row] = rows as any[];
    const [delivery] = await deliveriesOf(gateway, id);
    expect(verified(secret, message!)).toEqual({
      type: 'post.updated',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        event_id: delivery.event_id,
        workspace_id: gateway.owner.workspace.id,
        post_id: post.id,
        version: row.version,
        state_before: 'scheduled',
        state_after: 'scheduled',
        network: row.network,
        post_link: null,
        error_code: null,
        account_id: row.account_id,
        user_id: gateway.owner.user.id,
        api: 'rest',
      },
    });
    expect(message!.headers['webhook-id']).toBe(delivery.id);
    expect(delivery).toMatchObject({
      event_type: 'post.updated',
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      response_body: '',
      error: null,
      next_attempt_at: null,
    });
    expect(message!.body).not.toContain('secret plan');
  });

  it('receives nothing about private drafts, and sees one that becomes public as new', async () => {
    const { id, secret } = await createWebhook(gateway, receiver.url, {
      types: ['POST_CREATED', 'POST_UPDATED', 'POST_DELETED', 'LABEL_CHANGED'],
    });
    const draft = await gateway.records.aPost({
      by: gateway.owner,
      storedState: 'draft_private_undated',
    });
    await update(draft.id, { text: 'Private', labels: [{ name: 'secret project' }] });
    await gateway.v1('DELETE', `/posts?post_ids[]=${draft.id}`);
    const other = await gateway.records.aPost({
      by: gateway.owner,
      storedState: 'draft_private_undated',
    });
    await gateway.graphql(
      'mutation ($ids: [ID!]!) { schedulePosts(input: { ids: $ids, mode: DRAFT, visibility: PUBLIC }) { results { done message } } }',
      { ids: [other.id] },
    );
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    expect(receiver.received.map((message) => verified(secret, message))).toMatchObject([
      {
        type: 'post.updated',
        data: { post_id: other.id, state_before: null, state_after: 'draft_public' },
      },
    ]);
  });

  it('is told that a post which became a private draft is deleted, also if it missed that', async () => {
    const { id, secret } = await createWebhook(gateway, receiver.url, { types: ['POST_DELETED'] });
    const posts = [
      await gateway.records.aPost({ by: gateway.owner, version: 7 }),
      await gateway.records.aPost({ by: gateway.owner, version: 7 }),
    ];
    const hide = async ({ id: postId }: { id: string }) =>
      gateway.graphql(
        'mutation ($ids: [ID!]!) { schedulePosts(input: { ids: $ids, mode: DRAFT, visibility: PRIVATE }) { results { done message } } }',
        { ids: [postId] },
      );
    const told = () =>
      receiver.received
        .map((message) => verified(secret, message) as { type: string; data: any })
        .map(({ type, data }) => [
          type,
          data.post_id,
          data.version,
          data.state_before,
          data.state_after,
        ]);
    const deletionOf = (post: { id: string }) => ['post.deleted', post.id, 8, 'scheduled', null];
    const since = new Date(Date.now() - 1_000).toISOString();
    await hide(posts[0]!);
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    expect(told()).toEqual([deletionOf(posts[0]!)]);
    // What happens to it from now on, only its creator knows.
    await update(posts[0]!.id, { text: 'Private' });
    await gateway.v1('PUT', `/webhooks/${id}`, { body: { status: 'disabled' } });
    await hide(posts[1]!);
    await gateway.v1('PUT', `/webhooks/${id}`, { body: { status: 'active' } });
    await gateway.v1('POST', `/webhooks/${id}/redeliver`, { body: { since } });
    await waitFor(() => receiver.received.length === 3);
    expect(told()).toEqual(expect.arrayContaining([posts[0]!, posts[1]!].map(deletionOf)));
    expect(told().filter(([, postId]) => postId === posts[0]!.id)).toHaveLength(2);
  });

  it('is tested with a message, and tells its result in the log', async () => {
    const { id, secret } = await createWebhook(gateway, receiver.url);
    receiver.respondWith((response) => response.writeHead(500).end('a'.repeat(5_000)));
    const { body } = await gateway.graphql(
      'mutation ($id: ID!) { testWebhook(input: { id: $id, clientMutationId: "c" }) { clientMutationId userErrors { message } delivery { id status eventType eventId attempts nextAttemptAt } } }',
      { id },
    );
    expect(body.data.testWebhook).toMatchObject({
      clientMutationId: 'c',
      userErrors: [],
      delivery: { status: 'PENDING', eventType: 'WEBHOOK_TEST', eventId: null, attempts: 0 },
    });
    await waitForDeliveries(
      gateway,
      id,
      ({ attempts, last_attempt_at: at }) => attempts === 1 && at,
    );
    expect(verified(secret, receiver.received[0]!)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: id, workspace_id: gateway.owner.workspace.id },
    });
    expect(await deliveriesOf(gateway, id)).toMatchObject([
      {
        id: body.data.testWebhook.delivery.id,
        status: 'pending',
        response_status: 500,
        response_body: 'a'.repeat(1_024),
        next_attempt_at: expect.any(String),
      },
    ]);
  });

  it('sends messages signed with both secrets during the grace of a rotation', async () => {
    const { id, secret } = await createWebhook(gateway, receiver.url);
    const rotate = async (graceHours: number): Promise<string> =>
      (
        await gateway.graphql(
          'mutation ($id: ID!, $graceHours: Int!) { rotateWebhookSecret(input: { id: $id, graceHours: $graceHours }) { secret webhook { id } userErrors { message } } }',
          { id, graceHours },
        )
      ).body.data.rotateWebhookSecret.secret;
    const test = async () => {
      const next = receiver.next();
      await gateway.v1('POST', `/webhooks/${id}/test`);
      return next;
    };
    const second = await rotate(24);
    const signedTwice = await test();
    for (const valid of [secret, second])
      expect(verified(valid, signedTwice)).toMatchObject({ type: 'webhook.test' });
    const third = await rotate(0);
    const signedOnce = await test();
    expect(verified(third, signedOnce)).toMatchObject({ type: 'webhook.test' });
    for (const invalid of [secret, second]) expect(() => verified(invalid, signedOnce)).toThrow();
  });

  it('sends messages again by ID, and all events since a time, with the same ID', async () => {
    const since = new Date().toISOString();
    const { id, secret } = await createWebhook(gateway, receiver.url, { types: ['POST_UPDATED'] });
    const post = await gateway.records.aPost({ by: gateway.owner });
    await update(post.id, { text: 'One' });
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    const [first] = await deliveriesOf(gateway, id);
    const redeliver = async (input: object) => {
      const { body } = await gateway.graphql(
        'mutation ($input: RedeliverWebhooksInput!) { redeliverWebhooks(input: $input) { job { id kind } userErrors { code field message } } }',
        { input: { webhookId: id, ...input } },
      );
      return body.data.redeliverWebhooks;
    };
    expect(await redeliver({ deliveryIds: [first.id] })).toMatchObject({
      job: { kind: 'WEBHOOK' },
      userErrors: [],
    });
    await waitFor(() => receiver.received.length === 2);
    expect(receiver.received[1]!.headers['webhook-id']).toBe(first.id);
    expect(verified(secret, receiver.received[1]!)).toEqual(
      verified(secret, receiver.received[0]!),
    );

    // An event that happens while the webhook is disabled has no delivery until it is asked for.
    const setStatus = (status: string) =>
      gateway.v1('PUT', `/webhooks/${id}`, { body: { status } });
    expect((await setStatus('disabled')).body.status).toBe('disabled');
    await update(post.id, { text: 'Two' });
    expect((await setStatus('active')).body.status).toBe('active');
    await redeliver({ since });
    await waitFor(() => receiver.received.length >= 4);
    const messages = receiver.received.map((message) => verified(secret, message));
    const versions = messages.map(({ data }) => data.version);
    expect(versions.toSorted()).toEqual([2, 2, 2, 3]);
    await waitForDeliveries(gateway, id, ({ status }) => status === 'delivered');
    expect(await deliveriesOf(gateway, id)).toHaveLength(2);
  });

  it('stays when the user who created it leaves', async () => {
    const admin = await gateway.records.aViewer({
      workspaceId: gateway.owner.workspace.id,
      role: 'admin',
    });
    const { id, secret } = await createWebhook(gateway, receiver.url, { as: admin });
    await gateway.db.pool.query('DELETE FROM membership WHERE user_id = $1', [admin.user.id]);
    const next = receiver.next();
    await gateway.v1('POST', `/webhooks/${id}/test`);
    expect(verified(secret, await next)).toMatchObject({ type: 'webhook.test' });
  });
});
