import type { Recycling } from '../../../src/domain/posts/post-settings.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { capSlotsOf } from '../../../src/domain/caps/daily-caps.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { updatedPost } from '../../fixtures/services.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const DAY_MS = 86_400_000;
const stored = (post: Post) => publishing.storedPost(by, post.id);
const aRecycledPost = (recycling: Recycling, more: object = {}): Promise<Post> =>
  publishing.aDuePost({
    by,
    account,
    storedState: 'recycling_active',
    recycling: { gap: 1, gapFreq: 'days', ...recycling },
    ...more,
  });
async function publish() {
  await publishing.sweep();
  await publishing.runJobs();
}
/** As if the time of the post had come: another one than that of its publication before. */
const makeDue = (post: Post) =>
  publishing.sql(
    "UPDATE post SET scheduled_at = date_trunc('second', now()) - interval '10 seconds' WHERE doc_id = $1",
    post.id,
  );
const copiesOf = async (post: Post): Promise<Post[]> => {
  const rows = await publishing.sql<{ id: string }>(
    'SELECT doc_id AS id FROM post WHERE recycled_from_id = $1 ORDER BY id',
    post.id,
  );
  return Promise.all(rows.map(({ id }) => publishing.storedPost(by, id)));
};
const eventsOf = async ({ id }: Post): Promise<string[]> => {
  const rows = await publishing.sql<{ type: string }>(
    'SELECT type FROM event WHERE doc_id = $1 ORDER BY transaction_id, sequence',
    id,
  );
  return rows.map(({ type }) => type);
};

test('each publication is a post of its own, until the number of recycles is reached', async () => {
  const post = await aRecycledPost({ expireCount: 1 }, { text: 'Again', labels: [] });
  await publish();
  const next = await stored(post);
  expect(next).toMatchObject({
    storedState: 'recycling_active',
    publishedCount: 1,
    version: 2,
    queuedAt: null,
    postLink: null,
  });
  expect(next.scheduledAt!.getTime() - post.scheduledAt!.getTime()).toBe(DAY_MS);
  expect(await publishing.publicationOf(by, post)).toMatchObject({
    status: 'waiting',
    error: null,
  });
  const [copy] = await copiesOf(post);
  expect(copy).toMatchObject({
    storedState: 'published_posted',
    text: 'Again',
    recycledFromId: post.id,
    recycling: null,
    version: 1,
    scheduledAt: post.scheduledAt,
    postLink: expect.stringContaining(account.id),
  });
  expect(await publishing.publicationOf(by, copy!)).toMatchObject({
    status: 'published',
    attempts: 1,
    publishedAt: expect.any(Date),
  });
  expect(await eventsOf(post)).toEqual(expect.arrayContaining(['post.queued', 'post.recycled']));
  expect(await eventsOf(copy!)).toEqual(['post.created', 'post.published']);

  await makeDue(post);
  await publish();
  expect(await stored(post)).toMatchObject({ storedState: 'recycling_expired', publishedCount: 2 });
  expect(await copiesOf(post)).toHaveLength(2);
  expect(await publishing.deliveriesOf(post)).toHaveLength(2);
  await makeDue(post);
  expect(await publishing.sweep()).toBe(0);
});

test('with solo, each publication replaces the previous one on the network', async () => {
  const post = await aRecycledPost({ solo: true }, { text: 'Only once' });
  await publish();
  expect(await publishing.deliveriesOf(post)).toHaveLength(1);
  await makeDue(post);
  await publish();
  const [previous, latest] = await copiesOf(post);
  expect([previous!.storedState, latest!.storedState]).toEqual([
    'published_posted',
    'published_posted',
  ]);
  expect(await publishing.deliveriesOf(post)).toHaveLength(2);
  await publishing.runJobs();
  expect(
    (await copiesOf(post)).map(({ storedState, postLink }) => [storedState, postLink]),
  ).toEqual([
    ['published_deleted', null],
    ['published_posted', latest!.postLink],
  ]);
  expect(await publishing.deliveriesOf(post)).toMatchObject([{ id: latest!.remoteId }]);
  expect(await eventsOf(previous!)).toEqual(['post.created', 'post.published', 'post.unpublished']);
});

