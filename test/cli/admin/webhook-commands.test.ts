import { randomBytes } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { anOperator } from '../../fixtures/operator.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { aWebhookReceiver } from '../../fixtures/webhook-receiver.js';
import { waitForDeliveries, webhookGateway } from '../../webhooks/webhook-gateway.js';
import { forAllTests, forEachTest } from '../../fixtures/lifecycle.js';

const key = randomBytes(32);
const gateway = forAllTests(() => webhookGateway({ credentialsKeys: [key] }), 'close');
beforeAll(async () => {
  gateway.startWorker();
});
const receiver = forEachTest(() => aWebhookReceiver());
afterEach(async () => {
  await gateway.db.pool.query('DELETE FROM webhook');
  await receiver.close();
});
const { cli, json } = anOperator(() => ({
  DATABASE_URL: gateway.db.url,
  CREDENTIALS_KEY: key.toString('base64'),
  NETWORKS_ALLOW_LOOPBACK: '1',
}));
const workspaceId = (): string => gateway.owner.workspace.id;
const create = (...types: string[]) =>
  json(
    'webhooks',
    'create',
    '--workspace',
    workspaceId(),
    '--url',
    receiver.url,
    '--types',
    ...types,
  );
const rows = async () => (await gateway.db.pool.query('SELECT * FROM webhook')).rows;
const isDelivered = ({ status }: any): boolean => status === 'delivered';
const verify = (secret: string): unknown => {
  const { body, headers } = receiver.received.at(-1)!;
  return new Verifier(secret).verify(body, headers as Record<string, string>);
};

describe('webhooks create and webhooks list', () => {
  it('create a webhook like the APIs, and show its secret once', async () => {
    expect((await cli('webhooks', 'list', '--workspace', workspaceId())).out).toBe(
      'There are no webhooks.',
    );
    const created = await cli(
      'webhooks',
      'create',
      '--workspace',
      workspaceId(),
      '--url',
      receiver.url,
      '--types',
      'post.created',
      'post.failed',
      'post.created',
    );
    const [, id, secret] = /^Created (whk_\w+)\. Secret: (whsec_\S+)$/.exec(created.out)!;
    const { body } = await gateway.v1('GET', `/webhooks/${id}`);
    expect(body).toMatchObject({
      url: receiver.url,
      types: ['post.created', 'post.failed'],
      status: 'active',
    });
    const listed = await cli('webhooks', 'list', '--workspace', workspaceId());
    expect(listed.out).toMatch(
      new RegExp(`^id .*types\\n${id} +active +\\d{4}-.* +post\\.created post\\.failed$`),
    );
    expect(listed.out).not.toContain(secret);
    expect(
      JSON.stringify(await json('webhooks', 'list', '--workspace', workspaceId())),
    ).not.toMatch(/secret|whsec_/);
  });

  it.each([
    [['--url', 'http://hooks.example.com/'], /^error: url cannot be used: .*https:\/\/\.$/],
    [['--url', 'https://10.0.0.1/'], /^error: url cannot be used: 10\.0\.0\.1 is not a public/],
    [['--types', 'post.eaten'], /^error: .*'post\.eaten' is invalid.*Allowed choices are post\./],
    [['--workspace', 'wks_none'], /^error: Workspace "wks_none" does not exist$/],
  ])('refuse %j, and change nothing', async (options, message) => {
    const { code, err } = await cli(
      'webhooks',
      'create',
      '--workspace',
      workspaceId(),
      '--url',
      'https://hooks.example.com/',
      '--types',
      'post.created',
      ...options,
    );
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(message);
    expect(await rows()).toEqual([]);
  });
});

