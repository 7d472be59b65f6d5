import type { Account, Post } from '../../../../src/domain/posts/post.js';
import type { ScheduleInput } from '../../../../src/services/posts/actions/action-request.js';
import { eventsOfWorkspace } from '../../../fixtures/event-rows.js';
import type { KeyedViewer } from '../../../fixtures/records.js';
import {
  actedPost,
  actionRefusals,
  actionResults,
  NOW,
  testServices,
  type TestServices,
} from '../../../fixtures/services.js';

let services: TestServices;
let by: KeyedViewer;
let account: Account;
beforeAll(async () => {
  services = await testServices();
});
afterAll(() => services.database.drop());
beforeEach(async () => {
  by = await services.aViewer();
  account = await services.anAccount({ workspaceId: by.workspace.id, sandbox: true });
});

const AT = new Date('2026-12-01T09:00:00Z');
const input = (given: Partial<ScheduleInput> = {}): ScheduleInput => ({
  kind: 'schedule',
  mode: 'schedule',
  scheduledAt: AT,
  accountId: null,
  visibility: null,
  allowDuplicate: false,
  ...given,
});
const schedule = (posts: readonly Post[], given: Partial<ScheduleInput> = {}, viewer = by) =>
  services.act(viewer, posts, input(given));
/** The post of the outcome, which is the one that is stored. */
async function savedPost(outcome: Awaited<ReturnType<typeof schedule>>): Promise<Post> {
  const post = actedPost(outcome);
  expect(await services.storedPost(by, post.id)).toEqual(post);
  return post;
}

test('an idea gets an account and a time', async () => {
  const idea = await services.aPost({ by, storedState: 'draft_undated' });
  expect(actionRefusals(await schedule([idea]))).toEqual(['RULE_VIOLATION accountId']);
  expect(actionRefusals(await schedule([idea], { accountId: 'acc_unknown' }))).toEqual([
    'RULE_VIOLATION accountId',
  ]);
  expect(await savedPost(await schedule([idea], { accountId: account.id }))).toMatchObject({
    storedState: 'scheduled',
    scheduledAt: AT,
    account,
    accountId: account.id,
    network: 'mastodon',
    version: 2,
  });
});

test('a draft keeps its account and its time', async () => {
  const draft = await services.aPost({ by, account, storedState: 'draft_dated' });
  const other = await services.anAccount({ workspaceId: by.workspace.id, sandbox: true });
  expect(actionRefusals(await schedule([draft], { accountId: other.id }))).toEqual([
    'RULE_VIOLATION accountId',
  ]);
  const scheduled = await savedPost(await schedule([draft], { scheduledAt: null }));
  expect(scheduled).toMatchObject({ storedState: 'scheduled', scheduledAt: draft.scheduledAt });
});

test('what the network needs, and the time, are checked as in creations', async () => {
  const idea = await services.aPost({ by, storedState: 'draft_undated', text: '', type: 'poll' });
  expect(
    actionRefusals(
      await schedule([idea], {
        accountId: account.id,
        scheduledAt: new Date(NOW.getTime() + 30_000),
      }),
    ),
  ).toEqual(['RULE_VIOLATION scheduledAt', 'RULE_VIOLATION options', 'RULE_VIOLATION question']);
  const draft = await services.aPost({ by, account, storedState: 'draft_undated' });
  expect(actionRefusals(await schedule([draft], { scheduledAt: null }))).toEqual([
    'RULE_VIOLATION scheduledAt',
  ]);
  expect(await services.storedPost(by, draft.id)).toEqual(draft);
});

