import type { Viewer } from '../../../../src/domain/access/viewer.js';
import type { PostPatch } from '../../../../src/domain/posts/post-fields.js';
import type { Post } from '../../../../src/domain/posts/post.js';
import { updatedPost, type TestServices } from '../../../fixtures/services.js';

export const START = new Date('2026-12-01T09:00:00Z');
export const FOUR_DAYS: PostPatch = { recurring: { repeat: 'daily', endDate: '2026-12-04' } };

/** The children as they are stored, by date. */
export async function readChildren(
  services: TestServices,
  viewer: Viewer,
  series: Post,
): Promise<Post[]> {
  const rows = await services.sql<{ id: string }>(
    'SELECT doc_id AS id FROM post WHERE parent_id = $1 AND deleted_at IS NULL ORDER BY scheduled_at, id',
    series.databaseId,
  );
  return Promise.all(rows.map(({ id }) => services.storedPost(viewer, id)));
}

export const datesOf = (posts: readonly Post[]): string[] =>
  posts.map((post) => post.scheduledAt!.toISOString().slice(0, 16));

/** A series of four days, and its children. */
export async function createSeries(services: TestServices, patch: PostPatch = FOUR_DAYS) {
  const viewer = await services.aViewer();
  const account = await services.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'linkedin',
  });
  const post = await services.aPost({
    by: viewer,
    account,
    type: 'photo',
    scheduledAt: START,
    text: 'Text',
    labels: [await services.aLabel({ workspaceId: viewer.workspace.id, name: 'one' })],
    media: [await services.aMedia({ workspaceId: viewer.workspace.id })],
  });
  const series = updatedPost(await services.update(viewer, post, patch));
  return { viewer, account, series, children: await readChildren(services, viewer, series) };
}
