import type { KeyedViewer } from '../../fixtures/records.js';
import { NOW } from '../../fixtures/services.js';
import { openTestApi } from '../test-api.js';

let api: Awaited<ReturnType<typeof openTestApi>>;
let owner: KeyedViewer;
let accountId: string;
beforeAll(async () => {
  api = await openTestApi();
  owner = await api.records.aViewer({ role: 'owner' });
  const { id: workspaceId } = owner.workspace;
  ({ id: accountId } = await api.records.anAccount({ workspaceId, sandbox: true }));
});
afterAll(() => api.database.drop());

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
    '{ accounts { postingSchedule { nextFree(first: 101) } } }',
  );
  expect(codes).toEqual(['BAD_USER_INPUT']);
});
