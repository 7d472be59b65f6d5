import type { EditablePath } from './network-definition.js';
import { isSame } from '../changes/merge-patch.js';
import { NETWORKS } from './networks.js';
import type { Post } from '../posts/post.js';

/**
 * The fields of a post that its network shows and that can be edited there, with their values:
 * those that the network lets change for this post type, without labels. Stored as JSON.
 */
export type LiveFields = Readonly<Partial<Record<EditablePath, unknown>>>;

const valueAt = (post: Post, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null)?.[key] ?? null,
      post,
    );

/** The live fields as currently saved. Empty without a network. */
export function liveFields(post: Post): LiveFields {
  if (post.network === null) return {};
  const paths = NETWORKS[post.network].edits
    .filter(({ appliesTo }) => appliesTo === 'service_and_network')
    .filter(({ types }) => types.length === 0 || types.includes(post.type))
    .map(({ field }) => field);
  return Object.fromEntries(paths.map((path) => [path, valueAt(post, path)]));
}

const withValueAt = <T extends object>(
  target: T,
  [key, ...rest]: readonly string[],
  value: unknown,
): T => {
  const inner = (target as Record<string, object | null>)[key!] ?? {};
  return { ...target, [key!]: rest.length === 0 ? value : withValueAt(inner, rest, value) };
};

/** The post with these values of its live fields. */
export const withLiveFields = (post: Post, live: LiveFields): Post =>
  Object.entries(live).reduce(
    (merged, [path, value]) => withValueAt(merged, path.split('.'), value),
    post,
  );

/**
 * The text that the network shows; null on networks that do not show the post's text, such as a
 * blog.
 */
export const liveTextOf = (post: Post): string | null =>
  (liveFields(post).text as string | undefined) ?? null;

/** The fields whose saved value differs from the live one. */
export const changedLiveFields = (live: LiveFields, saved: LiveFields): EditablePath[] =>
  (Object.keys(saved) as EditablePath[]).filter(
    (path) => !isSame(live[path] ?? null, saved[path] ?? null),
  );

/**
 * Whether a change of a published post also has to be made on its network (Update post, rule 6).
 */
export const needsNetworkEdit = (before: Post, after: Post): boolean =>
  before.storedState === 'published_posted' &&
  changedLiveFields(liveFields(before), liveFields(after)).length > 0;
