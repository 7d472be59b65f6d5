import type { Post } from '../../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../../src/domain/posts/post-fields.js';
import type { ScheduleInput } from '../../../../src/services/posts/actions/action-request.js';
import { eventsOfWorkspace } from '../../../fixtures/event-rows.js';
import {
  actedPost,
  actionRefusals,
  actionResults,
  createdPosts,
  NOW,
  resultsOf,
  targetsOf,
  withServices,
} from '../../../fixtures/services.js';
import { forEachTest } from '../../../fixtures/lifecycle.js';

const services = withServices();
const by = forEachTest(() => services.aViewer());
const account = forEachTest(() =>
  services.anAccount({ workspaceId: by.workspace.id, sandbox: true }),
);

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

test('a draft can be given another account, also of another network, other posts cannot', async () => {
  const workspaceId = by.workspace.id;
  const other = await services.anAccount({ workspaceId, sandbox: true, network: 'telegram' });
  const draft = await services.aPost({ by, account, storedState: 'draft_dated' });
  expect(
    await savedPost(
      await schedule([draft], { mode: 'draft', scheduledAt: null, accountId: other.id }),
    ),
  ).toMatchObject({ accountId: other.id, network: 'telegram', storedState: 'draft_dated' });
  expect(await savedPost(await schedule([draft], { accountId: account.id }))).toMatchObject({
    accountId: account.id,
    network: 'mastodon',
    storedState: 'scheduled',
  });
  expect(actionRefusals(await schedule([draft], { accountId: other.id }))).toEqual([
    'RULE_VIOLATION accountId',
  ]);
  const poll = await services.aPost({
    by,
    account,
    storedState: 'draft_undated',
    type: 'poll',
    question: 'Which?',
    options: ['a', 'b'],
  });
  const board = await services.anAccount({ workspaceId, sandbox: true, network: 'pinterest' });
  expect(
    actionRefusals(
      await schedule([poll], { mode: 'draft', scheduledAt: null, accountId: board.id }),
    ),
  ).toEqual(['RULE_VIOLATION type']);
});

test('a draft keeps its account and its time', async () => {
  const draft = await services.aPost({ by, account, storedState: 'draft_dated' });
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

describe('in a locked workspace', () => {
  const inLocked = () => ({ ...by, workspace: { ...by.workspace, locked: true } });
  const create = (mode: 'schedule' | 'share_now', post: PostPatch = {}) =>
    services.create(inLocked(), {
      mode,
      targets: targetsOf(account),
      post: { type: 'status', text: 'Text', ...post },
    });

  test('new posts, and those that get a time, are locked', async () => {
    const recurring = { repeat: 'daily', endDate: '2026-11-23T23:00:00Z' } as const;
    const [series] = createdPosts(await create('schedule', { recurring }));
    const posts = [
      ...createdPosts(await create('schedule')),
      ...createdPosts(await create('schedule', { recycling: { gap: 30 } })),
      actedPost(
        await schedule(
          [await services.aPost({ by, account, storedState: 'draft_undated' })],
          {},
          inLocked(),
        ),
      ),
      ...(await services.store.futureChildren(series!.databaseId, NOW)),
    ];
    expect(posts.map(({ storedState }) => storedState)).toEqual([
      'scheduled_locked',
      'recycling_locked',
      'scheduled_locked',
      'scheduled_locked',
      'scheduled_locked',
    ]);
  });

  test('nothing is published at once', async () => {
    expect(resultsOf(await create('share_now'))).toMatchObject([
      { post: null, refusals: [{ rule: 'D57', path: ['targets', '0', 'accountId'] }] },
    ]);
  });

  test('a locked post, and one whose account needs reauthorization, get another time and stay so', async () => {
    for (const storedState of ['scheduled_locked', 'scheduled_reauth'] as const) {
      const post = await services.aPost({ by, account, storedState });
      expect(actedPost(await schedule([post], { allowDuplicate: true }, inLocked()))).toMatchObject(
        {
          storedState,
          scheduledAt: AT,
        },
      );
    }
  });
});

test('the lists of a scheduled series are those of its occurrences', async () => {
  const recurring = {
    repeat: 'daily',
    startDate: '2026-12-01T09:00:00Z',
    endDate: '2026-12-03T09:00:00Z',
  } as const;
  const draft = await services.aPost({ by, account, storedState: 'draft_undated', recurring });
  const dryRun = await services.act(by, [draft], input({ scheduledAt: null }), { dryRun: true });
  const outcome = await schedule([draft], { scheduledAt: null });
  const made = ['2026-12-01', '2026-12-02', '2026-12-03'].map(
    (day) => new Date(`${day}T09:00:00Z`),
  );
  for (const one of [dryRun, outcome])
    expect(actionResults(one)).toMatchObject([
      { series: { made, kept: [], moved: [], removed: [], independent: 0 } },
    ]);
});
