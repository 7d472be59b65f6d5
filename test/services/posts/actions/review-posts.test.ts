import { actionRights } from '../../../../src/domain/actions/post-actions.js';
import type { Account, Post } from '../../../../src/domain/posts/post.js';
import type { ReviewInput } from '../../../../src/services/posts/actions/action-request.js';
import { eventsOfWorkspace } from '../../../fixtures/event-rows.js';
import type { KeyedViewer } from '../../../fixtures/records.js';
import {
  actedPost,
  actionRefusals,
  actionResults,
  createdPosts,
  NOW,
  targetsOf,
  updatedPost,
  type TestServices,
  withServices,
} from '../../../fixtures/services.js';
let owner: KeyedViewer;
let editor: KeyedViewer;
let account: Account;
const services = withServices();
beforeEach(async () => {
  services.clock.time = NOW;
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  owner = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  editor = await services.aViewer({ workspaceId, name: 'Eda' });
  account = await services.anAccount({ workspaceId, sandbox: true });
});

const review = (
  viewer: KeyedViewer,
  posts: readonly (Pick<Post, 'id'> & Partial<Pick<Post, 'version'>>)[],
  given: Partial<ReviewInput>,
): ReturnType<TestServices['act']> =>
  services.act(viewer, posts, {
    kind: 'review',
    decision: 'approve',
    note: null,
    publishLate: false,
    ...given,
  });
const aPending = (given: Partial<Parameters<TestServices['aPost']>[0]> = {}): Promise<Post> =>
  services.aPost({ by: editor, account, storedState: 'scheduled_pending', ...given });
const stored = ({ id }: Post): Promise<Post> => services.storedPost(owner, id);
const notifications = (userId: string) =>
  services.sql('SELECT kind, message FROM notification WHERE user_id = $1', userId);

test('an approved post is published at its time; approving it again changes nothing', async () => {
  const post = await aPending();
  const approved = actedPost(await review(owner, [post], {}));
  expect(approved).toMatchObject({ storedState: 'scheduled_approved', version: 2 });
  expect(await stored(post)).toEqual(approved);
  expect(actedPost(await review(owner, [post], {}))).toEqual(approved);
  const events = await eventsOfWorkspace(services.database.pool, owner.workspace.id);
  expect(events.at(-1)).toMatchObject({ type: 'post.approved', userId: owner.user.id });
});

test('an approval is for the version that was seen', async () => {
  const post = await aPending();
  await services.update(editor, post, { text: 'Changed since' });
  expect(actionRefusals(await review(owner, [post], {}))).toEqual(['CONFLICT expectedVersion']);
  expect(actionRefusals(await review(owner, [{ id: post.id }], {}))).toEqual([
    'RULE_VIOLATION expectedVersion',
  ]);
  expect((await stored(post)).storedState).toBe('scheduled_pending');
});

test('a post that is sent several times counts once, and is refused with different versions', async () => {
  const post = await aPending();
  const databaseId = { id: String(post.databaseId), version: post.version };
  for (const other of [{ ...databaseId, version: 2 }, { id: post.id }, { id: databaseId.id }]) {
    const outcome = await review(owner, [post, other], {});
    expect(actionRefusals(outcome)).toEqual(['RULE_VIOLATION expectedVersion']);
    expect(outcome).toMatchObject({ results: [{ id: post.id, post: null }] });
  }
  expect(await stored(post)).toEqual(post);
  const outcome = await review(owner, [databaseId, post], {});
  expect(outcome).toMatchObject({ results: [{ id: databaseId.id, refusals: [] }] });
  expect(await stored(post)).toMatchObject({ storedState: 'scheduled_approved', version: 2 });
});

test('a declined post has a reason, of which its creator is notified', async () => {
  const post = await aPending();
  expect(actionRefusals(await review(owner, [post], { decision: 'decline', note: ' ' }))).toEqual([
    'RULE_VIOLATION note',
  ]);
  const declined = actedPost(
    await review(owner, [post], { decision: 'decline', note: 'Wrong link' }),
  );
  expect(declined).toMatchObject({
    storedState: 'scheduled_declined',
    review: { by: owner.user.name, at: NOW, note: 'Wrong link' },
  });
  expect(await stored(post)).toEqual(declined);
  expect(await notifications(editor.user.id)).toEqual([
    { kind: 'post_declined', message: `${owner.user.name} declined your post: Wrong link` },
  ]);
  expect(
    await services.sql(
      'SELECT note FROM revision WHERE post_id = $1 AND version = 2',
      post.databaseId,
    ),
  ).toEqual([{ note: 'Wrong link' }]);
});

