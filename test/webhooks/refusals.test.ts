import { aWebhookReceiver } from '../fixtures/webhook-receiver.js';
import { gatewayWith } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { createWebhook, webhookGateway } from './webhook-gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';

const gateway = forAllTests(() => webhookGateway(), 'close');
afterEach(() => gateway.db.pool.query('DELETE FROM webhook'));
const URL = 'https://hooks.example.com/posts';
const rows = async () => (await gateway.db.pool.query('SELECT * FROM webhook ORDER BY id')).rows;

const viaGraphql = (input: object, as?: KeyedViewer) =>
  gateway.graphql(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } secret userErrors { code field message } } }',
    { input },
    as && { as },
  );

describe('a webhook is refused', () => {
  it.each([
    ['not a URL', 'input.url', 'url'],
    ['https://user:password@hooks.example.com/', 'input.url', 'url'],
    ['ftp://hooks.example.com/', 'input.url', 'url'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'input.url', 'url'],
  ])('with the malformed URL %.40s', async (url) => {
    const { body } = await viaGraphql({ url, types: ['POST_CREATED'] });
    expect(body.errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', problems: [{ path: ['input', 'url'] }] } },
    ]);
    const v1 = await gateway.v1('POST', '/webhooks', { body: { url, types: ['post.created'] } });
    expect([v1.status, v1.body.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(v1.body.errors[0]).toMatch(/^url: /);
    expect(await rows()).toEqual([]);
  });

  it.each([
    [
      'http://hooks.example.com/',
      'url cannot be used: http://hooks.example.com does not start with https://.',
    ],
    ['https://10.0.0.1/', 'url cannot be used: 10.0.0.1 is not a public address.'],
    ['https://[fd00::1]/', 'url cannot be used: [fd00::1] is not a public address.'],
    [
      'https://169.254.169.254/latest',
      'url cannot be used: 169.254.169.254 is not a public address.',
    ],
  ])('with the address %s', async (url, message) => {
    const { body } = await viaGraphql({ url, types: ['POST_CREATED'] });
    expect(body.data.createWebhook).toEqual({
      webhook: null,
      secret: null,
      userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'url'], message }],
    });
    const v1 = await gateway.v1('POST', '/webhooks', { body: { url, types: ['post.created'] } });
    expect([v1.status, v1.body.errors]).toEqual([422, [message]]);
    expect(await rows()).toEqual([]);
  });

  it('with an address of this machine, unless it is allowed for tests', async () => {
    const strict = await gatewayWith();
    for (const url of ['http://127.0.0.1:80/', 'https://localhost/', 'https://[::1]/']) {
      const { status, body } = await strict.v1('POST', '/webhooks', {
        body: { url, types: ['post.created'] },
      });
      expect([status, body.code]).toEqual([422, 'RULE_VIOLATION']);
    }
    await strict.close();
  });

  it('without types, or with unknown ones', async () => {
    expect((await viaGraphql({ url: URL, types: [] })).body.errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', problems: [{ path: ['input', 'types'] }] } },
    ]);
    expect((await viaGraphql({ url: URL, types: ['POST_EATEN'] })).body.errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    for (const types of [[], ['post.eaten'], 'post.created', [null]]) {
      const { status, body } = await gateway.v1('POST', '/webhooks', { body: { url: URL, types } });
      expect([status, body.code]).toEqual([400, 'BAD_USER_INPUT']);
      expect(body.errors[0]).toMatch(/^types/);
    }
    expect(await rows()).toEqual([]);
  });

  it('if the workspace has ten, also by concurrent requests', async () => {
    const results = await Promise.all(
      Array.from({ length: 14 }, () => viaGraphql({ url: URL, types: ['POST_CREATED'] })),
    );
    const errors = results.flatMap(({ body }) => body.data.createWebhook.userErrors);
    expect(errors).toEqual(
      Array.from({ length: 4 }, () => ({
        code: 'RULE_VIOLATION',
        field: ['input', 'url'],
        message: 'The workspace has 10 webhooks, which is the maximum. Delete one first.',
      })),
    );
    expect(await rows()).toHaveLength(10);
  });

  it('if secrets cannot be stored', async () => {
    const keyless = await gatewayWith({ credentialsKeys: [] });
    const { status, body } = await keyless.v1('POST', '/webhooks', {
      body: { url: URL, types: ['post.created'] },
    });
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(body.message).toContain('CREDENTIALS_KEY');
    await keyless.close();
  });
});

