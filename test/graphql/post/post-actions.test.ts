import { NOW } from '../../fixtures/services.js';
import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));
afterEach(() => expect(api.loggedErrors).toEqual([]));

const anAccount = (given: object = {}) =>
  api.records.anAccount({ workspaceId: owner.workspace.id, sandbox: true, ...given });
const FIELDS =
  'results { id done code message post { state version } } posts { id state } userErrors { code field message postId rule } clientMutationId';
const run = (name: string, input: object, fields = FIELDS) =>
  api
    .execute(
      owner,
      `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${fields} } }`,
      { input },
    )
    .then(({ data, ...rest }) => ({ ...rest, payload: data?.[name] }));

it('tells what the viewer may do with a post, and why it is in its state', async () => {
  const post = await api.records.aPost({
    by: owner,
    account: await anAccount(),
    storedState: 'recycling_paused',
  });
  const query = `{ post(id: "${post.id}") { stateReason actions { action allowed code reason rule } } }`;
  const { data } = await api.execute(owner, query);
  expect(data.post.stateReason).toBe('Recycling is paused. Resume the post to continue.');
  const actionOf = (name: string) =>
    data.post.actions.find(({ action }: { action: string }) => action === name);
  expect(actionOf('RESUME')).toEqual({
    action: 'RESUME',
    allowed: true,
    code: null,
    reason: null,
    rule: null,
  });
  expect(actionOf('RETRY')).toEqual({
    action: 'RETRY',
    allowed: false,
    code: 'RULE_VIOLATION',
    reason: 'Only posts whose publication failed can be retried.',
    rule: 'D56',
  });
});

it('retries posts, with a result for each', async () => {
  const account = await anAccount();
  const failed = await api.records.aPost({ by: owner, account, storedState: 'failed' });
  const scheduled = await api.records.aPost({ by: owner, account });
  const input = { ids: [failed.id, scheduled.id], clientMutationId: 'c1' };
  const expected = {
    results: [
      {
        id: failed.id,
        done: true,
        code: null,
        message: null,
        post: { state: 'SCHEDULED', version: 2 },
      },
      {
        id: scheduled.id,
        done: false,
        code: 'RULE_VIOLATION',
        message: 'Only posts whose publication failed can be retried.',
        post: null,
      },
    ],
    posts: [{ id: failed.id, state: 'SCHEDULED' }],
    userErrors: [
      {
        code: 'RULE_VIOLATION',
        field: ['input', 'ids', '1'],
        message: 'Only posts whose publication failed can be retried.',
        postId: scheduled.id,
        rule: 'D56',
      },
    ],
    clientMutationId: 'c1',
  };
  expect((await run('retryPosts', { ...input, dryRun: true })).payload).toEqual(expected);
  expect((await run('retryPosts', input)).payload).toEqual(expected);
  const { data } = await api.execute(owner, `{ post(id: "${failed.id}") { state scheduledAt } }`);
  expect(data.post).toEqual({ state: 'SCHEDULED', scheduledAt: NOW.toISOString() });
});

it('schedules an idea, and says which field of the input is wrong', async () => {
  const idea = await api.records.aPost({ by: owner, storedState: 'draft_undated' });
  const account = await anAccount();
  const fields =
    'posts { state scheduledAt account { id } } job { id } userErrors { code field postId }';
  const scheduledAt = '2026-12-01T09:00:00.000Z';
  const schedule = async (given: object) =>
    run('schedulePosts', { ids: [idea.id], mode: 'SCHEDULE', ...given }, fields);
  expect((await schedule({ scheduledAt })).payload.userErrors).toEqual([
    { code: 'RULE_VIOLATION', field: ['input', 'accountId'], postId: idea.id },
  ]);
  expect((await schedule({ accountId: account.id })).payload.userErrors).toEqual([
    { code: 'RULE_VIOLATION', field: ['input', 'scheduledAt'], postId: idea.id },
  ]);
  expect((await schedule({ scheduledAt, visibility: 'PRIVATE' })).codes).toEqual([
    'BAD_USER_INPUT',
  ]);
  expect((await schedule({ mode: 'SHARE_NOW', scheduledAt })).codes).toEqual(['BAD_USER_INPUT']);
  expect((await schedule({ scheduledAt, accountId: account.id })).payload).toEqual({
    posts: [{ state: 'SCHEDULED', scheduledAt, account: { id: account.id } }],
    job: null,
    userErrors: [],
  });
});

