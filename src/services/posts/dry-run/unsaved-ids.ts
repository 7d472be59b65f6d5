import type { Change } from '../../../domain/changes/change.js';
import type { Post } from '../../../domain/posts/post.js';

/** Replaces the IDs that a dry run generated: no record has them. */
export type UnsavedIds = (post: Post) => Post;

/**
 * Names what a change would create `dry_run_label_1`, `dry_run_media_1` and `dry_run_post_1`, in
 * the order of creation: no record can have such an ID, and clients need distinct ones.
 */
export function unsavedIdsOf({ posts, newLabels, newMedia }: Change): UnsavedIds {
  const created = posts.filter((write) => write.kind === 'insert').map(({ after }) => after);
  const names = new Map([
    ...newLabels.map(({ id }, index) => [id, `dry_run_label_${index + 1}`] as const),
    ...newMedia.map(({ id }, index) => [id, `dry_run_media_${index + 1}`] as const),
    ...created.map(({ id }, index) => [id, `dry_run_post_${index + 1}`] as const),
  ]);
  const rename = <T extends { readonly id: string }>(record: T): T => ({
    ...record,
    id: names.get(record.id) ?? record.id,
  });
  return (post) => ({
    ...rename(post),
    databaseId: names.has(post.id) ? 0 : post.databaseId,
    labels: post.labels.map(rename),
    media: post.media.map(rename),
    featuredMedia: post.featuredMedia && rename(post.featuredMedia),
  });
}
