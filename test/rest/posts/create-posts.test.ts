import type { Account } from '../../../src/domain/posts/post.js';
import { withGateway } from '../../fixtures/gateway.js';
import { waitFor } from '../../fixtures/wait-for.js';

let mastodon: Account;
let pinterest: Account;
const gateway = withGateway();
beforeAll(async () => {
  const { records, owner } = gateway;
  const anAccount = (network: Account['network']) =>
    records.anAccount({ workspaceId: owner.workspace.id, sandbox: true, network });
  [mastodon, pinterest] = [await anAccount('mastodon'), await anAccount('pinterest')];
  gateway.startWorker();
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
const jobOf = async (id: string, as = gateway.owner) =>
  (await gateway.v1('GET', `/job_status/${id}`, { as })).body;
const countPosts = async (): Promise<number> =>
  Number((await gateway.db.pool.query('SELECT count(*) FROM post')).rows[0].count);

test('creates posts, and its job tells which, with failures and warnings', async () => {
  const response = await create(
    bodyOf([
      {
        networks: {
          default: { type: 'status', text: 'One' },
          pinterest: {
            type: 'photo',
            boardId: '101',
            media: [{ path: 'https://e.com/1', type: 'image', alt_text: 'A leaf' }],
          },
          facebook: { text: 'Unused' },
        },
        accounts: [
          { id: mastodon.id, scheduled_at: TOMORROW, labels: ['Spring'] },
          { id: pinterest.id, scheduled_at: TOMORROW },
        ],
      },
      {
        networks: { facebook: { type: 'status', text: 'Two' } },
        accounts: [{ id: mastodon.id, scheduled_at: TOMORROW }],
      },
      {
        networks: status('Three'),
        accounts: [{ id: 'acc_unknown', scheduled_at: TOMORROW }, { id: mastodon.id }],
      },
      { networks: status('One'), accounts: [{ id: mastodon.id, scheduled_at: TOMORROW }] },
    ]),
  );
  expect(response.status).toBe(202);
  expect(response.body).toEqual({ job_id: expect.stringMatching(/^job_/) });
  const { status: jobStatus, payload } = await jobOf(response.body.job_id);
  expect(jobStatus).toBe('completed');
  const created = { state: 'scheduled', scheduled_at: TOMORROW, post_link: null };
  expect(payload).toEqual({
    posts: [
      {
        index: 0,
        id: expect.any(String),
        account_id: mastodon.id,
        network: 'mastodon',
        ...created,
      },
      {
        index: 0,
        id: expect.any(String),
        account_id: pinterest.id,
        network: 'pinterest',
        ...created,
      },
      {
        index: 3,
        id: expect.any(String),
        account_id: mastodon.id,
        network: 'mastodon',
        ...created,
      },
    ],
    failures: {
      [mastodon.id]: [
        `posts[1]: The account ${mastodon.name} has no content: there is none for mastodon and no default.`,
        'posts[2]: scheduled_at is required for a scheduled post.',
      ],
      acc_unknown: ['posts[2]: No account of this workspace has this ID.'],
    },
    warnings: [
      'posts[0]: The content for facebook is not used: no account is one of facebook.',
      'posts[1]: The content for facebook is not used: no account is one of facebook.',
      expect.stringMatching(
        /^posts\[3\]: .* for this account has the same content within 24 hours\.$/,
      ),
    ],
  });
  const [first, second] = await Promise.all(
    (payload.posts as { id: string }[])
      .slice(0, 2)
      .map(async ({ id }) => (await gateway.v1('GET', `/posts/${id}`)).body),
  );
  expect(first).toMatchObject({ text: 'One', type: 'status', labels: [{ name: 'Spring' }] });
  expect(second).toMatchObject({
    text: 'One',
    type: 'photo',
    media: [{ type: 'photo', url: 'https://e.com/1', alt_text: 'A leaf' }],
  });
});

test('a dry run answers what would be created, and creates nothing', async () => {
  const before = await countPosts();
  const response = await create(
    bodyOf([
      {
        networks: status('Dry'),
        accounts: [{ id: mastodon.id, scheduled_at: TOMORROW }, { id: pinterest.id }],
      },
    ]),
    { query: '?dry_run=true', headers: { 'Idempotency-Key': 'dry' } },
  );
  expect([response.status, response.headers.get('x-dry-run')]).toEqual([200, 'true']);
  expect(response.body).toEqual({
    posts: [
      {
        index: 0,
        account_id: mastodon.id,
        network: 'mastodon',
        state: 'scheduled',
        scheduled_at: TOMORROW,
        occurrence_dates: [],
      },
    ],
    failures: { [pinterest.id]: expect.arrayContaining([expect.stringMatching(/^posts\[0\]: /)]) },
    warnings: [],
  });
  expect(await countPosts()).toBe(before);
});

test('posts that are published now: the job ends with them', async () => {
  const entry = { networks: status('Now'), accounts: [{ id: mastodon.id }] };
  const response = await create(bodyOf([entry]), { path: '/posts/schedule/publish' });
  expect(response.status).toBe(202);
  const { job_id: id } = response.body;
  const created = (await jobOf(id)).payload.posts;
  expect(created).toMatchObject([{ index: 0, account_id: mastodon.id, network: 'mastodon' }]);
  await waitFor(async () => (await jobOf(id)).status !== 'working');
  expect(await jobOf(id)).toEqual({
    status: 'completed',
    payload: {
      posts: [
        {
          ...created[0],
          state: 'published_posted',
          post_link: expect.stringMatching(/^https:\/\/mastodon\.sandbox\.example\//),
        },
      ],
      failures: {},
      warnings: [],
    },
  });
  // Both APIs show the same payload.
  const query = 'query ($id: ID!) { jobStatus(id: $id) { kind status payload } }';
  expect((await gateway.graphql(query, { id })).body.data.jobStatus).toEqual({
    kind: 'CREATE',
    status: 'COMPLETED',
    payload: (await jobOf(id)).payload,
  });
});

test('createPosts with SHARE_NOW returns the same kind of job', async () => {
  const { body } = await gateway.graphql(
    'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } job { id kind status payload } } }',
    {
      input: {
        mode: 'SHARE_NOW',
        post: { type: 'STATUS', text: 'Now, too' },
        targets: [{ accountId: mastodon.id }],
      },
    },
  );
  const { posts, job } = body.data.createPosts;
  expect(job).toMatchObject({ kind: 'CREATE', status: 'WORKING', payload: { failures: {} } });
  expect(job.payload.posts).toMatchObject([{ index: 0, id: posts[0].id }]);
  await waitFor(async () => (await jobOf(job.id)).status === 'completed');
});

test('private drafts are not in the payload of other members', async () => {
  const { body } = await create(bodyOf([{ networks: status('Secret') }], 'draft_private'));
  expect((await jobOf(body.job_id)).payload.posts).toMatchObject([
    { index: 0, account_id: null, network: null, state: 'draft_private', scheduled_at: null },
  ]);
  const { records, owner } = gateway;
  const other = await records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
  expect((await jobOf(body.job_id, other)).payload.posts).toEqual([]);
});
