import { EDIT_RULES, type EditablePath, type EditRule } from '../rules/edit-rules.js';
import { isSame } from '../changes/merge-patch.js';
import type { Network } from './networks.js';
import type { Post } from '../posts/post.js';

/**
 * What of a post its network shows and an edit there can change: the value of each field that the document's table
 * "Fields updatable after publication" has for this network and post type, labels apart. Kept as JSON.
 */
export type LiveFields = Readonly<Partial<Record<EditablePath, unknown>>>;

const networkRules = (network: Network): readonly EditRule[] =>
  (EDIT_RULES[network] as readonly EditRule[]).filter(
    ({ appliesTo }) => appliesTo === 'service_and_network',
  );

/** Whether edits of published posts go to this network at all; on the others only labels change, in the service (rule 3). */
export const isEditable = (network: Network): boolean => networkRules(network).length > 0;

const valueAt = (post: Post, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null)?.[key] ?? null,
      post,
    );

/** The fields as the service has them now. Empty without a network. */
export function liveFields(post: Post): LiveFields {
  if (post.network === null) return {};
  const paths = networkRules(post.network)
    .filter(({ types }) => types.length === 0 || types.includes(post.type))
    .map(({ field }) => field);
  return Object.fromEntries(paths.map((path) => [path, valueAt(post, path)]));
}

const withValueAt = <T extends object>(
  holder: T,
  [key, ...rest]: readonly string[],
  value: unknown,
): T => {
  const inner = (holder as Record<string, object | null>)[key!] ?? {};
  return { ...holder, [key!]: rest.length === 0 ? value : withValueAt(inner, rest, value) };
};

/** The post as it is where these fields have these values. */
export const withLiveFields = (post: Post, live: LiveFields): Post =>
  Object.entries(live).reduce(
    (shown, [path, value]) => withValueAt(shown, path.split('.'), value),
    post,
  );

/** The text that the network shows; null where the post's text is not shown as such, as on a blog. */
export const liveTextOf = (post: Post): string | null =>
  (liveFields(post).text as string | undefined) ?? null;

/** The fields whose value differs between two moments. */
export const changedLiveFields = (live: LiveFields, wanted: LiveFields): EditablePath[] =>
  (Object.keys(wanted) as EditablePath[]).filter(
    (path) => !isSame(live[path] ?? null, wanted[path] ?? null),
  );

/** Whether a change of a published post has to be made on its network too (Update post, rule 6). */
export const goesToNetwork = (before: Post, after: Post): boolean =>
  before.cell === 'published_posted' &&
  changedLiveFields(liveFields(before), liveFields(after)).length > 0;