describe('webhooks are managed', () => {
  const READ = '{ webhooks { id } }';

  it('by owners and admins only', async () => {
    const { id } = await createWebhook(gateway, URL);
    const before = await rows();
    const workspaceId = gateway.owner.workspace.id;
    const admin = await gateway.records.aViewer({ workspaceId, role: 'admin' });
    expect((await gateway.graphql(READ, {}, { as: admin })).body.data.webhooks).toEqual([{ id }]);
    for (const role of ['editor', 'viewer'] as const) {
      const as = await gateway.records.aViewer({ workspaceId, role, postActions: true });
      expect((await gateway.graphql(READ, {}, { as })).body.errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
      expect(
        (await gateway.graphql('query ($id: ID!) { node(id: $id) { id } }', { id }, { as })).body
          .data,
      ).toEqual({ node: null });
      const { body } = await viaGraphql({ url: URL, types: ['POST_CREATED'] }, as);
      expect(body.data.createWebhook.userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
      for (const [method, path, sent] of CALLS(id))
        expect((await gateway.v1(method, path, { as, ...(sent && { body: sent }) })).status).toBe(
          403,
        );
    }
    expect(await rows()).toEqual(before);
  });

  it('with a key that has the scope', async () => {
    const { id } = await createWebhook(gateway, URL);
    const before = await rows();
    const key = await gateway.records.aKey({
      userId: gateway.owner.user.id,
      scopes: ['posts', 'accounts', 'media', 'workspaces'],
    });
    const options = { key };
    for (const [method, path, sent] of CALLS(id)) {
      const { status, body } = await gateway.v1(method, path, {
        ...options,
        ...(sent && { body: sent }),
      });
      expect([status, body.code]).toEqual([403, 'MISSING_SCOPE']);
    }
    expect((await gateway.graphql(READ, {}, options)).body.errors).toMatchObject([
      { extensions: { code: 'MISSING_SCOPE' } },
    ]);
    expect(await rows()).toEqual(before);
  });

  it('of the own workspace only: others do not exist', async () => {
    const stranger = await gateway.records.aViewer({ name: 'Otto' });
    const { id } = await createWebhook(gateway, URL, { as: stranger });
    const before = await rows();
    for (const wrong of [id, 'whk_0000000000000000', 'nonsense', '%00'])
      for (const [method, path, sent] of CALLS(wrong).filter(([, called]) =>
        called.includes(wrong),
      )) {
        const { status, body } = await gateway.v1(method, path, sent ? { body: sent } : {});
        expect([method, path, status, body.code]).toEqual([method, path, 404, 'WEBHOOK_NOT_FOUND']);
      }
    expect(
      (await gateway.graphql('query ($id: ID!) { node(id: $id) { id } }', { id })).body.data,
    ).toEqual({ node: null });
    expect(await rows()).toEqual(before);
  });
});

/** A call of every route. */
const CALLS = (id: string): [string, string, object?][] => [
  ['GET', '/webhooks'],
  ['POST', '/webhooks', { url: URL, types: ['post.created'] }],
  ['GET', `/webhooks/${id}`],
  ['PUT', `/webhooks/${id}`, { status: 'disabled' }],
  ['POST', `/webhooks/${id}/secret`, { grace_hours: 1 }],
  ['POST', `/webhooks/${id}/test`],
  ['GET', `/webhooks/${id}/deliveries`],
  ['POST', `/webhooks/${id}/redeliver`, { delivery_ids: ['dlv_1'] }],
  ['DELETE', `/webhooks/${id}`],
];

describe('messages are not sent again', () => {
  it.each([
    [{}, 400, /^since: /],
    [{ delivery_ids: ['dlv_1'], since: '2026-11-20T00:00:00Z' }, 400, /^since: /],
    [{ delivery_ids: [] }, 400, /^delivery_ids: must have at least 1/],
    [{ since: 'yesterday' }, 400, /^since: /],
    [{ since: '2020-01-01T00:00:00Z' }, 422, /^since must be a time within the last 30 days\.$/],
    [{ delivery_ids: ['dlv_1'] }, 422, /^The webhook has no delivery "dlv_1"\.$/],
  ])('for %j', async (body, status, message) => {
    const { id } = await createWebhook(gateway, URL);
    const response = await gateway.v1('POST', `/webhooks/${id}/redeliver`, { body });
    expect(response.status).toBe(status);
    expect(response.body.errors[0]).toMatch(message);
    expect((await gateway.db.pool.query('SELECT FROM webhook_redelivery')).rowCount).toBe(0);
  });

  it('of another webhook', async () => {
    const receiver = await aWebhookReceiver();
    const [own, other] = [
      await createWebhook(gateway, receiver.url),
      await createWebhook(gateway, receiver.url),
    ];
    const { body: delivery } = await gateway.v1('POST', `/webhooks/${other.id}/test`);
    const { status } = await gateway.v1('POST', `/webhooks/${own.id}/redeliver`, {
      body: { delivery_ids: [delivery.id] },
    });
    expect(status).toBe(422);
    await receiver.close();
  });
});
