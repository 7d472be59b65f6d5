import { byFrequency } from '../../domain/posts/post-facets.js';
import type { PostFacets, PostListQuery, PostPage } from '../../domain/posts/post-query.js';
import { storedStateByNumber, toPostState, type PostState } from '../../domain/posts/states.js';
import { toSlicePage } from '../keyset-pagination.js';
import { toPostView, type PostRow } from './post-rows.js';

/** A row of `listStatement` or `occurrencesStatement`; `series` is the ID of the parent post. */
export type ListRow = PostRow & { total: number | null; series?: number };

/** Converts the rows of a window or numbered page. */
export function toPage(rows: readonly ListRow[], { slice }: PostListQuery): PostPage {
  const postRows = rows.filter((row) => row.id); // a row without an ID contains only the total
  const total = rows[0]?.total ?? undefined;
  const count = total === undefined ? {} : { totalCount: total };
  if (slice.kind === 'page')
    return {
      posts: postRows.map(toPostView),
      hasNextPage: false,
      hasPreviousPage: slice.page > 0,
      ...count,
    };
  const { items: posts, ...pageInfo } = toSlicePage(postRows, slice, toPostView);
  return { posts, ...pageInfo, ...count };
}

/** A row of `facetsStatement` or `occurrenceFacetsStatement`. */
export interface FacetsRow {
  exact: boolean;
  /** Counts by stored state number. */
  storedStates: Record<string, number> | null;
  networks: Record<string, number> | null;
  types: Record<string, number> | null;
  labels: PostFacets['labels'] | null;
}

/** Converts a row of counts. Several stored states may be shown as the same state. */
export function toFacets(row: FacetsRow): PostFacets {
  const states = new Map<PostState, number>();
  for (const [number, count] of Object.entries(row.storedStates ?? {})) {
    const state = toPostState(storedStateByNumber.get(Number(number))!);
    states.set(state, (states.get(state) ?? 0) + count);
  }
  const sorted = <Name extends string>(counts: Record<string, number> | null, key: Name) =>
    byFrequency(
      Object.entries(counts ?? {}).map(([name, count]) => ({ name, count })),
      ({ name }) => name,
    ).map(({ name, count }) => ({ [key]: name, count }));
  return {
    exact: row.exact,
    states: byFrequency(
      [...states].map(([state, count]) => ({ state, count })),
      ({ state }) => state,
    ),
    networks: sorted(row.networks, 'network') as PostFacets['networks'],
    types: sorted(row.types, 'type') as PostFacets['types'],
    labels: byFrequency(row.labels ?? [], ({ name }) => name),
  };
}