it('approves and declines posts', async () => {
  const account = await anAccount();
  const [first, second] = [
    await api.records.aPost({ by: owner, account, storedState: 'scheduled_pending' }),
    await api.records.aPost({ by: owner, account, storedState: 'scheduled_pending' }),
  ];
  const review = (decision: string, more: object) =>
    run('reviewPosts', {
      posts: [{ id: first.id, expectedVersion: 1 }, { id: second.id }],
      decision,
      ...more,
    });
  const approved = (await review('APPROVE', {})).payload;
  expect(approved.posts).toEqual([{ id: first.id, state: 'SCHEDULED_APPROVED' }]);
  expect(approved.userErrors).toMatchObject([
    {
      code: 'RULE_VIOLATION',
      field: ['input', 'posts', '1', 'expectedVersion'],
      postId: second.id,
      rule: 'D64',
    },
  ]);
  const withoutNote = (
    await run('reviewPosts', { posts: [{ id: second.id }], decision: 'DECLINE' })
  ).payload;
  expect(withoutNote.userErrors).toMatchObject([{ field: ['input', 'note'], postId: second.id }]);
  await run('reviewPosts', {
    posts: [{ id: second.id }],
    decision: 'DECLINE',
    note: 'Wrong link.',
  });
  const { data } = await api.execute(owner, `{ post(id: "${second.id}") { state stateReason } }`);
  expect(data.post).toEqual({
    state: 'SCHEDULED_DECLINED',
    stateReason:
      'Declined by Ada on 21 Nov 2026: Wrong link. Change the post to request approval again.',
  });
  const note = 'x'.repeat(2_001);
  expect((await review('DECLINE', { note })).codes).toEqual(['BAD_USER_INPUT']);
  expect((await run('reviewPosts', { posts: [], decision: 'REQUEST' })).codes).toEqual([
    'BAD_USER_INPUT',
  ]);
});

it('resolves a reminder that is due, and asks for exactly one answer', async () => {
  const account = await anAccount();
  const post = await api.records.aPost({
    by: owner,
    account,
    reminder: true,
    details: { reminder: true },
    queuedAt: NOW,
  });
  const fields = 'post { state postLink } userErrors { code field }';
  const url = `https://${account.network}.sandbox.example/${account.id}/1`;
  for (const answer of [
    {},
    { url, notLive: true },
    { notLive: false },
    { notLive: true, remoteId: '1' },
  ])
    expect((await run('resolvePublication', { id: post.id, ...answer }, fields)).codes).toEqual([
      'BAD_USER_INPUT',
    ]);
  expect(
    (await run('resolvePublication', { id: post.id, url: 'http://social.example/1' }, fields))
      .payload,
  ).toEqual({ post: null, userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'url'] }] });
  expect((await run('resolvePublication', { id: post.id, url }, fields)).payload).toEqual({
    post: { state: 'PUBLISHED_POSTED', postLink: url },
    userErrors: [],
  });
  expect((await run('resolvePublication', { id: post.id, url }, fields)).payload).toEqual({
    post: null,
    userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'id'] }],
  });
});

it('pauses and resumes recycling posts', async () => {
  const post = await api.records.aPost({
    by: owner,
    account: await anAccount(),
    storedState: 'recycling_active',
  });
  const stateAfter = async (name: string) => (await run(name, { ids: [post.id] })).payload.posts;
  expect(await stateAfter('pausePosts')).toEqual([{ id: post.id, state: 'RECYCLING_PAUSED' }]);
  expect(await stateAfter('pausePosts')).toEqual([{ id: post.id, state: 'RECYCLING_PAUSED' }]);
  expect(await stateAfter('resumePosts')).toEqual([{ id: post.id, state: 'RECYCLING_ACTIVE' }]);
});

it.each([0, 101])('refuses %i IDs', async (count) => {
  const ids = Array.from({ length: count }, (_, index) => String(index));
  expect((await run('pausePosts', { ids })).codes).toEqual(['BAD_USER_INPUT']);
});
