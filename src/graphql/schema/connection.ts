import { createHash } from 'node:crypto';
import { MAX_DATABASE_ID } from '../../domain/posts/post.js';
import {
  sortValueOf,
  type PostOrder,
  type PostPosition,
  type PostView,
} from '../../domain/posts/post-query.js';
import type { SlicePosition } from '../../domain/workspaces/workspace-records.js';
import { Field, ObjectType, ArgsType, Int } from 'type-graphql';
import { GatewayError, type Problem } from '../../domain/errors.js';
import { optional } from './descriptions.js';

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

const isCount = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= MAX_COUNT;
const MAX_COUNT = 2_147_483_647;

const toPostPosition =
  ({ field }: PostOrder) =>
  ({ sortValue, id }: CursorKey): PostPosition | null => {
    const isId = typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= MAX_DATABASE_ID;
    if (!isId) return null;
    if (field === 'engagement')
      return sortValue !== null && isCount(sortValue) ? { at: Number(sortValue), id } : null;
    if (sortValue === null) return { at: null, id };
    return isTime(sortValue) ? { at: new Date(sortValue), id } : null;
  };

const toSlicePosition =
  (isValidSortValue: (at: string) => boolean) =>
  ({ sortValue, id }: CursorKey): SlicePosition | null =>
    typeof sortValue === 'string' && typeof id === 'string' && isValidSortValue(sortValue)
      ? { sortValue, id }
      : null;

/** Order of a list of posts. A cursor is valid for one order only. */
export const postOrder = (order: PostOrder): ListOrder<PostPosition> => ({
  name: `posts:${order.field}:${order.direction}`,
  toPosition: toPostPosition(order),
});
/** Position of a post in a list of this order. */
export const postCursorKey =
  ({ field }: PostOrder) =>
  (post: PostView): CursorKey => {
    const value = sortValueOf(post, field);
    return {
      sortValue: value instanceof Date ? value.toISOString() : (value?.toString() ?? null),
      id: post.databaseId,
    };
  };

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

@ObjectType({
  description: 'Pagination details of a page, as in the Relay specification.',
  simpleResolvers: true,
})
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more items follow this page.' })
  hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether items precede this page.' })
  hasPreviousPage!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item. Null if the page is empty.',
  })
  startCursor!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last item. Null if the page is empty.',
  })
  endCursor!: string | null;
}

const SIZE_RANGE =
  '1 to 100, 20 if neither `first` nor `last` is given. Other values are rejected with BAD_USER_INPUT.';

@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, optional(`Number of items from the start of the list: ${SIZE_RANGE}`)) first?:
    number | null;
  @Field(
    () => String,
    optional(
      'Returns items after this cursor. A cursor that was modified or belongs to another order is rejected with BAD_USER_INPUT.',
    ),
  )
  after?: string | null;
  @Field(
    () => Int,
    optional(
      `Number of items from the end of the list: ${SIZE_RANGE} Cannot be combined with \`first\`.`,
    ),
  )
  last?: number | null;
  @Field(
    () => String,
    optional(
      'Returns items before this cursor. A cursor that was modified or belongs to another order is rejected with BAD_USER_INPUT.',
    ),
  )
  before?: string | null;
}

/** Items per page: default and maximum. */
export const PAGE_SIZE = { default: 20, max: 100 } as const;

/** The part of a list that a page contains. */
interface Window<P> {
  readonly limit: number;
  readonly fromEnd: boolean;
  readonly after?: P;
  readonly before?: P;
}

/** Reads pagination arguments. @throws GatewayError BAD_USER_INPUT with every problem */
export function readWindow<P>(
  { first, last, after, before }: ConnectionArgs,
  { name, toPosition }: ListOrder<P>,
): Window<P> {
  const problems: Problem[] = [];
  const readSize = (
    argument: 'first' | 'last',
    value: number | null | undefined,
  ): number | undefined => {
    if (value !== undefined && value !== null && (value < 1 || value > PAGE_SIZE.max)) {
      problems.push({
        path: [argument],
        message: `${argument} must be 1 to ${PAGE_SIZE.max}, got ${value}.`,
      });
    }
    return value ?? undefined;
  };
  const readPosition = (
    argument: 'after' | 'before',
    cursor: string | null | undefined,
  ): P | undefined => {
    if (cursor === undefined || cursor === null) return undefined;
    const key = readCursor(name, cursor);
    const position = key && toPosition(key);
    if (!position)
      problems.push({
        path: [argument],
        message: `${argument} must be an unmodified cursor of this list in this order.`,
      });
    return position ?? undefined;
  };
  const [fromStart, fromEnd] = [readSize('first', first), readSize('last', last)];
  const [start, end] = [readPosition('after', after), readPosition('before', before)];
  if (fromStart !== undefined && fromEnd !== undefined)
    problems.push({ path: ['last'], message: 'last cannot be combined with first.' });
  if (problems.length > 0) throw badUserInput(problems);
  return {
    limit: fromStart ?? fromEnd ?? PAGE_SIZE.default,
    fromEnd: fromEnd !== undefined,
    ...(start && { after: start }),
    ...(end && { before: end }),
  };
}

/** Creates a BAD_USER_INPUT error that lists every problem, in its message and by path. */
export const badUserInput = (problems: readonly Problem[]): GatewayError =>
  new GatewayError('BAD_USER_INPUT', problems.map(({ message }) => message).join(' '), problems);

interface Page<T> {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** Converts a page to a Relay connection. Functions are called only if the field is selected. */
export function toConnection<T>(
  { items, hasNextPage, hasPreviousPage }: Page<T>,
  order: Pick<ListOrder<never>, 'name'>,
  toCursorKey: (item: T) => CursorKey,
) {
  const cursorAt = (index: number): string | null => {
    const item = items.at(index);
    return item === undefined ? null : writeCursor(order.name, toCursorKey(item));
  };
  return {
    nodes: items,
    edges: () =>
      items.map((node) => ({ node, cursor: writeCursor(order.name, toCursorKey(node)) })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: () => cursorAt(0),
      endCursor: () => cursorAt(-1),
    },
  };
}
