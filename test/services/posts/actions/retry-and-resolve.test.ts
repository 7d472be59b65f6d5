import type { Post } from '../../../../src/domain/posts/post.js';
import { eventsOfWorkspace } from '../../../fixtures/event-rows.js';
import { withPublishing } from '../../../fixtures/publishing.js';
import { actedPost, actionRefusals, refusalsOf, updatedPost } from '../../../fixtures/services.js';
import { forEachTest } from '../../../fixtures/lifecycle.js';

const publishing = withPublishing();
beforeEach(async () => {
  await publish(); // what an earlier test left to be published
  publishing.clock.time = new Date();
});
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const RETRY = { kind: 'retry', confirmNotLive: false, allowDuplicate: true } as const;
const CONFIRMED = { kind: 'retry', confirmNotLive: true, allowDuplicate: true } as const;
const NOT_LIVE = { kind: 'resolve', resolution: { kind: 'not_live' } } as const;
const liveAt = (url: string) =>
  ({ kind: 'resolve', resolution: { kind: 'live', url, remoteId: '77' } }) as const;
const urlOf = (id = account.id) => `https://mastodon.sandbox.example/${id}/77`;

const publish = async (): Promise<void> => {
  await publishing.sweep();
  await publishing.runJobs();
};
const aMissedPost = async (): Promise<Post> => {
  const post = await publishing.aDuePost({ by, account, minutesAgo: 180 });
  await publish();
  return post;
};
/** A post of which it is unknown whether its network has it. */
async function anUnconfirmedPost(): Promise<Post> {
  await publishing.setGuarantee(account, 'cannot_tell');
  const post = await publishing.aDuePost({ by, account });
  const { run, read } = await publishing.startAttempt(post);
  const handle = { key: 'k' };
  await publishing.ledger.arm(run, read, { number: 1, guarantee: 'cannot_tell', handle });
  await publishing.expireLease(run);
  await publishing.runJobs(); // the call may still be in progress
  await publishing.letTimePass(1);
  await publishing.runJobs();
  expect(await publishing.statusOf(by, post)).toBe('unconfirmed');
  return post;
}
const lastEvent = async () =>
  (await eventsOfWorkspace(publishing.database.pool, by.workspace.id)).at(-1)!;

test('a missed post that is retried is published at once', async () => {
  const post = await aMissedPost();
  expect(await publishing.statusOf(by, post)).toBe('missed');
  const retried = actedPost(await publishing.act(by, [post], RETRY));
  expect(retried).toMatchObject({ storedState: 'scheduled', version: 3 });
  expect(await publishing.storedPost(by, post.id)).toEqual(retried);
  expect(await lastEvent()).toMatchObject({ type: 'post.scheduled', before: 'failed' });
  await publish();
  expect(await publishing.statusOf(by, post)).toBe('published');
  expect(await publishing.deliveriesOf(post)).toHaveLength(1);
});

test('a dry run of a retry returns what the retry would, and changes nothing', async () => {
  const post = await aMissedPost();
  const before = await publishing.allRows();
  const planned = actedPost(await publishing.act(by, [post], RETRY, { dryRun: true }));
  expect(await publishing.allRows()).toEqual(before);
  expect(actedPost(await publishing.act(by, [post], RETRY))).toEqual(planned);
});

test('an unconfirmed post is retried only if a person says that it is not live', async () => {
  const post = await anUnconfirmedPost();
  expect(actionRefusals(await publishing.act(by, [post], RETRY))).toEqual([
    'RULE_VIOLATION confirmNotLive',
  ]);
  expect(await publishing.statusOf(by, post)).toBe('unconfirmed');
  expect(actedPost(await publishing.act(by, [post], CONFIRMED)).storedState).toBe('scheduled');
  await publishing.setGuarantee(account, 'exact');
  await publish();
  expect(await publishing.statusOf(by, post)).toBe('published');
  expect(await publishing.deliveriesOf(post)).toHaveLength(1);
});

test('while a post is unconfirmed, only its labels can be changed', async () => {
  const post = await anUnconfirmedPost();
  const before = await publishing.allRows();
  const outcome = await publishing.update(by, post, { text: 'Not what was sent' });
  expect(refusalsOf(outcome)).toEqual(['RULE_VIOLATION']);
  expect(await publishing.allRows()).toEqual(before);
  const labels = [{ name: 'Look at this', color: '#123456' }];
  const labelled = updatedPost(await publishing.update(by, post, { labels }));
  expect(labelled).toMatchObject({ text: post.text, storedState: 'failed' });
  expect(await publishing.statusOf(by, post)).toBe('unconfirmed');
});

test('a retry takes its place in the daily cap', async () => {
  const telegram = await publishing.aSandboxAccount(by, { network: 'telegram', type: 'channel' });
  const aFailedPost = () => publishing.aPost({ by, account: telegram, storedState: 'failed' });
  const posts = [];
  for (let count = 0; count < 16; count++) posts.push(await aFailedPost());
  const outcome = await publishing.act(by, posts, RETRY);
  expect(actionRefusals(outcome)).toEqual(['DAILY_LIMIT_EXCEEDED']);
  expect(outcome.kind === 'done' && outcome.results.at(-1)).toMatchObject({
    id: posts[15]!.id,
    post: null,
  });
  expect((await publishing.storedPost(by, posts[14]!.id)).storedState).toBe('scheduled');
  expect((await publishing.storedPost(by, posts[15]!.id)).storedState).toBe('failed');
});

