import type { Account } from '../../src/domain/posts/post.js';
import { requestsOf } from '../fixtures/both-apis.js';
import { withGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';

let owner: KeyedViewer;
let api: ReturnType<typeof requestsOf>;
let account: Account;
const gateway = withGateway();
beforeAll(async () => {
  gateway.startWorker();
});
beforeEach(async () => {
  const { id: workspaceId, ownerId } = await gateway.records.aWorkspace({ requiresApproval: true });
  owner = await gateway.records.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  api = requestsOf(gateway, owner);
  account = await gateway.records.anAccount({ workspaceId, sandbox: true });
});

const inSeconds = (seconds: number): string =>
  new Date((Math.ceil(Date.now() / 1_000) + seconds) * 1_000).toISOString();
/** Creates a post through v1, and returns its ID, and the status and the warnings of the job. */
async function createInV1(
  as: KeyedViewer,
  text: string,
  more: object = {},
  { state = 'scheduled', path = '/posts/schedule' } = {},
) {
  const entry = { networks: { default: { type: 'status', text } }, accounts: [{ id: account.id }] };
  const { body } = await gateway.v1('POST', path, {
    as,
    body: { bulk: { state, posts: [{ ...entry, ...more }] } },
  });
  const jobStatus = () => gateway.v1('GET', `/job_status/${body.job_id}`, { as });
  const { id } = (await jobStatus()).body.payload.posts[0];
  await waitFor(async () => (await jobStatus()).body.status !== 'working');
  const { status, payload } = (await jobStatus()).body;
  return { id: id as string, status: status as string, warnings: payload.warnings as string[] };
}
const anEditor = (): Promise<KeyedViewer> =>
  gateway.records.aViewer({ workspaceId: owner.workspace.id, role: 'editor', postActions: true });
const review = (
  as: KeyedViewer,
  decision: string,
  { note, ...post }: { id: string; note?: string; expectedVersion?: number },
) =>
  requestsOf(gateway, as).mutate(
    'reviewPosts',
    { posts: [post], decision, note },
    'results { done code } userErrors { field }',
  );
const at = (time: string) => ({ accounts: [{ id: account.id, scheduled_at: time }] });
const stateOf = async (id: string): Promise<string> => (await api.show({ id })).v1.state;

test('a draft of v1 is scheduled, taken back and published now through GraphQL', async () => {
  const { id } = await createInV1(owner, 'Draft', {}, { state: 'draft' });
  const schedule = (mode: string, more: object = {}) =>
    api.mutate(
      'schedulePosts',
      { ids: [id], mode, ...more },
      'results { done code } job { id kind }',
    );
  const done = { results: [{ done: true, code: null }], job: null };
  expect(await stateOf(id)).toBe('draft_undated');
  expect(await schedule('SCHEDULE', { scheduledAt: inSeconds(3_600) })).toEqual(done);
  expect(await stateOf(id)).toBe('scheduled');
  expect(await schedule('DRAFT')).toEqual(done);
  expect(await stateOf(id)).toBe('draft_dated');
  const { job } = await schedule('SHARE_NOW');
  expect(job).toEqual({ id: expect.stringMatching(/^job_/), kind: 'SHARE' });
  const jobStatus = async () =>
    (await gateway.v1('GET', `/job_status/${job.id}`, { as: owner })).body;
  await waitFor(async () => (await jobStatus()).status === 'completed');
  expect(await stateOf(id)).toBe('published_posted');
});

test('a duplicate is refused in GraphQL unless it is allowed, and a warning in v1', async () => {
  await createInV1(owner, 'Twice', at(inSeconds(3_600)));
  const create = (allowDuplicate: boolean) =>
    api.mutate(
      'createPosts',
      {
        mode: 'SCHEDULE',
        scheduledAt: inSeconds(7_200),
        post: { type: 'STATUS', text: 'Twice' },
        targets: [{ accountId: account.id }],
        allowDuplicate,
      },
      'results { code post { id } }',
    );
  expect(await create(false)).toEqual({ results: [{ code: 'DUPLICATE_CONTENT', post: null }] });
  const [{ code, post }] = (await create(true)).results;
  expect(code).toBeNull();
  expect(await stateOf(post.id)).toBe('scheduled');
  const { id, warnings } = await createInV1(owner, 'Twice', at(inSeconds(10_800)));
  expect(warnings).toEqual([expect.stringMatching(/has the same content within 24 hours\.$/)]);
  expect(await stateOf(id)).toBe('scheduled');
  expect((await createInV1(owner, 'Another', at(inSeconds(10_800)))).warnings).toEqual([]);
});

test('a post of v1 is declined, changed and approved, and is then published', async () => {
  const editor = await anEditor();
  const time = inSeconds(75);
  const { id } = await createInV1(editor, 'Pleese', at(time));
  expect(await stateOf(id)).toBe('scheduled_pending');
  expect(await review(editor, 'APPROVE', { id, expectedVersion: 1 })).toMatchObject({
    results: [{ done: false, code: 'FORBIDDEN' }],
  });
  expect(await review(owner, 'DECLINE', { id })).toMatchObject({
    results: [{ done: false }],
    userErrors: [{ field: ['input', 'note'] }],
  });
  expect(await review(owner, 'DECLINE', { id, note: 'A typo.' })).toMatchObject({
    results: [{ done: true, code: null }],
  });
  const declined = await api.show({ id });
  expect(declined.v1.state).toBe('scheduled_declined');
  expect(declined.graphql.stateReason).toContain('A typo.');
  const history = await gateway.v1('GET', `/posts/${id}/history`, { as: owner });
  expect(history.body.history[0]).toMatchObject({ type: 'post.declined', note: 'A typo.' });
  expect(await requestsOf(gateway, editor).notifications()).toContain('post_declined');
  const body = { post: { text: 'Please' } };
  expect((await gateway.v1('PUT', `/posts/${id}`, { as: editor, body })).status).toBe(200);
  expect(await stateOf(id)).toBe('scheduled_pending');
  const { version } = (await api.show({ id })).graphql;
  expect(await review(owner, 'APPROVE', { id, expectedVersion: version - 1 })).toMatchObject({
    results: [{ done: false, code: 'CONFLICT' }],
  });
  expect(await stateOf(id)).toBe('scheduled_pending');
  expect(await review(owner, 'APPROVE', { id, expectedVersion: version })).toMatchObject({
    results: [{ done: true, code: null }],
  });
  expect(await stateOf(id)).toBe('scheduled_approved');
  await api.setSandbox('clock', { advance_seconds: 120 });
  await waitFor(async () => (await stateOf(id)) === 'published_posted');
});

test('a post that a member publishes now waits for approval, and is published when it is approved', async () => {
  const editor = await anEditor();
  const { id, status } = await createInV1(editor, 'Now', {}, { path: '/posts/schedule/publish' });
  expect([status, await stateOf(id)]).toEqual(['completed', 'scheduled_pending']);
  const { version, scheduledAt } = (await api.show({ id })).graphql;
  expect(Date.parse(scheduledAt)).toBeLessThanOrEqual(Date.now());
  expect(await review(owner, 'APPROVE', { id, expectedVersion: version })).toMatchObject({
    results: [{ done: true, code: null }],
    userErrors: [],
  });
  await waitFor(async () => (await stateOf(id)) === 'published_posted');
});

test('the queue of an account gives each post of both APIs a time of its own, and can be paused', async () => {
  const slots = Array.from({ length: 24 }, (_, hour) => ({
    weekday: 'MONDAY',
    time: `${String(hour).padStart(2, '0')}:30`,
  }));
  const setSchedule = (input: object) =>
    api.mutate(
      'setPostingSchedule',
      { accountId: account.id, timeZone: 'UTC', ...input },
      'account { postingSchedule { paused nextFree(first: 2) } } userErrors { code }',
    );
  const { nextFree } = (await setSchedule({ slots })).account.postingSchedule;
  const { id } = await createInV1(owner, 'First', { auto: true });
  const { posts } = await api.mutate(
    'createPosts',
    {
      mode: 'ADD_TO_QUEUE',
      post: { type: 'STATUS', text: 'Second' },
      targets: [{ accountId: account.id }],
    },
    'posts { id }',
  );
  const times = [];
  for (const post of [{ id }, posts[0]]) times.push((await api.show(post)).graphql.scheduledAt);
  expect(times).toEqual(nextFree);

  expect((await setSchedule({ paused: true })).account.postingSchedule.paused).toBe(true);
  await api.setSandbox('clock', { advance_seconds: 8 * 86_400 });
  const other = await createInV1(owner, 'Not of the queue', at(inSeconds(75)));
  await waitFor(async () => (await stateOf(other.id)) === 'published_posted');
  expect(await stateOf(id)).toBe('scheduled');
});
