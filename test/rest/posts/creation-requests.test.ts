import type { Account } from '../../../src/domain/posts/post.js';
import { withGateway } from '../../fixtures/gateway.js';
import { expectError } from '../v1-client.js';

let mastodon: Account;
const gateway = withGateway();
beforeAll(async () => {
  const { records, owner } = gateway;
  mastodon = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
});
type Fields = Record<string, unknown>;
const TOMORROW = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 86_400_000)
  .toISOString()
  .replace('.000Z', '+00:00');
const status = (text: string): Fields => ({ default: { type: 'status', text } });
const bodyOf = (posts: readonly Fields[], state = 'scheduled') => ({ bulk: { state, posts } });
const create = (
  body: unknown,
  { query = '', path = '/posts/schedule', headers = {}, as = gateway.owner } = {},
) => gateway.v1('POST', `${path}${query}`, { as, headers, body });
const countPosts = async (): Promise<number> =>
  Number((await gateway.db.pool.query('SELECT count(*) FROM post')).rows[0].count);

test('a repeated key returns the same job and creates nothing', async () => {
  const body = bodyOf([{ networks: status('Once') }], 'draft');
  const headers = { 'Idempotency-Key': 'once' };
  const first = await create(body, { headers });
  const before = await countPosts();
  const second = await create(body, { headers });
  expect([second.status, second.body]).toEqual([202, first.body]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(await countPosts()).toBe(before);
  const other = bodyOf([{ networks: status('Another') }], 'draft');
  expectError(await create(other, { headers }), 422, 'IDEMPOTENCY_MISMATCH');
});

test('a body with problems creates neither posts nor a job, and lists every problem', async () => {
  const before = await countPosts();
  const jobs = () => gateway.db.pool.query('SELECT count(*) FROM job');
  const jobsBefore = (await jobs()).rows;
  const response = await create(
    bodyOf([
      { networks: { default: { type: 'essay' } }, accounts: [{ id: mastodon.id }] },
      { networks: status('Fine'), accounts: [{ id: mastodon.id, comments: [] }], auto: 'yes' },
    ]),
    { query: '?dry_run=maybe&x=1' },
  );
  expectError(response, 400, 'BAD_USER_INPUT');
  expect(response.body.errors).toEqual([
    'x: unknown parameter; allowed: dry_run',
    'dry_run: must be true or false',
    expect.stringMatching(/^bulk\.posts\[0\]\.networks\.default\.type: must be one of/),
    'bulk.posts[1].accounts[0].comments: is not supported yet: remove it',
    'bulk.posts[1].auto: must be true or false',
  ]);
  expect([await countPosts(), (await jobs()).rows]).toEqual([before, jobsBefore]);
});

test('viewers create nothing, and too many posts are refused as a whole', async () => {
  const { records, owner } = gateway;
  const viewer = await records.aViewer({ workspaceId: owner.workspace.id, role: 'viewer' });
  const draft = bodyOf([{ networks: status('No') }], 'draft');
  expectError(await create(draft, { as: viewer }), 403, 'FORBIDDEN');
  const daily = {
    networks: status('Daily'),
    recurring: { start_date: TOMORROW, repeat: 'daily' },
    accounts: Array.from({ length: 20 }, () => ({ id: mastodon.id })),
  };
  const before = await countPosts();
  const response = await create(bodyOf([daily], 'recurring'));
  expectError(response, 422, 'RULE_VIOLATION');
  expect(response.body.message).toContain('It may create at most 1000.');
  expect(await countPosts()).toBe(before);
});

test('these routes take bodies of 8 MB, other routes of 1 MB', async () => {
  const text = 'a'.repeat(100_000);
  const entries = (count: number) =>
    Array.from({ length: count }, () => ({ networks: status(text) }));
  const response = await create(bodyOf(entries(60), 'draft'), { query: '?dry_run=true' });
  expect([response.status, response.body.posts?.length]).toEqual([200, 60]);
  expectError(await create(bodyOf(entries(90), 'draft')), 413, 'PAYLOAD_TOO_LARGE');
  const update = await gateway.v1('PUT', '/posts/1', { body: { post: { text: text.repeat(11) } } });
  expectError(update, 413, 'PAYLOAD_TOO_LARGE');
});

test('the path of creations is no post', async () => {
  const response = await gateway.v1('GET', '/posts/schedule');
  expectError(response, 405, 'METHOD_NOT_ALLOWED');
  expect(response.headers.get('allow')).toBe('POST');
});
