import type { Post } from '../../src/domain/posts/post.js';
import { UNAVAILABLE } from './outcomes.js';

/** Text and labels, as a response or the database has them. */
export interface Content {
  readonly text: string;
  readonly labels: readonly string[];
}
/** From sending the request until the response, by the clock of this process. */
export interface Span {
  readonly sentAt: number;
  readonly endedAt: number;
}
export interface Outcome {
  readonly code: string;
  readonly version?: number;
  readonly content?: Content;
}
/** A change that was sent, with a unique mark, and its outcome. */
export interface SentChange extends Span {
  readonly mark: string;
  readonly expectedVersion: number | undefined;
  readonly outcome: Outcome;
}
export interface SentDeletion extends Span {
  readonly code: string;
}
/** A revision of a post. */
export interface Revision {
  readonly version: number;
  readonly text: string | null;
  readonly labels: readonly { name: string }[] | null;
}
export interface StoredPost {
  readonly version: number;
  readonly content: Content;
  readonly revisions: readonly Revision[];
}

export const labelNames = (labels: readonly { name: string }[]): string[] =>
  labels.map(({ name }) => name).sort();

const markOf = (
  { text, labels }: Pick<Revision, 'text' | 'labels'>,
  marks: ReadonlyMap<string, unknown>,
): string => text ?? labels?.find(({ name }) => marks.has(name))?.name ?? '';

/**
 * Every acknowledged change has one revision, with the version and the content that were returned.
 * No rejected change has one.
 */
export function revisionViolations(
  post: Post,
  changes: readonly SentChange[],
  { revisions, ...stored }: StoredPost,
): string[] {
  const outcomes = new Map(changes.map(({ mark, outcome }) => [mark, outcome]));
  const storedMarks = new Set<string>();
  let content: Content = { text: post.text, labels: [] };
  const wrong = revisions.flatMap(({ version, text, labels }) => {
    content = { text: text ?? content.text, labels: labels ? labelNames(labels) : content.labels };
    const mark = markOf({ text, labels }, outcomes);
    const outcome = outcomes.get(mark);
    storedMarks.add(mark);
    const isExpected =
      outcome?.code === UNAVAILABLE ||
      (outcome?.version === version && JSON.stringify(outcome.content) === JSON.stringify(content));
    return isExpected
      ? []
      : [
          `post ${post.id} has ${mark} as version ${version}, ${JSON.stringify(content)}; the response was ${JSON.stringify(outcome)}`,
        ];
  });
  const lost = changes
    .filter(({ mark, outcome }) => outcome.code === 'done' && !storedMarks.has(mark))
    .map(({ mark }) => `post ${post.id}: ${mark} was acknowledged and is lost`);
  const [actual, expected] = [stored, { version: revisions.length + 1, content }].map((state) =>
    JSON.stringify(state),
  );
  return [
    ...wrong,
    ...lost,
    ...(actual === expected
      ? []
      : [`post ${post.id} is stored as ${actual}; its revisions give ${expected}`]),
  ];
}

/** Condition for each outcome code. */
const JUSTIFICATIONS: Readonly<
  Record<
    string,
    (
      change: SentChange,
      cause: { nextVersion: Span | undefined; deletion: Span | undefined },
    ) => boolean
  >
> = {
  done: ({ expectedVersion, outcome: { version } }) =>
    expectedVersion === undefined || version === expectedVersion + 1,
  // The version after the expected one was requested before the conflict was reported.
  CONFLICT: ({ expectedVersion, endedAt }, { nextVersion }) =>
    expectedVersion !== undefined && nextVersion !== undefined && nextVersion.sentAt < endedAt,
  POST_NOT_FOUND: ({ endedAt }, { deletion }) =>
    deletion !== undefined && deletion.sentAt < endedAt,
};

/**
 * Outcomes without a justification, versions in another order than clients observed, and changes of
 * a deleted post.
 */
export function orderViolations(
  { id }: Post,
  changes: readonly SentChange[],
  { deletions, revisions }: { deletions: readonly SentDeletion[]; revisions: readonly Revision[] },
): string[] {
  const byMark = new Map(changes.map((change) => [change.mark, change]));
  const applied = revisions.map((revision) => byMark.get(markOf(revision, byMark)));
  const deletion = deletions
    .filter(({ code }) => code === 'deleted' || code === UNAVAILABLE)
    .toSorted((a, b) => a.sentAt - b.sentAt)[0];
  const deletedAt = Math.min(
    ...deletions.filter(({ code }) => code === 'deleted').map(({ endedAt }) => endedAt),
  );
  const unjustified = changes.filter(
    (change) =>
      JUSTIFICATIONS[change.outcome.code]?.(change, {
        nextVersion: applied[change.expectedVersion! - 1],
        deletion,
      }) === false,
  );
  const afterDeletion = applied.filter((change) => change && change.sentAt > deletedAt);
  let sentAt = 0;
  const overtaken = applied.filter((change) => {
    sentAt = Math.max(sentAt, change?.sentAt ?? 0);
    return change?.outcome.code === 'done' && change.endedAt < sentAt;
  });
  return Object.entries({
    'outcome without a cause': unjustified,
    'change sent after an acknowledged deletion': afterDeletion,
    'change acknowledged before an earlier version was sent': overtaken,
  }).flatMap(([violation, found]) =>
    found.map((change) => `post ${id}: ${violation}: ${JSON.stringify(change)}`),
  );
}

/** A deleted post is reported as deleted once. */
export function deletionViolations(
  { id }: Post,
  deletions: readonly SentDeletion[],
  isDeleted: boolean,
): string[] {
  const codes = deletions.map(({ code }) => code);
  const reported = codes.filter((code) => code === 'deleted').length;
  const isConsistent = isDeleted
    ? reported === 1 || (reported === 0 && codes.includes(UNAVAILABLE))
    : reported === 0;
  return isConsistent
    ? []
    : [`post ${id} was reported as deleted ${reported} times; deleted: ${isDeleted}`];
}
