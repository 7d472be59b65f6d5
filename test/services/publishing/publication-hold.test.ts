import type { Post } from '../../../src/domain/posts/post.js';
import { createMediaFileStore } from '../../../src/persistence/media/media-file-store.js';
import { createPublishingPauses } from '../../../src/persistence/publishing/publishing-pauses.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const holdOf = async ({ id }: Post) => (await publishing.storedPost(by, id)).publicationHold;
const set = (paused: boolean) =>
  publishing.postingSchedules.set(by, { accountId: account.id, paused, dryRun: false });

/** A post with a media item whose file has not arrived. */
async function awaitingMedia(post: Post): Promise<string> {
  const media = await publishing.aMedia({ workspaceId: by.workspace.id });
  await publishing.sql(
    'INSERT INTO post_media (post_id, position, media_id) VALUES ($1, 0, $2)',
    post.databaseId,
    media.id,
  );
  await publishing.sql(
    "INSERT INTO media_file (media_id, status, token) VALUES ($1, 'waiting', 't')",
    media.id,
  );
  return media.id;
}

test('posts of a paused queue wait for it, other posts do not', async () => {
  const queued = await publishing.aPost({ by, account, auto: true });
  const scheduled = await publishing.aPost({ by, account });
  expect(await holdOf(queued)).toBeNull();
  await set(true);
  expect([await holdOf(queued), await holdOf(scheduled)]).toEqual(['queue_paused', null]);
  await set(false);
  expect(await holdOf(queued)).toBeNull();
});

test('a post waits for its media, and is held if they cannot be had', async () => {
  const post = await publishing.aPost({ by, account });
  const mediaId = await awaitingMedia(post);
  expect(await holdOf(post)).toBe('media_waiting');
  await publishing.sql(
    "UPDATE media_file SET upload_expires_at = now() - interval '1 second' WHERE media_id = $1",
    mediaId,
  );
  expect(await holdOf(post)).toBe('media_failed');
  await createMediaFileStore(publishing.database).fail(mediaId, 'It is gone.', new Date());
  expect(await holdOf(post)).toBe('media_failed');
});

test('a locked workspace and a pause hold all posts that are not published', async () => {
  const post = await publishing.aPost({ by, account });
  const published = await publishing.aPost({ by, account, storedState: 'published_posted' });
  const pauses = createPublishingPauses(publishing.database);
  await pauses.pause(null);
  expect([await holdOf(post), await holdOf(published)]).toEqual(['publishing_paused', null]);
  await publishing.sql('UPDATE workspace SET locked = true WHERE id = $1', by.workspace.id);
  expect([await holdOf(post), await holdOf(published)]).toEqual(['workspace_locked', null]);
  await pauses.resume();
  await publishing.sql('UPDATE workspace SET locked = false WHERE id = $1', by.workspace.id);
  expect(await holdOf(post)).toBeNull();
});