test('a declined post that its creator changes waits for approval again', async () => {
  const post = await aPending();
  await review(owner, [post], { decision: 'decline', note: 'Wrong link' });
  const labelled = updatedPost(await services.update(editor, post, { labels: [{ name: 'x' }] }));
  expect(labelled.storedState).toBe('scheduled_declined');
  const changed = updatedPost(await services.update(editor, post, { text: 'New link' }));
  expect(changed).toMatchObject({ storedState: 'scheduled_pending', review: null });
  expect(await notifications(owner.user.id)).toHaveLength(1);
  const own = await services.aPost({ by: owner, account, storedState: 'scheduled_declined' });
  expect(updatedPost(await services.update(owner, own, { text: 'New' })).storedState).toBe(
    'scheduled_pending',
  );
});

test('a post whose time has passed is published late only if the member says so', async () => {
  const post = await aPending();
  services.clock.time = new Date(post.scheduledAt!.getTime() + 3_600_000);
  expect(actionRefusals(await review(owner, [post], {}))).toEqual(['RULE_VIOLATION publishLate']);
  expect(actedPost(await review(owner, [post], { publishLate: true }))).toMatchObject({
    storedState: 'scheduled_approved',
    scheduledAt: services.clock.time,
  });
  expect(await services.sql('SELECT at FROM cap_slot WHERE post_id = $1', post.databaseId)).toEqual(
    [{ at: services.clock.time }],
  );
});

test('a post that was to be shared at once is published when it is approved', async () => {
  const [created] = createdPosts(
    await services.create(editor, {
      mode: 'share_now',
      targets: targetsOf(account),
      scheduledAt: null,
    }),
  );
  const failed = await services.aPost({ by: editor, account, storedState: 'failed' });
  const retried = actedPost(
    await services.act(editor, [failed], {
      kind: 'retry',
      confirmNotLive: false,
      allowDuplicate: true,
    }),
  );
  services.clock.time = new Date(NOW.getTime() + 7_200_000);
  const results = actionResults(await review(owner, [created!, retried], {}));
  expect(results.map(({ post }) => [post?.storedState, post?.scheduledAt])).toEqual([
    ['scheduled_approved', services.clock.time],
    ['scheduled_approved', services.clock.time],
  ]);
});

test('a member asks for approval, which the others who may approve are told', async () => {
  const admin = await services.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
  const posts = [
    await services.aPost({ by: editor, account }),
    await services.aPost({ by: editor, account, storedState: 'recycling_active' }),
    await services.aPost({ by: editor, account, storedState: 'draft_undated' }),
    await aPending(),
  ];
  const results = actionResults(await review(owner, posts, { decision: 'request' }));
  expect(results.map(({ post, refusals }) => post?.storedState ?? refusals[0]!.message)).toEqual([
    'scheduled_pending',
    'recycling_pending',
    'A draft cannot be approved. Schedule it first.',
    'scheduled_pending',
  ]);
  expect(await notifications(admin.user.id)).toEqual([
    { kind: 'approval_needed', message: `${owner.user.name} asks for your approval of 2 posts.` },
  ]);
  expect(await notifications(owner.user.id)).toEqual([]);
});

