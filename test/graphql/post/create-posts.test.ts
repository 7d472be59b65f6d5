import { NOW } from '../../fixtures/services.js';
import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));
afterEach(() => expect(api.loggedErrors).toEqual([]));

const CREATE = `mutation ($input: CreatePostsInput!) {
  createPosts(input: $input) {
    groupId
    posts { id groupId text state account { id } networkOptions { boardId sensitive } }
    results { index accountId post { id } state scheduledAt code message }
    job { id }
    userErrors { code message field postId rule }
    clientMutationId
  }
}`;
const TOMORROW = new Date(NOW.getTime() + 86_400_000).toISOString();
const create = (input: Record<string, unknown>) =>
  api.execute(owner, CREATE, {
    input: {
      mode: 'SCHEDULE',
      scheduledAt: TOMORROW,
      post: { type: 'STATUS', text: 'Hi' },
      ...input,
    },
  });
const anAccount = (given: object = {}) =>
  api.records.anAccount({ workspaceId: owner.workspace.id, sandbox: true, ...given });

it('creates a post for each target and says why others were refused', async () => {
  const [mastodon, pinterest] = [await anAccount(), await anAccount({ network: 'pinterest' })];
  const { data } = await create({
    clientMutationId: 'c1',
    targets: [
      { accountId: mastodon.id },
      { accountId: pinterest.id, post: { networkOptions: { boardId: '101' } } },
      { accountId: mastodon.id, post: { text: 'a'.repeat(501) } },
    ],
    variants: [
      {
        network: 'PINTEREST',
        post: { type: 'PHOTO', media: [{ path: 'https://media.example/1.jpg' }] },
      },
    ],
  });
  const { groupId, posts, results, ...rest } = data.createPosts;
  expect(posts).toEqual([
    {
      id: results[0].post.id,
      groupId,
      text: 'Hi',
      state: 'SCHEDULED',
      account: { id: mastodon.id },
      networkOptions: null,
    },
    {
      id: results[1].post.id,
      groupId,
      text: 'Hi',
      state: 'SCHEDULED',
      account: { id: pinterest.id },
      networkOptions: { boardId: '101', sensitive: null },
    },
  ]);
  const message = 'text may have at most 500 characters on mastodon; it has 501.';
  expect(results[2]).toEqual({
    index: 2,
    accountId: mastodon.id,
    post: null,
    state: null,
    scheduledAt: null,
    code: 'RULE_VIOLATION',
    message,
  });
  expect(rest).toEqual({
    job: null,
    clientMutationId: 'c1',
    userErrors: [
      {
        code: 'RULE_VIOLATION',
        message,
        field: ['input', 'targets', '2', 'post', 'text'],
        postId: null,
        rule: 'D47',
      },
    ],
  });
});

it('shows what a dry run would create', async () => {
  const { id } = await anAccount();
  const { data } = await create({ dryRun: true, targets: [{ accountId: id }] });
  expect(data.createPosts).toMatchObject({
    groupId: null,
    posts: [],
    results: [
      {
        index: 0,
        accountId: id,
        post: null,
        state: 'SCHEDULED',
        scheduledAt: TOMORROW,
        code: null,
      },
    ],
    userErrors: [],
  });
});

it('creates a private idea', async () => {
  const { data } = await create({
    mode: 'DRAFT',
    visibility: 'PRIVATE',
    scheduledAt: null,
    targets: [],
  });
  expect(data.createPosts).toMatchObject({
    posts: [{ state: 'DRAFT_PRIVATE', account: null }],
    results: [{ index: 0, accountId: null, state: 'DRAFT_PRIVATE' }],
  });
});

it('reports every problem of a malformed input with its path', async () => {
  const { data, errors, codes } = await create({
    scheduledAt: '9999-01-01T00:00:00Z',
    post: { text: 'a\u0000' },
    idempotencyKey: '',
    targets: [{ accountId: 'x', scheduledAt: '1999-01-01T00:00:00Z', post: { media: [{}] } }],
    variants: [
      { network: 'TWITTER', post: { tags: [''] } },
      { network: 'TWITTER', post: {} },
    ],
  });
  expect(data?.createPosts ?? null).toBeNull();
  expect(codes).toEqual(['BAD_USER_INPUT']);
  const paths = errors[0].extensions.problems.map(({ path }: { path: unknown[] }) =>
    path.join('.'),
  );
  expect(paths.sort()).toEqual([
    'input.idempotencyKey',
    'input.post.text',
    'input.post.type',
    'input.scheduledAt',
    'input.targets.0.post.media.0',
    'input.targets.0.scheduledAt',
    'input.variants.0.post.tags.0',
    'input.variants.1.network',
  ]);
});

it('refuses no target and 1,001 targets', async () => {
  const codesOf = async (targets: readonly object[]) => {
    const source =
      'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { groupId } }';
    const { errors, codes } = await api.execute(owner, source, {
      input: { mode: 'SCHEDULE', post: { type: 'STATUS' }, targets },
    });
    expect(errors[0].message).toContain('input.targets');
    return codes;
  };
  expect(await codesOf([])).toEqual(['BAD_USER_INPUT']);
  expect(await codesOf(Array.from({ length: 1_001 }, () => ({ accountId: 'x' })))).toEqual([
    'BAD_USER_INPUT',
  ]);
});

it('costs more with more targets', async () => {
  const { codes } = await create({
    targets: Array.from({ length: 400 }, () => ({ accountId: 'x' })),
  });
  expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
});
