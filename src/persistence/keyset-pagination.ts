import type { Slice, SlicePage, SlicePosition } from '../domain/workspaces/workspace-records.js';

/**
 * Order of a small list: the sort column and direction. The ID, in the same direction, breaks ties.
 */
export interface SliceOrder<V> {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  /** Converts the sort value of a position to the type of the column. */
  readonly read: (at: string) => V;
}

/**
 * Prisma arguments for a slice: bounded on both sides, one row more than the limit, read from the
 * requested end.
 */
export function sliceQuery<V>(
  { column, direction, read }: SliceOrder<V>,
  { limit, after, before, fromEnd }: Slice,
) {
  const boundAt = (position: SlicePosition, side: 'gt' | 'lt') => {
    const at = read(position.sortValue);
    return { OR: [{ [column]: { [side]: at } }, { [column]: at, id: { [side]: position.id } }] };
  };
  const [later, earlier] = direction === 'asc' ? (['gt', 'lt'] as const) : (['lt', 'gt'] as const);
  const scanDirection = fromEnd ? (direction === 'asc' ? 'desc' : 'asc') : direction;
  return {
    AND: [...(after ? [boundAt(after, later)] : []), ...(before ? [boundAt(before, earlier)] : [])],
    orderBy: [{ [column]: scanDirection }, { id: scanDirection }],
    take: limit + 1,
  };
}

/** The properties of a slice that its page depends on, for any type of position. */
interface SliceWindow {
  readonly limit: number;
  readonly after?: unknown;
  readonly before?: unknown;
  readonly fromEnd: boolean;
}

/**
 * Converts the rows of a slice query to a page in list order. On the side of a given position there
 * is always another page: it contains at least the item at that position.
 */
export function toSlicePage<R, T>(
  rows: readonly R[],
  { limit, after, before, fromEnd }: SliceWindow,
  toItem: (row: R) => T,
): SlicePage<T> {
  const hasMore = rows.length > limit;
  const items = rows.slice(0, limit).map(toItem);
  return fromEnd
    ? { items: items.reverse(), hasNextPage: before !== undefined, hasPreviousPage: hasMore }
    : { items, hasNextPage: hasMore, hasPreviousPage: after !== undefined };
}