test('with solo, a previous publication that cannot be removed stays, and the history says why', async () => {
  const post = await aRecycledPost({ solo: true });
  await publish();
  // As if the account had been moved to a network on which the service cannot remove posts.
  const publishedOn = await publishing.anAccount({
    workspaceId: by.workspace.id,
    network: 'tiktok',
  });
  const [previous] = await copiesOf(post);
  await publishing.sql(
    'UPDATE post SET account_id = $2 WHERE id = $1',
    previous!.databaseId,
    publishedOn.id,
  );
  await makeDue(post);
  await publish();
  const { version } = await stored(post);
  const [note] = await publishing.sql<{ note: string }>(
    'SELECT note FROM revision WHERE post_id = $1 AND version = $2',
    post.databaseId,
    version,
  );
  expect(note!.note).toContain('The previous publication stays on');
  expect(note!.note).toContain('The gateway cannot remove posts from tiktok.');
  expect((await copiesOf(post)).map(({ storedState }) => storedState)).toEqual([
    'published_posted',
    'published_posted',
  ]);
});

test('a post expires when its next date is after its expiry date', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const post = await aRecycledPost({ expireDate: today, gap: 2 });
  await publish();
  expect(await stored(post)).toMatchObject({ storedState: 'recycling_expired' });
  expect(await copiesOf(post)).toHaveLength(1);
});

test('a failure that is not tried again, and a result that stays unknown, end it', async () => {
  const refused = await aRecycledPost({});
  await publishing.failPublishing(refused, 'refuse');
  await publish();
  expect(await stored(refused)).toMatchObject({ storedState: 'recycling_failed' });
  expect(await publishing.publicationOf(by, refused)).toMatchObject({ status: 'failed' });
  await publishing.setGuarantee(account, 'cannot_tell');
  const unknown = await aRecycledPost({});
  await publishing.failPublishing(unknown, 'cut_after');
  await publish();
  await publishing.letTimePass(10);
  await publishing.runJobs();
  expect(await stored(unknown)).toMatchObject({ storedState: 'recycling_failed' });
  expect(await publishing.publicationOf(by, unknown)).toMatchObject({ status: 'unconfirmed' });
  expect(await copiesOf(unknown)).toEqual([]);
});

test('a missed date is skipped', async () => {
  const post = await aRecycledPost({ gapFreq: 'weeks' }, { minutesAgo: 120 });
  await publish();
  const next = await stored(post);
  expect(next).toMatchObject({ storedState: 'recycling_active', publishedCount: 0 });
  expect(next.scheduledAt!.getTime()).toBeGreaterThan(Date.now());
  expect(await eventsOf(post)).toContain('post.missed');
  expect(await publishing.deliveriesOf(post)).toEqual([]);
});

test('a scheduled post that is given recycling settings becomes active, or pending', async () => {
  const scheduledAt = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY_MS);
  const post = await publishing.aPost({ by, account, scheduledAt });
  const updated = updatedPost(
    await publishing.update(by, post, { recycling: { gap: 1, gapFreq: 'weeks', expireCount: 3 } }),
  );
  expect(updated.storedState).toBe('recycling_active');
  const slots = await publishing.sql('SELECT FROM cap_slot WHERE post_id = $1', post.databaseId);
  expect(slots).toHaveLength(4);
  expect(capSlotsOf(await stored(post), by.workspace)).toHaveLength(4);
});

test('recycling settings can be cleared until the first publication', async () => {
  const planned = await aRecycledPost({}, { minutesAgo: -60 });
  const cleared = updatedPost(await publishing.update(by, planned, { recycling: null }));
  expect(cleared.storedState).toBe('scheduled');
  const published = await aRecycledPost({});
  await publish();
  expect(await publishing.update(by, published, { recycling: null })).toMatchObject({
    kind: 'refused',
    refusals: [{ code: 'RULE_VIOLATION', path: ['recycling'] }],
  });
});

test('the slots that are ahead count toward the daily cap, those of expired posts do not', async () => {
  const post = await aRecycledPost({ expireCount: 2 });
  await publish();
  const slots = await publishing.sql('SELECT FROM cap_slot WHERE post_id = $1', post.databaseId);
  expect(slots).toHaveLength(2);
  const [copy] = await copiesOf(post);
  expect(
    await publishing.sql('SELECT FROM cap_slot WHERE post_id = $1', copy!.databaseId),
  ).toHaveLength(1);
});