test('a draft with a recurrence rule becomes a series, one with recycling settings recycles', async () => {
  const [series, recycling] = [
    await services.aPost({
      by,
      account,
      storedState: 'draft_undated',
      recurring: { repeat: 'daily', endDate: '2026-12-03T09:00:00Z' },
    }),
    await services.aPost({
      by,
      account,
      storedState: 'draft_undated',
      recycling: { gap: 2, gapFreq: 'weeks' },
    }),
  ];
  expect(
    actionRefusals(await schedule([series, recycling], { mode: 'share_now', scheduledAt: null })),
  ).toEqual(['RULE_VIOLATION', 'RULE_VIOLATION']);
  const before = await services.allRows();
  const planned = actionResults(
    await services.act(by, [series, recycling], input(), { dryRun: true }),
  );
  expect(await services.allRows()).toEqual(before);
  const done = actionResults(await schedule([series, recycling]));
  expect(done).toEqual(planned);
  expect(done.map(({ post }) => [post!.storedState, post!.scheduledAt])).toEqual([
    ['recurring', AT],
    ['recycling_active', AT],
  ]);
  expect(
    (await services.store.futureChildren(series.databaseId, NOW)).map((child) => child.scheduledAt),
  ).toEqual([1, 2, 3].map((day) => new Date(`2026-12-0${day}T09:00:00Z`)));
});

test('scheduled posts get another time, and keep their state', async () => {
  const approved = await services.aPost({ by, account, storedState: 'scheduled_approved' });
  expect(await savedPost(await schedule([approved]))).toMatchObject({
    storedState: 'scheduled_approved',
    scheduledAt: AT,
    version: 2,
  });
  expect(await savedPost(await schedule([approved]))).toMatchObject({ version: 2 });
});

test('share now sets the time to now', async () => {
  const [draft, scheduled] = [
    await services.aPost({ by, account, storedState: 'draft_undated', text: 'One' }),
    await services.aPost({ by, account, text: 'Two' }),
  ];
  const results = actionResults(
    await schedule([draft, scheduled], { mode: 'share_now', scheduledAt: null }),
  );
  expect(results.map(({ post }) => [post!.storedState, post!.scheduledAt])).toEqual([
    ['scheduled', NOW],
    ['scheduled', NOW],
  ]);
});

test('scheduled posts become drafts, which have their time, and no place in the daily cap', async () => {
  const post = await services.aPost({ by, account });
  const draft = await savedPost(
    await schedule([post], { mode: 'draft', scheduledAt: null, visibility: 'private' }),
  );
  expect(draft).toMatchObject({
    storedState: 'draft_private_dated',
    scheduledAt: post.scheduledAt,
  });
  expect(await services.sql('SELECT FROM cap_slot WHERE post_id = $1', post.databaseId)).toEqual(
    [],
  );
  const events = await eventsOfWorkspace(services.database.pool, by.workspace.id);
  expect(events.at(-1)).toMatchObject({ type: 'post.unscheduled', visibleTo: by.user.id });
  expect(
    await savedPost(
      await schedule([post], { mode: 'draft', scheduledAt: null, visibility: 'public' }),
    ),
  ).toMatchObject({ storedState: 'draft_public_dated', version: 3 });
  expect(
    await savedPost(await schedule([post], { mode: 'draft', scheduledAt: null })),
  ).toMatchObject({ storedState: 'draft_public_dated', version: 3 });
});

test('only the creator can make a post a private draft', async () => {
  const admin = await services.aViewer({ workspaceId: by.workspace.id, role: 'admin' });
  const post = await services.aPost({ by, account });
  const given = { mode: 'draft', scheduledAt: null, visibility: 'private' } as const;
  expect(actionRefusals(await schedule([post], given, admin))).toEqual(['FORBIDDEN visibility']);
  expect((await services.storedPost(by, post.id)).version).toBe(1);
});

test('posts that were handed over are taken back, and those that are sent are not', async () => {
  const [queued, armed] = [
    await services.aPost({ by, account, queuedAt: NOW, text: 'One' }),
    await services.aPost({ by, account, queuedAt: NOW, armedAt: NOW, text: 'Two' }),
  ];
  const results = actionResults(await schedule([queued, armed]));
  expect(results.map(({ post, refusals }) => [post?.queuedAt, refusals[0]?.code])).toEqual([
    [null, undefined],
    [undefined, 'PUBLISHING'],
  ]);
});
