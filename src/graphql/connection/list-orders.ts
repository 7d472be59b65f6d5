import { MAX_RELATIONAL_ID } from '../../domain/posts/post-id.js';
import type { PostOrder, PostPosition, PostView } from '../../domain/posts/post-query.js';
import type { SlicePosition } from '../../services/ports.js';
import type { ListOrder } from './connection.js';
import type { Place } from './cursor.js';

const isTime = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function toPostPosition({ at, id }: Place): PostPosition | null {
  const isId = typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= MAX_RELATIONAL_ID;
  return isId && (at === null || isTime(at)) ? { at: at === null ? null : new Date(at), id } : null;
}

const toSlicePosition =
  (fits: (at: string) => boolean) =>
  ({ at, id }: Place): SlicePosition | null =>
    typeof at === 'string' && typeof id === 'string' && fits(at) ? { at, id } : null;

/** Posts in this order; a cursor of one order is none of another. */
export const postOrder = ({ field, direction }: PostOrder): ListOrder<PostPosition> => ({
  name: `posts:${field}:${direction}`,
  toPosition: toPostPosition,
});
export const placeOfPost =
  ({ field }: PostOrder) =>
  (post: PostView): Place => ({
    at: (field === 'created_at' ? post.createdAt : post.scheduledAt)?.toISOString() ?? null,
    id: post.databaseId,
  });

export const LABELS_BY_NAME: ListOrder<SlicePosition> = {
  name: 'labels:name',
  toPosition: toSlicePosition((name) => !name.includes('\0')),
};
export const placeOfLabel = ({ name, id }: { name: string; id: string }): Place => ({
  at: name,
  id,
});

export const MEDIA_BY_TIME: ListOrder<SlicePosition> = {
  name: 'media:created_at',
  toPosition: toSlicePosition(isTime),
};
export const NOTIFICATIONS_BY_TIME: ListOrder<SlicePosition> = {
  name: 'notifications:created_at',
  toPosition: toSlicePosition(isTime),
};
export const placeByTime = ({ createdAt, id }: { createdAt: Date; id: string }): Place => ({
  at: createdAt.toISOString(),
  id,
});
