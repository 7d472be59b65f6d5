import type { Post } from '../../../src/domain/posts/post.js';
import type { DeleteOutcome, DeleteRequest } from '../../../src/services/posts/delete-posts.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { aLivePost as livePost, eventTypesOf, storedJob } from './live-posts.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const aLivePost = (): Promise<Post> => livePost(publishing, { by, account });
const deleteOnNetwork = (
  ids: readonly string[],
  more: Partial<DeleteRequest> = {},
): Promise<DeleteOutcome> => publishing.remove(by, ids, { onNetwork: true, ...more });
const jobOf = (outcome: DeleteOutcome) =>
  storedJob(publishing, outcome.kind === 'done' ? outcome : {});
const isDeleted = async ({ databaseId }: Post): Promise<boolean> => {
  const row = await publishing.database.prisma.post.findUniqueOrThrow({
    where: { id: databaseId },
  });
  return row.deletedAt !== null;
};
const BY_JOB = 'The job deletes the post as soon as its network no longer has it.';

test('posts are deleted on their networks first, and then here', async () => {
  const live = await aLivePost();
  const draft = await publishing.aPost({ by, account, storedState: 'draft_undated' });
  const outcome = await deleteOnNetwork([String(live.databaseId), draft.id, 'nothing']);
  expect(outcome).toMatchObject({
    results: [
      { id: String(live.databaseId), deleted: false, code: null, message: BY_JOB },
      { id: draft.id, deleted: true, code: null },
      { id: 'nothing', deleted: false, code: 'POST_NOT_FOUND' },
    ],
    job: { kind: 'unpublish', status: 'working' },
  });
  expect([await isDeleted(live), await isDeleted(draft)]).toEqual([false, true]);
  await publishing.runJobs();
  expect(await isDeleted(live)).toBe(true);
  expect(await publishing.deliveriesOf(live)).toEqual([]);
  expect(await jobOf(outcome)).toMatchObject({
    status: 'completed',
    failures: [{ id: 'nothing', code: 'POST_NOT_FOUND' }],
  });
  expect((await eventTypesOf(publishing, live)).slice(-2)).toEqual([
    'post.unpublished',
    'post.deleted',
  ]);

  await publishing.act(by, [live], { kind: 'restore', allowDuplicate: true });
  expect(await publishing.storedPost(by, live.id)).toMatchObject({
    storedState: 'published_deleted',
  });
});

test('a post that its network does not remove stays here, too', async () => {
  const post = await aLivePost();
  await publishing.failRemoving(post, 'refuse');
  const outcome = await deleteOnNetwork([String(post.databaseId)]);
  await publishing.runJobs();
  expect(await jobOf(outcome)).toMatchObject({
    status: 'failed',
    failures: [{ id: String(post.databaseId), code: 'NETWORK_REFUSED' }],
  });
  expect(await isDeleted(post)).toBe(false);
  expect((await publishing.storedPost(by, post.id)).storedState).toBe('published_posted');
});

test('a network that cannot remove posts refuses, and a plain deletion is still possible', async () => {
  const tiktok = await publishing.anAccount({ workspaceId: by.workspace.id, network: 'tiktok' });
  const given = { by, account: tiktok, storedState: 'published_posted', remoteId: '1' } as const;
  const post = await publishing.aPost(given);
  const outcome = await deleteOnNetwork([post.id]);
  expect(outcome).toMatchObject({
    results: [
      {
        deleted: false,
        code: 'RULE_VIOLATION',
        message: expect.stringContaining('cannot remove posts from tiktok'),
      },
    ],
    job: null,
  });
  expect(await isDeleted(post)).toBe(false);
  expect(await publishing.remove(by, [post.id])).toMatchObject({ results: [{ deleted: true }] });
});

test('posts without a network are deleted at once, and the job is completed', async () => {
  const draft = await publishing.aPost({ by, account, storedState: 'draft_undated' });
  const outcome = await deleteOnNetwork([draft.id]);
  expect(await isDeleted(draft)).toBe(true);
  expect(await jobOf(outcome)).toMatchObject({ status: 'completed', failures: [] });
  expect((await jobOf(outcome))!.finishedAt).not.toBeNull();
});

test('a dry run says the same, deletes nothing and has no job', async () => {
  const post = await aLivePost();
  const before = await publishing.allRows();
  const dry = await deleteOnNetwork([post.id], { dryRun: true });
  expect(dry).toMatchObject({
    results: [{ deleted: false, code: null, message: BY_JOB }],
    job: null,
  });
  expect(await publishing.allRows()).toEqual(before);
  const first = await deleteOnNetwork([post.id], { idempotencyKey: 'k' });
  expect(await deleteOnNetwork([post.id], { idempotencyKey: 'k' })).toEqual({
    ...first,
    replayed: true,
  });
  expect(await publishing.remove(by, [post.id], { idempotencyKey: 'k' })).toMatchObject({
    kind: 'refused',
    refusals: [{ code: 'IDEMPOTENCY_MISMATCH' }],
  });
});
