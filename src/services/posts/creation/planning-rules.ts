import type { Network } from '../../../domain/networks/networks.js';
import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import { plannedState, type ShareMode } from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Account, Post } from '../../../domain/posts/post.js';
import { MIN_LEAD_MS } from '../../../domain/rules/edit-rules.js';
import { recyclingEffect } from '../../../domain/calendar/recycling.js';
import { NO_FUTURE_DATE } from '../series/plan-series.js';
import { nextExtensionAt, upcomingDates } from '../series/series-dates.js';
import { canonicalJson, isSame } from '../../../domain/changes/merge-patch.js';
import { isEmptyContent, readerContentOf } from '../../../domain/posts/reader-content.js';
import { isScheduled } from '../../../domain/posts/states.js';
import type {
  ContentCandidate,
  Duplicate,
  PostStore,
} from '../../../persistence/posts/post-store.js';

/**
 * A post that is to be published, or why it cannot be. Paths start at the patch, or are
 * `scheduledAt`.
 */
export interface TargetPlan {
  readonly post: Post;
  /** The dates of the occurrences of a series. */
  readonly dates: readonly Date[];
  readonly refusals: readonly Refusal[];
}

/** The plan of one target. Paths of its refusals start at the item. */
export interface PlannedTarget {
  readonly item: number;
  readonly index: number;
  readonly accountId: string | null;
  readonly network: Network | null;
  readonly plan: TargetPlan | null;
  readonly refusals: readonly Refusal[];
  readonly warnings: readonly string[];
}

/** A refusal of one field by a rule. */
const violation = (path: readonly string[], rule: string, message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path,
  rule,
});

/** The current time as the time of a post, in whole seconds (D8). */
export const toPostTime = (now: Date): Date => new Date(Math.floor(now.getTime() / 1000) * 1000);

/** Why the post has no valid time (D48). */
export function timeRefusals(
  mode: Exclude<ShareMode, 'add_to_queue'>,
  { scheduledAt, recurring }: Pick<Post, 'scheduledAt' | 'recurring'>,
  now: Date,
): Refusal[] {
  if (mode === 'share_now') return [];
  if (scheduledAt === null)
    return mode === 'draft' || recurring?.startDate
      ? []
      : [violation(['scheduledAt'], 'D48', 'scheduledAt is required in mode SCHEDULE.')];
  return scheduledAt.getTime() >= now.getTime() + MIN_LEAD_MS
    ? []
    : [violation(['scheduledAt'], 'D48', 'scheduledAt must be at least one minute in the future.')];
}

/** Why the post gets no time in the queue of its account (D61). */
export function queueRefusals({
  hasTime,
  account,
  slot,
  hasPeriod = false,
}: {
  /** Whether the request has a time for the post. */
  readonly hasTime: boolean;
  readonly account: Account | null;
  /** The free time that was found. */
  readonly slot: Date | null;
  /** Whether the request limits the time to a period. */
  readonly hasPeriod?: boolean;
}): Refusal[] {
  if (hasTime)
    return [
      violation(
        ['scheduledAt'],
        'D61',
        'scheduledAt cannot be combined with the mode ADD_TO_QUEUE: the queue determines the time.',
      ),
    ];
  return slot
    ? []
    : [
        {
          code: 'NO_FREE_SLOT',
          message: hasPeriod
            ? `The posting schedule of ${account!.name} has no free time in the requested range. Extend the range, or choose a time.`
            : `The posting schedule of ${account!.name} has no free time within a year. Add slots with setPostingSchedule, or choose a time.`,
          path: ['accountId'],
          rule: 'D61',
        },
      ];
}

/** Why the post cannot be repeated as it asks for (D48). */
export function repetitionRefusals(
  mode: ShareMode,
  post: Post,
  { now, zone }: { readonly now: Date; readonly zone: string },
): Refusal[] {
  const field = post.recurring ? 'recurring' : post.recycling ? 'recycling' : null;
  if (field === null) return [];
  if (mode !== 'schedule')
    return [violation([field], 'D48', `${field} requires the mode SCHEDULE.`)];
  if (post.recurring && post.recycling)
    return [violation(['recycling'], 'D48', 'recycling cannot be combined with recurring.')];
  const before: Post = { ...post, storedState: 'recycling_active', recycling: null };
  const isOver = recyclingEffect({ before, after: post, now, zone }).event === 'recycling_expired';
  return isOver
    ? [violation(['recycling', 'expireDate'], 'D48', 'recycling.expireDate is in the past.')]
    : [];
}

/**
 * Groups of refusals in one list: a field that a group refuses is not refused again by later ones.
 */
export const withoutRepeatedFields = (groups: readonly (readonly Refusal[])[]): Refusal[] =>
  groups.reduce<Refusal[]>((refusals, group) => {
    const fields = new Set(refusals.map(({ path }) => path[0]));
    return [...refusals, ...group.filter(({ path }) => !fields.has(path[0]))];
  }, []);

