import type { Post } from '../../../src/domain/posts/post.js';
import { createSandboxTimelineStore } from '../../../src/persistence/networks/sandbox-timelines.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const MAX = { accounts: 10, posts: 5 };
const read = (max = MAX) =>
  createSandboxTimelineStore(publishing.database).timelines(by.workspace.id, max);
/** The texts of the posts of the account, newest first. */
const texts = async (max = MAX): Promise<string[]> => {
  const timelines = await read(max);
  return timelines
    .find((timeline) => timeline.account.id === account.id)!
    .posts.map(({ post }) => post.text);
};
async function publish(options: Partial<Post> = {}): Promise<Post> {
  const post = await publishing.aDuePost({ by, account, ...options });
  await runPublications();
  return post;
}
async function runPublications(): Promise<void> {
  await publishing.sweep();
  await publishing.runJobs();
}
const published = (options: Partial<Post> = {}): Promise<Post> =>
  publishing.aPost({ by, account, storedState: 'published_posted', ...options });

test('an account has the posts that were published, newest first, and only those', async () => {
  expect(await texts()).toEqual([]);
  await published({ text: 'Before the gateway', remoteId: '987654321' });
  await publishing.aPost({ by, account, storedState: 'draft_undated', text: 'Draft' });
  await publishing.aPost({ by, account, storedState: 'published_deleted', text: 'Removed' });
  for (const text of ['First', 'Second']) await publish({ text });
  expect(await texts()).toEqual(['Second', 'First', 'Before the gateway']);
  expect(await texts({ accounts: 10, posts: 2 })).toEqual(['Second', 'First']);
});

test('a post has everything that its readers see', async () => {
  const post = await publish({
    type: 'poll',
    text: 'Vote',
    question: 'Tea or coffee?',
    options: ['Tea', 'Coffee'],
  });
  const [{ posts }] = (await read()) as [Awaited<ReturnType<typeof read>>[number]];
  expect(posts).toEqual([
    {
      post: expect.objectContaining({
        id: post.id,
        network: account.network,
        accountId: account.id,
        text: 'Vote',
        question: 'Tea or coffee?',
        options: ['Tea', 'Coffee'],
        scheduledAt: expect.any(Date),
      }),
      edits: 0,
      editedAt: null,
    },
  ]);
});

test('an edit on the network shows, a change that the network did not get does not', async () => {
  const post = await publish({ text: 'Old' });
  const at = publishing.clock.now();
  await publishing.sandboxStore.edit(post.id, { text: 'New' }, at);
  await publishing.sql("UPDATE post_body SET text = 'Saved' WHERE post_id = $1", post.databaseId);
  const [timeline] = await read();
  expect(timeline!.posts).toEqual([
    { post: expect.objectContaining({ text: 'New' }), edits: 1, editedAt: at },
  ]);
});

test('a post that the network took without an answer is there, as it was sent', async () => {
  await publishing.setGuarantee(account, 'cannot_tell');
  const post = await publishing.aDuePost({ by, account, text: 'Sent' });
  await publishing.failPublishing(post, 'cut_after');
  await runPublications();
  expect((await publishing.storedPost(by, post.id)).storedState).not.toBe('published_posted');
  await publishing.sql("UPDATE post_body SET text = 'Secret' WHERE post_id = $1", post.databaseId);
  expect(await texts()).toEqual(['Sent']);
});

test('a post that was removed from the network is gone, in whatever way', async () => {
  const [one, two, three] = [
    await publish({ text: 'One' }),
    await publish({ text: 'Two' }),
    await publish({ text: 'Three' }),
  ];
  const seed = await published({ text: 'Seed' });
  await publishing.sandboxStore.delete(one.id, publishing.clock.now());
  expect(await texts()).toEqual(['Three', 'Two', 'Seed']);
  const { remoteId } = await publishing.storedPost(by, two.id);
  await publishing.deliveries.remove(account.id, remoteId!, publishing.clock.now());
  await publishing.sql('UPDATE post SET stored_state = 11 WHERE id = $1', three.databaseId);
  await publishing.sandboxStore.delete(seed.id, publishing.clock.now());
  expect(await texts()).toEqual([]);
});

test('a post that was deleted only in the service stays on the network', async () => {
  const post = await publish({ text: 'Public' });
  await publishing.remove(by, [post.id]);
  expect(await texts()).toEqual(['Public']);
});

test('each publication of a recycling post is there, with its own edits', async () => {
  const post = await publishing.aDuePost({
    by,
    account,
    storedState: 'recycling_active',
    recycling: { gap: 1, gapFreq: 'days', expireCount: 1 },
    text: 'Again',
  });
  await runPublications();
  await publishing.sql(
    "UPDATE post SET scheduled_at = date_trunc('second', now()) - interval '10 seconds' WHERE id = $1",
    post.databaseId,
  );
  await runPublications();
  expect(await texts()).toEqual(['Again', 'Again']);
  const [copy] = await publishing.sql<{ id: string }>(
    'SELECT doc_id AS id FROM post WHERE recycled_from_id = $1 ORDER BY id LIMIT 1',
    post.id,
  );
  await publishing.sandboxStore.edit(copy!.id, { text: 'Changed' }, publishing.clock.now());
  expect(await texts()).toEqual(['Again', 'Changed']);
});

test('other accounts and workspaces are kept apart', async () => {
  await publish({ text: 'Mine' });
  const second = await publishing.aSandboxAccount(by);
  await publishing.anAccount({ workspaceId: by.workspace.id });
  const stranger = await publishing.aViewer();
  await publishing.aSandboxAccount(stranger);
  const timelines = await read();
  expect(timelines.map(({ account: { id }, posts }) => [id, posts.length]).toSorted()).toEqual(
    [
      [account.id, 1],
      [second.id, 0],
    ].toSorted(),
  );
  expect(await read({ accounts: 1, posts: 5 })).toHaveLength(1);
});