test('a retry by a member who cannot approve waits for approval', async () => {
  const { id: workspaceId, ownerId } = await publishing.aWorkspace({ requiresApproval: true });
  const owner = await publishing.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const editor = await publishing.aViewer({ workspaceId });
  const post = await publishing.aPost({
    by: editor,
    account: await publishing.aSandboxAccount(owner),
    storedState: 'failed',
  });
  expect(actedPost(await publishing.act(editor, [post], RETRY)).storedState).toBe(
    'scheduled_pending',
  );
  expect(
    await publishing.sql(
      'SELECT user_id AS user, kind FROM notification WHERE post_id = $1',
      post.databaseId,
    ),
  ).toEqual([{ user: ownerId, kind: 'approval_needed' }]);
});

test('an unconfirmed post that is live becomes published, with its link', async () => {
  const post = await anUnconfirmedPost();
  const resolved = actedPost(await publishing.act(by, [post], liveAt(urlOf())));
  expect(resolved).toMatchObject({
    storedState: 'published_posted',
    postLink: urlOf(),
    remoteId: '77',
    publicationRecord: { result: 'published', error: null },
  });
  expect(await publishing.storedPost(by, post.id)).toEqual(resolved);
  expect(await lastEvent()).toMatchObject({ type: 'post.published', userId: by.user.id });
  expect(
    await publishing.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE post_id = $1',
      post.databaseId,
    ),
  ).toEqual([{ n: 1 }]);
});

test('an unconfirmed post that is not live has failed, and can be retried', async () => {
  const post = await anUnconfirmedPost();
  const resolved = actedPost(await publishing.act(by, [post], NOT_LIVE));
  expect(resolved).toMatchObject({
    storedState: 'failed',
    publicationRecord: { result: 'failed', error: { code: 'NOT_LIVE' } },
  });
  expect(await publishing.storedPost(by, post.id)).toEqual(resolved);
  expect(await lastEvent()).toMatchObject({ type: 'post.failed' });
  expect(await publishing.sql('SELECT FROM cap_slot WHERE post_id = $1', post.databaseId)).toEqual(
    [],
  );
  expect(actionRefusals(await publishing.act(by, [post], NOT_LIVE))).toEqual(['RULE_VIOLATION']);
  expect(actedPost(await publishing.act(by, [post], RETRY)).storedState).toBe('scheduled');
  await publish();
});

test('a reminder that is due is resolved with its link, or as not published', async () => {
  const aReminder = async (): Promise<Post> => {
    const post = await publishing.aDuePost({
      by,
      account,
      reminder: true,
      details: { reminder: true },
    });
    await publish();
    return post;
  };
  const [shared, dropped] = [await aReminder(), await aReminder()];
  expect(actedPost(await publishing.act(by, [shared], liveAt(urlOf())))).toMatchObject({
    storedState: 'published_posted',
    queuedAt: null,
    postLink: urlOf(),
  });
  expect(actedPost(await publishing.act(by, [dropped], NOT_LIVE))).toMatchObject({
    storedState: 'failed',
    queuedAt: null,
  });
  expect(await publishing.sweep()).toBe(0);
});

test('the link has to be one of the sandbox account', async () => {
  const post = await anUnconfirmedPost();
  const other = await publishing.aSandboxAccount(by);
  for (const url of [
    'https://social.example/posts/77',
    urlOf(other.id),
    `https://mastodon.sandbox.example/${account.id}/`,
    `https://mastodon.sandbox.example/${account.id}/../${other.id}/77`,
    urlOf().replace('mastodon', 'bluesky'),
    urlOf().replace('https', 'http'),
  ])
    expect(actionRefusals(await publishing.act(by, [post], liveAt(url)))).toEqual([
      'RULE_VIOLATION url',
    ]);
  expect(await publishing.statusOf(by, post)).toBe('unconfirmed');
});

test('the link has to be an https address on the network of the post', async () => {
  const real = await publishing.aSandboxAccount(by, { network: 'bluesky', sandbox: false });
  const post = await publishing.aDuePost({
    by,
    account: real,
    reminder: true,
    details: { reminder: true },
  });
  await publish();
  for (const url of [
    'http://bsky.app/profile/a/post/1',
    'https://example.com/1',
    'https://bsky.app.example.com/1',
    'https://user@bsky.app/1',
    'not a url',
  ])
    expect(actionRefusals(await publishing.act(by, [post], liveAt(url)))).toEqual([
      'RULE_VIOLATION url',
    ]);
  expect((await publishing.storedPost(by, post.id)).version).toBe(1);
  const url = 'https://bsky.app/profile/a/post/1';
  expect(actedPost(await publishing.act(by, [post], liveAt(url))).postLink).toBe(url);
});