/**
 * The state and dates of a post that is to be published; those of a series follow from its rule.
 */
export function planDates(viewer: Viewer, { post, refusals }: TargetPlan, now: Date): TargetPlan {
  const zone = viewer.workspace.timeZone;
  const storedState = plannedState({
    isSeries: post.recurring !== null,
    isRecycling: post.recycling !== null,
    needsApproval: needsApproval(viewer),
  });
  const planned: Post = { ...post, storedState };
  if (post.recurring) {
    const dates = upcomingDates(post.recurring, zone, now);
    const isRefused = refusals.some(({ path }) => path[0] === 'recurring');
    const noDate = violation(['recurring'], 'D17', NO_FUTURE_DATE);
    return {
      post: {
        ...planned,
        scheduledAt: dates[0] ?? post.scheduledAt,
        extendAt: nextExtensionAt(post.recurring, zone, dates),
        occurrenceState: needsApproval(viewer) ? 'scheduled_pending' : 'scheduled',
      },
      dates,
      refusals: dates.length > 0 || isRefused ? refusals : [...refusals, noDate],
    };
  }
  const before: Post = { ...planned, recycling: null };
  const { scheduledAt } = recyclingEffect({ before, after: planned, now, zone });
  return { post: { ...planned, scheduledAt }, dates: [], refusals };
}

const DAY_MS = 86_400_000;

/**
 * The content of a post that is a duplicate of equal content; null if it cannot be one: drafts,
 * series and their occurrences, recycling and published posts (D49).
 */
export function toContentCandidate(post: Post): ContentCandidate | null {
  const { id, storedState, parentId, accountId, scheduledAt } = post;
  if (!isScheduled(storedState) || parentId !== null || !accountId || !scheduledAt) return null;
  const content = readerContentOf(post);
  return isEmptyContent(content) ? null : { postId: id, accountId, at: scheduledAt, content };
}

/**
 * What a change makes of a post that is a duplicate of equal content; null also if neither its
 * content nor its time changes. `before`: null for a post that did not exist.
 */
export function toChangedCandidate(before: Post | null, after: Post): ContentCandidate | null {
  const candidate = toContentCandidate(after);
  return before && isSame(candidate, toContentCandidate(before)) ? null : candidate;
}

/** A text without differences that readers overlook, as the store compares texts (D93). */
const comparableText = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s\p{P}]+$/u, '') || text;

const contentKey = ({ accountId, content }: ContentCandidate): string =>
  canonicalJson([accountId, { ...content, text: comparableText(content.text) }]);

/** The candidates that have the content of an earlier one of the same call within 24 hours. */
function repeatedIn(candidates: readonly ContentCandidate[]): ReadonlySet<ContentCandidate> {
  const timesOf = new Map<string, number[]>();
  return new Set(
    candidates.filter((candidate) => {
      const key = contentKey(candidate);
      const at = candidate.at.getTime();
      const times = timesOf.get(key) ?? [];
      const isRepeated = times.some((time) => Math.abs(time - at) <= DAY_MS);
      timesOf.set(key, [...times, at]);
      return isRepeated;
    }),
  );
}

/** Refuses a post with the content of another one. The input of the call has `allowDuplicate`. */
export const duplicateRefusal = (duplicate: DuplicateOf): Refusal => ({
  code: 'DUPLICATE_CONTENT',
  message: `${duplicateMessage(duplicate)} Set allowDuplicate to save it nevertheless.`,
  path: ['allowDuplicate'],
  rule: 'D49',
  ...(duplicate !== 'in call' && { postId: duplicate.id }),
});

/** What a post is a duplicate of: a post, or an earlier one of the same call. */
export type DuplicateOf = Duplicate | 'in call';

/** Why a post is a duplicate, with the state and the address of the other one (D93). */
export function duplicateMessage(duplicate: DuplicateOf): string {
  const other =
    duplicate === 'in call'
      ? 'Another post of this call'
      : `The post ${duplicate.id} (${[duplicate.state, duplicate.url].filter(Boolean).join(', ')})`;
  return `${other} for this account has the same content within 24 hours.`;
}

/**
 * For each candidate, the post or the earlier candidate that it is a duplicate of; or null (D49).
 */
export async function duplicatesOf(
  store: Pick<PostStore, 'findDuplicates'>,
  candidates: readonly (ContentCandidate | null)[],
): Promise<readonly (DuplicateOf | null)[]> {
  const checked = candidates.filter((candidate) => candidate !== null);
  if (checked.length === 0) return candidates.map(() => null);
  const found = await store.findDuplicates(checked);
  const posts = new Map(checked.map((candidate, index) => [candidate, found[index]!]));
  const repeated = repeatedIn(checked);
  return candidates.map(
    (candidate) =>
      candidate && (posts.get(candidate) ?? (repeated.has(candidate) ? 'in call' : null)),
  );
}
