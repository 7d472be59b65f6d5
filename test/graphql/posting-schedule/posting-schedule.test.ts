import { NOW } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';
import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let accountId: string;
const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));
beforeAll(async () => {
  const { id: workspaceId } = owner.workspace;
  ({ id: accountId } = await api.records.anAccount({ workspaceId, sandbox: true }));
});
const SET = `mutation ($input: SetPostingScheduleInput!) {
  setPostingSchedule(input: $input) {
    account { id postingSchedule { timeZone paused slots { weekday time } nextFree(first: 3) } }
    userErrors { code message field rule }
    clientMutationId
  }
}`;
const READ =
  '{ accounts { id postingSchedule { timeZone paused slots { weekday time } nextFree(first: 3) } } }';
const ADD = `mutation ($input: CreatePostsInput!) {
  createPosts(input: $input) { posts { auto scheduledAt state } results { code message } }
}`;

const set = (input: object) => api.execute(owner, SET, { input: { accountId, ...input } });

test('an account has no slots until they are set, in the zone of its workspace', async () => {
  const { data } = await api.execute(owner, READ);
  expect(data.accounts[0].postingSchedule).toEqual({
    timeZone: owner.workspace.timeZone,
    paused: false,
    slots: [],
    nextFree: [],
  });
});

test('slots are set, previewed, kept when omitted, and filled in order', async () => {
  const slots = [
    { weekday: 'SUNDAY', time: '09:30' },
    { weekday: 'SATURDAY', time: '18:00' },
    { weekday: 'SUNDAY', time: '09:30' },
  ];
  const schedule = {
    timeZone: 'UTC',
    paused: false,
    slots: [
      { weekday: 'SATURDAY', time: '18:00' },
      { weekday: 'SUNDAY', time: '09:30' },
    ],
  };
  const preview = await set({ slots, timeZone: 'UTC', dryRun: true, clientMutationId: 'c' });
  const { account, userErrors, clientMutationId } = preview.data.setPostingSchedule;
  expect(account.postingSchedule).toMatchObject(schedule);
  expect([userErrors, clientMutationId]).toEqual([[], 'c']);
  const { data: unchanged } = await api.execute(owner, READ);
  expect(unchanged.accounts[0].postingSchedule.slots).toEqual([]);

  await set({ slots, timeZone: 'UTC' });
  const { data } = await set({});
  expect(NOW.toISOString()).toBe('2026-11-21T08:00:00.000Z'); // a Saturday
  expect(data.setPostingSchedule.account.postingSchedule).toEqual({
    ...schedule,
    nextFree: ['2026-11-21T18:00:00.000Z', '2026-11-22T09:30:00.000Z', '2026-11-28T18:00:00.000Z'],
  });

  const input = {
    mode: 'ADD_TO_QUEUE',
    targets: [{ accountId }],
    post: { type: 'STATUS', text: 'Next' },
  };
  const { data: added } = await api.execute(owner, ADD, { input });
  expect(added.createPosts.posts).toEqual([
    { auto: true, scheduledAt: '2026-11-21T18:00:00.000Z', state: 'SCHEDULED' },
  ]);
  const { data: next } = await api.execute(owner, READ);
  expect(next.accounts[0].postingSchedule.nextFree[0]).toBe('2026-11-22T09:30:00.000Z');
});

test.each([
  [{ slots: [{ weekday: 'MONDAY', time: '24:00' }] }, 'input.slots[0].time: must be a time'],
  [
    { slots: Array(673).fill({ weekday: 'MONDAY', time: '10:00' }) },
    'input.slots: may have at most 672',
  ],
])('malformed slots are rejected', async (input, message) => {
  const { codes, errors } = await set(input);
  expect(codes).toEqual(['BAD_USER_INPUT']);
  expect(JSON.stringify(errors)).toContain(message);
});

test('an unknown zone, and an account of another workspace, are user errors', async () => {
  const { data } = await set({ timeZone: '+01:00' });
  expect(data.setPostingSchedule.userErrors).toMatchObject([
    { code: 'RULE_VIOLATION', field: ['input', 'timeZone'], rule: 'D61' },
  ]);
  const stranger = await api.records.aViewer({ role: 'owner' });
  const { data: other } = await api.execute(stranger, SET, { input: { accountId, paused: true } });
  expect(other.setPostingSchedule).toMatchObject({
    account: null,
    userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'accountId'] }],
  });
});

test('nextFree takes 1 to 100', async () => {
  const { codes } = await api.execute(
    owner,
    '{ accounts(first: 1) { postingSchedule { nextFree(first: 101) } } }',
  );
  expect(codes).toEqual(['BAD_USER_INPUT']);
});

test('nextFree costs its size, and is found once for the posts of an account', async () => {
  const account = await api.records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  for (let post = 0; post < 3; post += 1) await api.records.aPost({ by: owner, account });
  const query = (first: number) =>
    `{ posts(first: 100, filter: { accountIds: ["${account.id}"] }) { nodes { account { postingSchedule { nextFree(first: ${first}) } } } } }`;
  const { result, statements } = await recordStatements(() => api.execute(owner, query(40)));
  expect(result.data.posts.nodes).toHaveLength(3);
  expect(result.extensions.cost.requested).toBe(2 + 100 * (1 + 1 + 40));
  const read = statements.filter(({ text }) => text.includes('posting_schedule'));
  expect(read).toHaveLength(2); // the schedule and its queue
  const { codes } = await api.execute(owner, query(100));
  expect(codes).toEqual(['QUERY_TOO_COMPLEX']);
});

test('a mutation explains the state of a post like a query that follows', async () => {
  const account = await api.records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  const slots = [{ weekday: 'MONDAY', time: '10:00' }];
  await set({ accountId: account.id, slots, paused: true });
  const fields = 'id stateReason actions { action allowed }';
  const created = await api.execute(
    owner,
    `mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { ${fields} } results { post { ${fields} } } } }`,
    {
      input: {
        mode: 'ADD_TO_QUEUE',
        targets: [{ accountId: account.id }],
        post: { type: 'STATUS', text: 'Held' },
      },
    },
  );
  const { posts, results } = created.data.createPosts;
  const [{ id }] = posts;
  const read = async () =>
    (await api.execute(owner, `{ post(id: "${id}") { ${fields} } }`)).data.post;
  expect(posts[0].stateReason).toMatch(/The queue of .* is paused/);
  expect([posts[0], results[0].post]).toEqual([await read(), await read()]);

  const drafted = await api.execute(
    owner,
    `mutation { schedulePosts(input: { ids: ["${id}"], mode: DRAFT }) { posts { ${fields} } } }`,
  );
  expect(drafted.data.schedulePosts.posts).toEqual([await read()]);
  const queued = await api.execute(
    owner,
    `mutation { schedulePosts(input: { ids: ["${id}"], mode: ADD_TO_QUEUE }) { posts { ${fields} } } }`,
  );
  expect(queued.data.schedulePosts.posts[0].stateReason).toMatch(/is paused/);
  expect(queued.data.schedulePosts.posts).toEqual([await read()]);
  const updated = await api.execute(
    owner,
    `mutation { updatePost(input: { id: "${id}", post: { text: "Still held" } }) { post { ${fields} } } }`,
  );
  expect(updated.data.updatePost.post).toEqual(await read());
  const reverted = await api.execute(
    owner,
    `mutation { revertPost(input: { id: "${id}", toVersion: 1 }) { post { ${fields} } } }`,
  );
  expect(reverted.data.revertPost.post).toEqual(await read());
});
