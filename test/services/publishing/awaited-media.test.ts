import type { Post } from '../../../src/domain/posts/post.js';
import { createMediaFileStore } from '../../../src/persistence/media/media-file-store.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forAllTests(() => publishing.aViewer());
const account = forAllTests(() => publishing.aSandboxAccount(by));

const files = () => createMediaFileStore(publishing.database);

/** A due post with a media item whose file has not arrived. */
async function aWaitingPost(): Promise<{ post: Post; mediaId: string }> {
  const post = await publishing.aDuePost({ by, account, text: 'With a picture' });
  const media = await publishing.aMedia({ workspaceId: by.workspace.id });
  const now = new Date();
  await publishing.sql(
    'INSERT INTO post_media (post_id, position, media_id) VALUES ($1, 0, $2)',
    post.databaseId,
    media.id,
  );
  await publishing.sql(
    "INSERT INTO media_file (media_id, status, token, upload_expires_at) VALUES ($1, 'waiting', 't', $2)",
    media.id,
    new Date(now.getTime() + 3_600_000),
  );
  return { post, mediaId: media.id };
}
async function publish(post: Post) {
  await publishing.runJobs();
  return publishing.publicationOf(by, post);
}

describe('a post whose media have not arrived (D63)', () => {
  it('is due once they are ready', async () => {
    const { post, mediaId } = await aWaitingPost();
    expect(await publishing.sweep()).toBe(0);
    expect(await publishing.statusOf(by, post)).toBe('waiting');
    await files().complete(
      mediaId,
      {
        type: 'photo',
        storageKey: 'ab/abc',
        content: { contentType: 'image/png', bytes: 1, size: null, video: null },
        hasThumbnail: false,
      },
      new Date(),
    );
    expect(await publishing.sweep()).toBe(1);
    expect(await publish(post)).toMatchObject({ status: 'published', error: null });
  });

  it('fails if they could not be fetched', async () => {
    const { post, mediaId } = await aWaitingPost();
    await files().fail(mediaId, 'example.com responded with status 404.', new Date());
    expect(await publishing.sweep()).toBe(1);
    expect(await publish(post)).toMatchObject({
      status: 'failed',
      attempts: 0,
      error: {
        code: 'MEDIA_FETCH_FAILED',
        message: 'example.com responded with status 404.',
        source: 'user',
        field: 'media',
      },
    });
    expect(await publishing.deliveriesOf(post)).toEqual([]);
  });

  it('fails if they were not sent in time', async () => {
    const { post, mediaId } = await aWaitingPost();
    await publishing.sql(
      "UPDATE media_file SET upload_expires_at = now() - interval '1 second' WHERE media_id = $1",
      mediaId,
    );
    expect(await publishing.sweep()).toBe(1);
    expect(await publish(post)).toMatchObject({
      status: 'failed',
      error: {
        code: 'MEDIA_FETCH_FAILED',
        message: 'The file was not sent before its upload URL expired.',
      },
    });
  });
});
