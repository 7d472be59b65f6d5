import { IS_SHARED } from '../posts/post-filter.js';

/** Private drafts are visible to their creator only (D13). `userId` is a placeholder. */
export const isVisible = (userId: string): string => `(${IS_SHARED} OR p.creator_id = ${userId})`;

/**
 * SQL that is true if a record (`label l`, `media m`) has a use that matches. With OFFSET 0,
 * PostgreSQL looks up the uses of one record in an index, instead of hashing those of all records.
 */
const someUse = (use: string, condition = 'true'): string =>
  `EXISTS (SELECT FROM ${use} WHERE ${condition} OFFSET 0)`;

const LABEL_USE =
  '(SELECT pl.post_id FROM post_label pl WHERE pl.label_id = l.id) u JOIN post p ON p.id = u.post_id';
const MEDIA_USE =
  '(SELECT pm.post_id FROM post_media pm WHERE pm.media_id = m.id) u JOIN post p ON p.id = u.post_id';
const FEATURED_USE =
  "(SELECT b.post_id FROM post_body b WHERE b.featured_media->>'id' = m.id) u JOIN post p ON p.id = u.post_id AND p.workspace_id = m.workspace_id";

/** SQL of the uses of the media item `m` by posts `p`, each of which begins with a subquery. */
export const MEDIA_USES: readonly string[] = [MEDIA_USE, FEATURED_USE];

const isUsable = (uses: readonly string[], userId: string): string[] => [
  ...uses.map((use) => someUse(use, isVisible(userId))),
  `NOT (${uses.map((use) => someUse(use)).join(' OR ')})`,
];

/** Labels that the user may see: not those that only other users' private drafts have (D13). */
export const isVisibleLabel = (userId: string): string =>
  `(${isUsable([LABEL_USE], userId).join(' OR ')})`;

/** Media that the user may attach: not those that only other users' private drafts have (D13). */
export const isUsableMedia = (userId: string): string =>
  `(${['m.in_library', ...isUsable(MEDIA_USES, userId)].join(' OR ')})`;

/** Media that the user may read: those of the library, and of posts that the user can see (D13). */
export const isVisibleMedia = (userId: string): string => {
  const condition = `p.deleted_at IS NULL AND ${isVisible(userId)}`;
  return `(${['m.in_library', someUse(MEDIA_USE, condition), someUse(FEATURED_USE, condition)].join(' OR ')})`;
};
