import type { PostFacets } from './post-query.js';
import type { Post } from './post.js';
import { toPostState } from './states.js';

/** Sorts counts by frequency, then by name: a stable order. */
export const byFrequency = <T extends { readonly count: number }>(
  counts: readonly T[],
  nameOf: (count: T) => string,
): T[] => [...counts].sort((a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1));

interface FacetChange {
  readonly removed: readonly Post[];
  readonly added: readonly Post[];
}

/** One facet after posts are removed and added; values that no post has any more are omitted. */
function adjust<T extends { readonly count: number }>(
  counts: readonly T[],
  { removed, added }: FacetChange,
  { nameOf, valuesOf }: { nameOf: (value: T) => string; valuesOf: (post: Post) => readonly T[] },
): T[] {
  const byName = new Map(counts.map((value) => [nameOf(value), value]));
  const add = (posts: readonly Post[], sign: 1 | -1): void => {
    for (const value of posts.flatMap(valuesOf)) {
      const known = byName.get(nameOf(value)) ?? { ...value, count: 0 };
      byName.set(nameOf(value), { ...known, count: known.count + sign * value.count });
    }
  };
  add(removed, -1);
  add(added, 1);
  return byFrequency(
    [...byName.values()].filter(({ count }) => count > 0),
    nameOf,
  );
}

/** The facets of a list after posts are removed from it and others are added. */
export const adjustFacets = (facets: PostFacets, change: FacetChange): PostFacets => ({
  exact: facets.exact,
  states: adjust(facets.states, change, {
    nameOf: ({ state }) => state,
    valuesOf: ({ storedState }) => [{ state: toPostState(storedState), count: 1 }],
  }),
  networks: adjust(facets.networks, change, {
    nameOf: ({ network }) => network,
    valuesOf: ({ network }) => (network ? [{ network, count: 1 }] : []),
  }),
  types: adjust(facets.types, change, {
    nameOf: ({ type }) => type,
    valuesOf: ({ type }) => [{ type, count: 1 }],
  }),
  labels: adjust(facets.labels, change, {
    nameOf: ({ name }) => name,
    valuesOf: ({ labels }) =>
      labels.map(({ id, name, color }) => ({ labelId: id, name, color, count: 1 })),
  }),
});
