import type { Change } from './request-history.js';
import { labelNames, labelsOf, type PostRow, type Revision } from './stored-posts.js';

/**
 * Posts that must have the mark of an applied change: for a series, its children too. A change of
 * the rule adds and removes children; those are checked against the rule (row-violations.ts).
 */
export const postsToChange = (
  { kind, posts }: Change,
  children: ReadonlyMap<string, readonly PostRow[]>,
): string[] =>
  (kind === 'series'
    ? [...posts, ...(children.get(posts[0]!) ?? []).map(({ id }) => id)]
    : [...posts]
  ).sort();

/** `rules`: revisions of the post that changed its rule. */
export function changeViolations(
  change: Change,
  revisionsWithMark: readonly Revision[],
  { expectedPosts, rules }: { expectedPosts: readonly string[]; rules: readonly Revision[] },
): string[] {
  const { kind, mark, posts, outcome, version, expectedVersion } = change;
  const postsWithMark = revisionsWithMark.map(({ post }) => post).sort();
  const isWhole = JSON.stringify(postsWithMark) === JSON.stringify(expectedPosts);
  const isAbsent = postsWithMark.length === 0;
  const summary = `${kind} ${mark} of ${posts[0]} was ${outcome}, and is in ${postsWithMark.length} of ${expectedPosts.length} posts`;
  if (!{ acknowledged: isWhole, rejected: isAbsent, unknown: isWhole || isAbsent }[outcome])
    return [summary];
  const revision = revisionsWithMark.find(({ post }) => post === posts[0]);
  if (!revision) return [];
  if (outcome === 'acknowledged' && expectedVersion !== null && version !== expectedVersion + 1)
    return [
      `${kind} ${mark} of ${posts[0]} expected version ${expectedVersion} and was acknowledged as version ${version}`,
    ];
  if (outcome === 'acknowledged' && revision.version !== version)
    return [
      `${kind} ${mark} was acknowledged as version ${version} of ${posts[0]}, but made version ${revision.version}`,
    ];
  return fieldViolations(change, revision, rules);
}

/**
 * Fields other than the text, which has the mark: a change must be stored completely, also if its
 * outcome is unknown.
 */
function fieldViolations(
  { kind, mark, scheduledAt, endDate }: Change,
  { version, changes }: Revision,
  rules: readonly Revision[],
): string[] {
  const parts: readonly (readonly [string, string | null, string | undefined])[] = [
    [
      'labels',
      kind === 'labels' ? labelsOf(mark).join() : null,
      changes.labels && labelNames(changes.labels.to).join(),
    ],
    ['date', scheduledAt && new Date(scheduledAt).toISOString(), changes.scheduledAt?.to],
    // A revision has no rule if the change set the same rule again.
    [
      'last day',
      endDate,
      rules
        .findLast((rule) => rule.version <= version)
        ?.changes.recurring?.to?.endDate.slice(0, endDate?.length),
    ],
  ];
  return parts
    .filter(([, expected, saved]) => expected !== null && saved !== expected)
    .map(
      ([field, expected, saved]) =>
        `${kind} ${mark} should set the ${field} to ${expected}, but set ${saved}`,
    );
}

export function deletionViolations(
  { mark, posts, outcome }: Change,
  rows: ReadonlyMap<string, PostRow>,
): string[] {
  const deleted = posts.filter((id) => rows.get(id)!.isDeleted).length;
  const isComplete = {
    acknowledged: deleted === posts.length,
    rejected: deleted === 0,
    unknown: deleted === 0 || deleted === posts.length,
  }[outcome];
  return isComplete
    ? []
    : [`deletion ${mark} was ${outcome}, and ${deleted} of ${posts.length} posts are deleted`];
}
