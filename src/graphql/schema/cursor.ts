import { createHash } from 'node:crypto';
import { MAX_DATABASE_ID } from '../../domain/posts/post-id.js';
import {
  SORT_DATES,
  type PostOrder,
  type PostPosition,
  type PostView,
} from '../../domain/posts/post-query.js';
import type { SlicePosition } from '../../domain/workspaces/workspace-records.js';

/**
 * Position of an item in a list: its sort value (ISO time or name, null for undated items) and its
 * ID.
 */
export interface CursorKey {
  readonly sortValue: string | null;
  readonly id: string | number;
}

const CHECKSUM_LENGTH = 8;
/**
 * Checksum against modified or truncated cursors. Not a secret: a forged cursor reveals nothing
 * that the list does not.
 */
const checksum = (body: string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, CHECKSUM_LENGTH);

/** Encodes a position in a list of this order as an opaque cursor. */
export function writeCursor(order: string, { sortValue, id }: CursorKey): string {
  const body = JSON.stringify([order, sortValue, id]);
  return Buffer.from(checksum(body) + body).toString('base64url');
}

/** Decodes a cursor; null if it is malformed, modified or of another order. */
export function readCursor(order: string, cursor: string): CursorKey | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const body = text.slice(CHECKSUM_LENGTH);
  if (text !== checksum(body) + body || Buffer.from(text).toString('base64url') !== cursor)
    return null;
  const [name, sortValue, id] = parseBody(body);
  return name === order ? ({ sortValue, id } as CursorKey) : null;
}

/** A client can compute the checksum, so the body may be any text. */
function parseBody(body: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Order of a list. */
export interface ListOrder<P> {
  /** Part of every cursor, so that cursors of another order are rejected. */
  readonly name: string;
  /** Converts a decoded cursor; null if it is not valid in this order. */
  readonly toPosition: (key: CursorKey) => P | null;
}

const isTime = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function toPostPosition({ sortValue, id }: CursorKey): PostPosition | null {
  const isId = typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= MAX_DATABASE_ID;
  return isId && (sortValue === null || isTime(sortValue))
    ? { at: sortValue === null ? null : new Date(sortValue), id }
    : null;
}

const toSlicePosition =
  (isValidSortValue: (at: string) => boolean) =>
  ({ sortValue, id }: CursorKey): SlicePosition | null =>
    typeof sortValue === 'string' && typeof id === 'string' && isValidSortValue(sortValue)
      ? { sortValue, id }
      : null;

/** Order of a list of posts. A cursor is valid for one order only. */
export const postOrder = ({ field, direction }: PostOrder): ListOrder<PostPosition> => ({
  name: `posts:${field}:${direction}`,
  toPosition: toPostPosition,
});
/** Position of a post in a list of this order. */
export const postCursorKey =
  ({ field }: PostOrder) =>
  (post: PostView): CursorKey => ({
    sortValue: post[SORT_DATES[field]]?.toISOString() ?? null,
    id: post.databaseId,
  });

/** Labels by name, ignoring case. */
export const LABELS_BY_NAME: ListOrder<SlicePosition> = {
  name: 'labels:name',
  toPosition: toSlicePosition((name) => !name.includes('\0')),
};
/** Position of a label in LABELS_BY_NAME. */
export const labelCursorKey = ({ name, id }: { name: string; id: string }): CursorKey => ({
  sortValue: name,
  id,
});

/** Media by creation time. */
export const MEDIA_BY_TIME: ListOrder<SlicePosition> = {
  name: 'media:created_at',
  toPosition: toSlicePosition(isTime),
};
/** Notifications by creation time. */
export const NOTIFICATIONS_BY_TIME: ListOrder<SlicePosition> = {
  name: 'notifications:created_at',
  toPosition: toSlicePosition(isTime),
};
/** Deliveries of a webhook by creation time. A cursor is valid for this webhook only. */
export const deliveryOrder = (webhookId: string): ListOrder<SlicePosition> => ({
  name: `deliveries:${webhookId}`,
  toPosition: toSlicePosition(isTime),
});
/** Position of a record in a list by creation time. */
export const timeCursorKey = ({ createdAt, id }: { createdAt: Date; id: string }): CursorKey => ({
  sortValue: createdAt.toISOString(),
  id,
});
