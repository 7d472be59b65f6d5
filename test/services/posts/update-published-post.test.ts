import type { Post } from '../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

describe('a published post', () => {
  const published = async (
    network: 'linkedin' | 'twitter' | 'mastodon',
    more: Partial<Post> = {},
  ) => {
    const viewer = await services.aViewer();
    const post = await services.aPost({
      by: viewer,
      storedState: 'published_posted',
      ...more,
      account: await services.anAccount({ workspaceId: viewer.workspace.id, network }),
    });
    return { viewer, post };
  };

  test('enqueues its job with the change, and its network status is pending', async () => {
    const { viewer, post } = await published('linkedin');
    const outcome = await services.update(viewer, post, { text: 'New' });
    const job = outcome.kind === 'updated' ? outcome.job! : null;
    expect(
      await services.sql(
        'SELECT id, kind, status, post_id::int, post_version, user_id FROM job WHERE workspace_id = $1',
        viewer.workspace.id,
      ),
    ).toEqual([
      {
        id: job!.id,
        kind: 'network_edit',
        status: 'working',
        post_id: post.databaseId,
        post_version: 2,
        user_id: viewer.user.id,
      },
    ]);
    const stored = await services.storedPost(viewer, post.id);
    expect(stored.networkSync).toEqual({
      status: 'pending',
      jobId: job!.id,
      liveText: post.text,
      error: null,
      attemptedAt: null,
    });
    const second = updatedPost(await services.update(viewer, post, { text: 'Newer' }));
    expect(second.networkSync).toMatchObject({ status: 'pending', liveText: post.text });
  });

  test('is edited on the network only if a live field changed', async () => {
    const { viewer, post } = await published('mastodon', { details: { language: 'de' } });
    for (const patch of [
      { labels: [{ name: 'x' }] },
      { text: post.text, labels: [{ name: 'y' }] },
      { details: { language: 'de' }, labels: [{ name: 'z' }] },
    ] as PostPatch[]) {
      expect(await services.update(viewer, post, patch)).toMatchObject({
        kind: 'updated',
        job: null,
      });
    }
    expect(await services.update(viewer, post, { details: { language: 'en' } })).toMatchObject({
      job: { kind: 'network_edit' },
    });
    expect(
      await services.sql('SELECT id FROM job WHERE workspace_id = $1', viewer.workspace.id),
    ).toHaveLength(1);
  });

  test('a poll must keep at least two options', async () => {
    const { viewer, post } = await published('mastodon', {
      type: 'poll',
      options: ['a', 'b'],
      duration: 2,
    });
    expect(refusalsOf(await services.update(viewer, post, { options: ['a'] }))).toEqual([
      'RULE_VIOLATION options',
    ]);
    expect(
      updatedPost(await services.update(viewer, post, { options: ['a', 'c'], duration: 3 }))
        .duration,
    ).toBe(3);
  });

  test('allows only labels if the network does not support edits', async () => {
    const { viewer, post } = await published('twitter');
    expect(
      refusalsOf(await services.update(viewer, post, { text: 'New', labels: [{ name: 'x' }] })),
    ).toEqual(['RULE_VIOLATION text']);
    expect(
      await services.sql('SELECT id FROM label WHERE workspace_id = $1', viewer.workspace.id),
    ).toEqual([]);
    expect(await services.update(viewer, post, { labels: [{ name: 'x' }] })).toMatchObject({
      kind: 'updated',
      job: null,
      post: { version: 2, networkSync: null },
    });
  });
});