describe('webhooks update and webhooks delete', () => {
  it('change what is named, and delete the webhook', async () => {
    const { id } = await create('post.created');
    expect(await json('webhooks', 'update', id, '--types', 'label.changed')).toMatchObject({
      id,
      url: receiver.url,
      types: ['label.changed'],
      status: 'active',
    });
    expect((await cli('webhooks', 'update', id, '--status', 'disabled')).out).toMatch(
      new RegExp(`\n${id} +disabled .*label\\.changed$`),
    );
    expect(await cli('webhooks', 'delete', id)).toEqual({
      code: 0,
      out: `Deleted ${id}.`,
      err: '',
    });
    expect(await rows()).toEqual([]);
  });

  it('refuse an update without options, and unknown webhooks', async () => {
    const { id } = await create('post.created');
    const before = await rows();
    expect((await cli('webhooks', 'update', id)).err).toContain(
      'Pass at least one of --url, --types and --status',
    );
    for (const args of [
      ['update', 'whk_none', '--status', 'active'],
      ['delete', 'whk_none'],
      ['rotate', 'whk_none'],
      ['test', 'whk_none'],
      ['deliveries', 'whk_none'],
      ['redeliver', 'whk_none', 'dlv_1'],
    ])
      expect(await cli('webhooks', ...args)).toMatchObject({
        code: 1,
        out: '',
        err: 'error: Webhook "whk_none" does not exist',
      });
    expect(await rows()).toEqual(before);
  });
});

describe('webhooks rotate', () => {
  it('signs with both secrets for the grace, and shows the new one once', async () => {
    const { id, secret: first } = await create('post.created');
    const { secret: second } = await json('webhooks', 'rotate', id, '--grace-hours', '48');
    const [{ previous_until: until }] = await rows();
    expect((until.getTime() - Date.now()) / 3_600_000).toBeCloseTo(48, 1);
    await cli('webhooks', 'test', id);
    await waitForDeliveries(gateway, id, isDelivered);
    for (const secret of [first, second])
      expect(verify(secret)).toMatchObject({ type: 'webhook.test' });
    const { out } = await cli('webhooks', 'rotate', id, '--grace-hours', '0');
    expect(out).toMatch(new RegExp(`^The new secret of ${id} is whsec_\\S+$`));
    expect(out).not.toContain(second);
  });

  it('refuses a grace of more than 168 hours', async () => {
    const { id } = await create('post.created');
    for (const hours of ['169', '-1', '1.5', 'x'])
      expect((await cli('webhooks', 'rotate', id, '--grace-hours', hours)).err).toContain(
        'Must be an integer from 0 to 168.',
      );
  });
});

describe('webhooks test, webhooks deliveries and webhooks redeliver', () => {
  it('send a message, list it with its result, and send it again', async () => {
    const { id } = await create('post.created');
    expect((await cli('webhooks', 'deliveries', id)).out).toBe('There are no messages.');
    const { out } = await cli('webhooks', 'test', id);
    const [, delivery] = /^A worker sends the test message (dlv_\w+)\.$/.exec(out)!;
    await waitForDeliveries(gateway, id, isDelivered);
    expect((await cli('webhooks', 'deliveries', id)).out).toMatch(
      new RegExp(`^id .*response\n${delivery} +webhook\\.test +delivered +1 +\\S+ \\S+ +204$`),
    );
    const again = await cli('webhooks', 'redeliver', id, delivery!);
    expect(again.out).toMatch(/^The job job_\w+ sends the messages\.$/);
    await waitFor(() => receiver.received.length === 2);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      delivery,
      delivery,
    ]);
  });

  it('send all events since a time, also those from when the webhook was disabled', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const { id } = await create('post.deleted');
    await cli('webhooks', 'update', id, '--status', 'disabled');
    const post = await gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated' });
    await gateway.v1('DELETE', `/posts?post_ids[]=${post.id}`);
    await cli('webhooks', 'update', id, '--status', 'active');
    await json('webhooks', 'redeliver', id, '--since', since);
    await waitFor(() => receiver.received.length === 1);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      type: 'post.deleted',
      data: { post_id: post.id },
    });
  });

  it('refuse both or neither of IDs and --since, and unknown IDs', async () => {
    const { id } = await create('post.created');
    for (const args of [[], ['dlv_1', '--since', '2026-11-22T03:00:00Z']])
      expect((await cli('webhooks', 'redeliver', id, ...args)).err).toContain(
        'Pass either IDs of messages or --since',
      );
    expect(await cli('webhooks', 'redeliver', id, 'dlv_1')).toMatchObject({
      code: 1,
      err: 'error: The webhook has no delivery "dlv_1".',
    });
    expect((await gateway.db.pool.query('SELECT FROM webhook_redelivery')).rowCount).toBe(0);
  });
});
