import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import { mergePatch } from '../../../domain/changes/merge-patch.js';
import { accountRefusals } from '../../../domain/creation/account-refusals.js';
import { checkContent } from '../../../domain/creation/check-content.js';
import { draftState, plannedState } from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import { blankPost } from '../../../domain/posts/post-fields.js';
import type { PostPatch } from '../../../domain/posts/post-patch.js';
import type { Account, Post } from '../../../domain/posts/post.js';
import { MIN_LEAD_MS } from '../../../domain/rules/field-availability.js';
import { formatRefusals } from '../../../domain/rules/format-rules.js';
import type { CheckedReferences } from '../patch-references.js';
import { recyclingEffect } from '../recycling.js';
import { NO_FUTURE_DATE } from '../series/plan-series.js';
import { completeRule, resolveRule, upcomingDates } from '../series/series.js';
import type { CreationItem } from './creation-request.js';

/** A target with everything that its post is made of. */
export interface TargetInput {
  readonly item: CreationItem;
  /** Null for an idea. */
  readonly account: Account | null;
  /** Common post, variant and target as one patch. */
  readonly patch: PostPatch;
  readonly references: CheckedReferences;
  /** The time of the target, or else of the call. */
  readonly scheduledAt: Date | null;
  /** The free time that the queue of the account has for the post; null in other modes. */
  readonly queueSlot: Date | null;
  readonly id: string;
  readonly groupId: string;
  readonly now: Date;
}

/** A new post, or why it cannot be created. Paths start at the patch, or are `scheduledAt`. */
export interface TargetPlan {
  readonly post: Post;
  /** The dates of the occurrences of a series. */
  readonly dates: readonly Date[];
  readonly refusals: readonly Refusal[];
}

const violation = (path: readonly string[], rule: string, message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path,
  rule,
});

/** The post before the patch: what a rule compares the patch with. */
function newPost(viewer: Viewer, { item, account, patch, id, groupId, now }: TargetInput): Post {
  return {
    ...blankPost(),
    id,
    databaseId: 0,
    workspaceId: viewer.workspace.id,
    storedState: 'scheduled',
    type: patch.type!,
    network: account?.network ?? null,
    accountId: account?.id ?? null,
    account,
    creatorId: viewer.user.id,
    user: viewer.user,
    groupId,
    scheduledAt: null,
    auto: item.mode === 'add_to_queue',
    createdAt: now,
    updatedAt: now,
  };
}

/** Why the post has no valid time (D48). */
function timeRefusals(input: TargetInput, { scheduledAt, recurring }: Post): Refusal[] {
  const { item, now } = input;
  if (item.mode === 'share_now') return [];
  if (item.mode === 'add_to_queue') return queueRefusals(input);
  if (scheduledAt === null)
    return item.mode === 'draft' || recurring?.startDate
      ? []
      : [violation(['scheduledAt'], 'D48', 'scheduledAt is required in mode SCHEDULE.')];
  return scheduledAt.getTime() >= now.getTime() + MIN_LEAD_MS
    ? []
    : [violation(['scheduledAt'], 'D48', 'scheduledAt must be at least one minute in the future.')];
}

/** Why the post gets no time in the queue of its account (D61). */
function queueRefusals({ patch, account, scheduledAt, queueSlot }: TargetInput): Refusal[] {
  if (scheduledAt ?? patch.scheduledAt)
    return [
      violation(
        ['scheduledAt'],
        'D61',
        'scheduledAt cannot be combined with the mode ADD_TO_QUEUE: the queue determines the time.',
      ),
    ];
  return queueSlot
    ? []
    : [
        {
          code: 'NO_FREE_SLOT',
          message: `The posting schedule of ${account!.name} has no free time within a year. Add slots with setPostingSchedule, or choose a time.`,
          path: ['accountId'],
          rule: 'D61',
        },
      ];
}

/** Why the post cannot be repeated as it asks for (D48). */
function repetitionRefusals({ item, now }: TargetInput, post: Post, zone: string): Refusal[] {
  const field = post.recurring ? 'recurring' : post.recycling ? 'recycling' : null;
  if (field === null) return [];
  if (item.mode !== 'schedule')
    return [violation([field], 'D48', `${field} requires the mode SCHEDULE.`)];
  if (post.recurring && post.recycling)
    return [violation(['recycling'], 'D48', 'recycling cannot be combined with recurring.')];
  const before: Post = { ...post, storedState: 'recycling_active', recycling: null };
  const isOver = recyclingEffect({ before, after: post, now, zone }).event === 'recycling_expired';
  return isOver
    ? [violation(['recycling', 'expireDate'], 'D48', 'recycling.expireDate is in the past.')]
    : [];
}

/** The time of the post. */
function timeOf({ item, queueSlot, scheduledAt, now }: TargetInput, merged: Post): Date | null {
  if (item.mode === 'share_now') return new Date(Math.floor(now.getTime() / 1000) * 1000);
  return item.mode === 'add_to_queue' ? queueSlot : (scheduledAt ?? merged.scheduledAt);
}

/** Groups of refusals in one list: a field that a group refuses is not refused again by later ones. */
const withoutRepeatedFields = (groups: readonly (readonly Refusal[])[]): Refusal[] =>
  groups.reduce<Refusal[]>((refusals, group) => {
    const fields = new Set(refusals.map(({ path }) => path[0]));
    return [...refusals, ...group.filter(({ path }) => !fields.has(path[0]))];
  }, []);

/** The post of a target, with the rules of an update of a scheduled post and of creations (D47). */
export function planTarget(viewer: Viewer, input: TargetInput): TargetPlan {
  const { item, account, references, now } = input;
  const zone = viewer.workspace.timeZone;
  const isDraft = item.mode === 'draft';
  const recurring = resolveRule(input.patch.recurring, zone);
  const patch: PostPatch = { ...input.patch, ...(recurring !== undefined && { recurring }) };
  const before = newPost(viewer, input);
  const merged = mergePatch(
    before,
    references.refusals.length > 0 ? { ...patch, media: undefined } : patch,
    references,
  );
  const scheduledAt = timeOf(input, merged);
  const timed: Post = {
    ...merged,
    scheduledAt,
    recurring:
      merged.recurring && !isDraft
        ? completeRule(merged.recurring, { scheduledAt, recurring: null })
        : merged.recurring,
  };
  const refusals = withoutRepeatedFields([
    [
      ...references.refusals,
      ...timeRefusals(input, timed),
      ...(isDraft
        ? []
        : [...accountRefusals(account, timed), ...repetitionRefusals(input, timed, zone)]),
    ],
    formatRefusals(before, timed, patch),
    isDraft || !account ? [] : checkContent(timed, account.network),
  ]);
  if (isDraft) {
    const storedState = draftState(item.visibility, scheduledAt);
    return { post: { ...timed, storedState }, dates: [], refusals };
  }
  return withDates(viewer, { post: timed, dates: [], refusals }, now);
}

/** The state and dates of a post that is to be published; those of a series follow from its rule. */
function withDates(viewer: Viewer, { post, refusals }: TargetPlan, now: Date): TargetPlan {
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
      post: { ...planned, scheduledAt: dates[0] ?? post.scheduledAt },
      dates,
      refusals: dates.length > 0 || isRefused ? refusals : [...refusals, noDate],
    };
  }
  const before: Post = { ...planned, recycling: null };
  const { scheduledAt } = recyclingEffect({ before, after: planned, now, zone });
  return { post: { ...planned, scheduledAt }, dates: [], refusals };
}
