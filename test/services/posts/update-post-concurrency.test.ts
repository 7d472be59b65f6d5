import { createPosts } from '../../../src/services/posts/posts.js';
import { refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

test('64 concurrent changes of one post: each is applied once, in some order, and none is lost', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      services.update(
        viewer,
        { id: n % 2 ? post.id : String(post.databaseId) },
        n % 3 ? { text: `${n}` } : { tags: [`${n}`] },
      ),
    ),
  );
  const versions = outcomes.map((outcome) => updatedPost(outcome).version).sort((a, b) => a - b);
  expect(versions).toEqual(Array.from({ length: 64 }, (_, n) => n + 2));
  const revisions = await services.sql<{ changes: Record<string, { from: unknown; to: unknown }> }>(
    'SELECT changes FROM revision WHERE post_id = $1 ORDER BY version',
    post.databaseId,
  );
  let { text, tags } = post;
  for (const { changes } of revisions) {
    if (changes.text) {
      expect(changes.text.from).toBe(text);
      text = changes.text.to as string;
    }
    if (changes.tags) {
      expect(changes.tags.from).toEqual(tags);
      tags = changes.tags.to as string[];
    }
  }
  expect(await services.storedPost(viewer, post.id)).toMatchObject({ version: 65, text, tags });
});

test('concurrent changes of one post from two processes are all applied', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const processes = [createPosts(services.dependencies), createPosts(services.dependencies)];
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      processes[n % 2]!.update(viewer, {
        id: post.id,
        patch: { text: `${n}` },
        duplicates: 'refuse',
        dryRun: false,
      }),
    ),
  );
  expect(outcomes.map((outcome) => updatedPost(outcome).version).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 24 }, (_, n) => n + 2),
  );
});

test('only one of many changes with the same expected version is applied', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      services.update(viewer, post, { text: `${n}` }, { expectedVersion: 1 }),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.kind === 'updated')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === 'refused').map(refusalsOf)).toEqual(
    Array(7).fill(['CONFLICT expectedVersion']),
  );
});