test('an approved recycling post that was paused stays paused, until it is resumed', async () => {
  const given = { by: editor, account, storedState: 'recycling_paused' } as const;
  const recycling = { gap: 1, gapFreq: 'days' } as const;
  const asked = await services.aPost({ ...given, recycling });
  const changed = await services.aPost({ ...given, recycling });
  const declined = await services.aPost({ ...given, recycling });
  const resumed = await services.aPost({ ...given, recycling });
  await review(editor, [asked, declined], { decision: 'request' });
  updatedPost(await services.update(editor, changed, { text: 'Changed' }));
  await review(owner, [await stored(declined)], { decision: 'decline', note: 'Why' });
  updatedPost(await services.update(editor, declined, { text: 'Changed' }));
  await services.act(editor, [resumed], { kind: 'resume' });
  const posts = [asked, changed, declined, resumed];
  const pending = await Promise.all(posts.map(stored));
  expect(new Set(pending.map(({ storedState }) => storedState))).toEqual(
    new Set(['recycling_pending']),
  );

  const results = actionResults(await review(owner, pending, {}));
  expect(results.map(({ post }) => post?.storedState)).toEqual([
    'recycling_paused',
    'recycling_paused',
    'recycling_paused',
    'recycling_active',
  ]);
  const events = await eventsOfWorkspace(services.database.pool, owner.workspace.id);
  expect(events.slice(-4).map(({ type }) => type)).toEqual(Array(4).fill('post.approved'));
  // Once approved, only the pause is left.
  await services.act(owner, [asked], { kind: 'resume' });
  await review(editor, [await stored(asked)], { decision: 'request' });
  expect(actedPost(await review(owner, [await stored(asked)], {}))).toMatchObject({
    storedState: 'recycling_active',
  });
});

test('a decision about a series is one about its occurrences', async () => {
  const [series] = createdPosts(
    await services.create(editor, {
      targets: targetsOf(account),
      post: {
        type: 'status',
        text: 'Daily',
        recurring: { repeat: 'daily', endDate: '2026-11-25T08:00:00Z' },
      },
    }),
  );
  const children = () => services.store.futureChildren(series!.databaseId, NOW);
  const states = async () => new Set((await children()).map(({ storedState }) => storedState));
  expect(await states()).toEqual(new Set(['scheduled_pending']));
  const [declined, ...others] = await children();
  await review(owner, [declined!], { decision: 'decline', note: 'Not this one' });
  // An occurrence that is named beside its series is written once.
  expect(actionRefusals(await review(owner, [series!, others[0]!], {}))).toEqual([]);
  expect((await children()).map(({ storedState, version }) => [storedState, version])).toEqual([
    ['scheduled_declined', 2],
    ...others.map(() => ['scheduled_approved', 2]),
  ]);
  expect(await stored(series!)).toMatchObject({
    version: 2,
    occurrenceState: 'scheduled_approved',
  });
  await review(owner, [{ id: series!.id }], { decision: 'decline', note: 'No more' });
  expect(await states()).toEqual(new Set(['scheduled_declined']));
  await review(owner, [{ id: series!.id }], { decision: 'request' });
  expect(await states()).toEqual(new Set(['scheduled_pending']));
});

test('once approval is not required any more, members schedule and resume pending posts', async () => {
  const recycling = { gap: 1, gapFreq: 'days' } as const;
  const [scheduled, paused] = [
    await aPending(),
    await aPending({ storedState: 'recycling_pending', recycling }),
  ];
  const schedule = {
    kind: 'schedule',
    mode: 'schedule',
    scheduledAt: null,
    accountId: null,
    visibility: null,
    allowDuplicate: false,
  } as const;
  expect(actedPost(await services.act(editor, [scheduled], schedule))).toEqual(scheduled);
  expect(actionRefusals(await services.act(editor, [paused], { kind: 'resume' }))).toHaveLength(1);
  await services.sql(
    'UPDATE workspace SET requires_approval = false WHERE id = $1',
    owner.workspace.id,
  );
  const free = { ...editor, workspace: { ...editor.workspace, requiresApproval: false } };
  expect(actionRights(scheduled, free).find(({ action }) => action === 'schedule')).toMatchObject({
    allowed: true,
    reason: expect.stringContaining('does not require it'),
  });
  expect(actedPost(await services.act(free, [scheduled], schedule))).toMatchObject({
    storedState: 'scheduled',
    scheduledAt: scheduled.scheduledAt,
  });
  expect(actedPost(await services.act(free, [paused], { kind: 'resume' }))).toMatchObject({
    storedState: 'recycling_active',
  });
  const events = await eventsOfWorkspace(services.database.pool, owner.workspace.id);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['post.scheduled', 'post.scheduled']);
});
