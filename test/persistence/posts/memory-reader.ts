import type { Post } from '../../../src/domain/posts/post.js';
import {
  sortValueOf,
  type PostFacets,
  type PostFilter,
  type PostListQuery,
  type PostOrder,
} from '../../../src/domain/posts/post-query.js';
import { publicationOf } from '../../../src/domain/publishing/publication.js';
import { toSearchDocument, searchedTexts } from '../../../src/domain/search/search-document.js';
import { readSearchQuery } from '../../../src/domain/search/search-query.js';
import { isPrivateDraft, toPostState } from '../../../src/domain/posts/states.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { matchesSearch, matchesState } from '../../fixtures/matching.js';

const isAmong = <T>(list: readonly T[] | undefined, value: T | null): boolean =>
  !list?.length || (value !== null && list.includes(value));

/** Filters as the specification defines them; the SQL must agree. */
export function isListed(post: Post, viewer: Viewer, filter: PostFilter): boolean {
  const at = post.scheduledAt?.getTime() ?? null;
  return (
    post.workspaceId === viewer.workspace.id &&
    (!isPrivateDraft(post.storedState) || post.creatorId === viewer.user.id) &&
    matchesState(post.storedState, filter.states ?? [], filter.exactStates) &&
    isAmong(filter.types, post.type) &&
    isAmong(filter.networks, post.network) &&
    isAmong(filter.accountIds, post.accountId) &&
    (filter.memberId === undefined || post.creatorId === filter.memberId) &&
    (!filter.labelIds?.length ||
      post.labels.some((label) => filter.labelIds!.includes(label.id))) &&
    isAmong(filter.groupIds, post.groupId) &&
    isAmong(filter.publication, publicationOf(post)?.status ?? null) &&
    (!filter.from || (at !== null && at >= filter.from.getTime())) &&
    (!filter.to || (at !== null && at <= filter.to.getTime())) &&
    (!filter.query ||
      matchesSearch(readSearchQuery(filter.query), toSearchDocument(searchedTexts(post)))) &&
    (filter.parentId === undefined || post.parentId === filter.parentId) &&
    (filter.minEngagement === undefined ||
      (post.analytics?.engagement ?? -1) >= filter.minEngagement)
  );
}

/** Undated last in both directions, ties by id in the direction of the list (D14). */
function byOrder({ field, direction }: PostOrder): (a: Post, b: Post) => number {
  const sign = direction === 'desc' ? -1 : 1;
  const at = (post: Post): number => Number(sortValueOf(post, field) ?? sign * Infinity);
  return (a, b) =>
    at(a) === at(b) ? sign * (a.databaseId - b.databaseId) : sign * (at(a) < at(b) ? -1 : 1);
}

/** The whole list, in order. */
export const listed = (
  posts: readonly Post[],
  viewer: Viewer,
  { filter, order }: Pick<PostListQuery, 'filter' | 'order'>,
): Post[] =>
  posts
    .filter((post) => isListed(post, viewer, filter))
    .filter((post) => order.field !== 'engagement' || sortValueOf(post, order.field) !== null)
    .sort(byOrder(order));

function counted<K>(keys: readonly K[]): [K, number][] {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** The facets of a list: most frequent first, then by name. */
export function facetsOf(posts: readonly Post[]): PostFacets {
  const labels = new Map(posts.flatMap((post) => post.labels).map((label) => [label.id, label]));
  return {
    exact: true,
    states: counted(posts.map((post) => toPostState(post.storedState))).map(([state, count]) => ({
      state,
      count,
    })),
    networks: counted(posts.flatMap((post) => post.network ?? [])).map(([network, count]) => ({
      network,
      count,
    })),
    types: counted(posts.map((post) => post.type)).map(([type, count]) => ({ type, count })),
    labels: counted(posts.flatMap((post) => post.labels.map((label) => label.name)))
      .map(([name, count]) => ({
        ...[...labels.values()].find((label) => label.name === name)!,
        count,
      }))
      .map(({ id, name, color, count }) => ({ labelId: id, name, color, count })),
  };
}
