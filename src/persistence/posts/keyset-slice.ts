import type { Slice, SlicePage, SlicePosition } from '../../services/ports.js';

/** A small list's order: the column of the sort value, and which way it runs; the id runs the same way and breaks ties. */
export interface SliceOrder<V> {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  /** The sort value as the column has it, from the position's text. */
  readonly read: (at: string) => V;
}

/** What a slice asks of Prisma: rows on both sides bounded, one more than wanted, read from the end that is asked for. */
export function sliceQuery<V>(
  { column, direction, read }: SliceOrder<V>,
  { limit, after, before, fromEnd }: Slice,
) {
  const beyond = (position: SlicePosition, side: 'gt' | 'lt') => {
    const at = read(position.at);
    return { OR: [{ [column]: { [side]: at } }, { [column]: at, id: { [side]: position.id } }] };
  };
  const [later, earlier] = direction === 'asc' ? (['gt', 'lt'] as const) : (['lt', 'gt'] as const);
  const run = fromEnd ? (direction === 'asc' ? 'desc' : 'asc') : direction;
  return {
    AND: [...(after ? [beyond(after, later)] : []), ...(before ? [beyond(before, earlier)] : [])],
    orderBy: [{ [column]: run }, { id: run }],
    take: limit + 1,
  };
}

/** What of a window its page depends on, wherever its positions are in. */
interface Window {
  readonly limit: number;
  readonly after?: unknown;
  readonly before?: unknown;
  readonly fromEnd: boolean;
}

/**
 * The page that the rows of a slice query make, in the list's own order. On the side that the caller came from there
 * is a page whenever a position was given: the item at it.
 */
export function toSlicePage<R, T>(
  rows: readonly R[],
  { limit, after, before, fromEnd }: Window,
  toItem: (row: R) => T,
): SlicePage<T> {
  const more = rows.length > limit;
  const items = rows.slice(0, limit).map(toItem);
  return fromEnd
    ? { items: items.reverse(), hasNextPage: before !== undefined, hasPreviousPage: more }
    : { items, hasNextPage: more, hasPreviousPage: after !== undefined };
}
