import type { Viewer } from '../../../domain/access/viewer.js';
import { mergePatch } from '../../../domain/changes/merge-patch.js';
import { accountRefusals } from '../../../domain/creation/account-refusals.js';
import { checkPublishable } from '../../../domain/creation/check-publishable.js';
import { draftState } from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import type { PostPatch } from '../../../domain/posts/post-patch.js';
import { type Account, type Post, BLANK_POST } from '../../../domain/posts/post.js';
import { formatRefusals } from '../../../domain/rules/format-rules.js';
import type { CheckedReferences } from '../patch-references.js';
import { completeRule, resolveRule } from '../series/series-dates.js';
import type { CreationItem } from './creation-request.js';
import {
  planDates,
  queueRefusals,
  repetitionRefusals,
  timeRefusals,
  toPostTime,
  withoutRepeatedFields,
  type TargetPlan,
} from './planning-rules.js';

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

/**
 * The post before the patch: what a rule compares the patch with. The blank post is in the middle,
 * because V8 takes twenty times as long to add fields to a copy of it.
 */
function newPost(viewer: Viewer, { item, account, patch, id, groupId, now }: TargetInput): Post {
  return {
    id,
    databaseId: 0,
    workspaceId: viewer.workspace.id,
    storedState: 'scheduled',
    network: account?.network ?? null,
    accountId: account?.id ?? null,
    account,
    creatorId: viewer.user.id,
    user: viewer.user,
    createdAt: now,
    updatedAt: now,
    ...BLANK_POST,
    type: patch.type!,
    scheduledAt: null,
    groupId,
    auto: item.mode === 'add_to_queue',
  };
}

/** The time of the post. */
function timeOf({ item, queueSlot, scheduledAt, now }: TargetInput, merged: Post): Date | null {
  if (item.mode === 'share_now') return toPostTime(now);
  return item.mode === 'add_to_queue' ? queueSlot : (scheduledAt ?? merged.scheduledAt);
}

/** A time that would be ignored is refused: the post would be public at once (D48). */
const sharedTimeRefusals = ({ item, scheduledAt, patch }: TargetInput): Refusal[] =>
  item.mode === 'share_now' && (scheduledAt ?? patch.scheduledAt)
    ? [
        {
          code: 'RULE_VIOLATION',
          message:
            'scheduledAt cannot be combined with the mode SHARE_NOW: the post is published immediately.',
          path: ['scheduledAt'],
          rule: 'D48',
        },
      ]
    : [];

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
      ...(item.mode === 'add_to_queue'
        ? queueRefusals({
            hasTime: (input.scheduledAt ?? patch.scheduledAt ?? null) !== null,
            account,
            slot: input.queueSlot,
            hasPeriod: Boolean(item.queuePeriod?.from ?? item.queuePeriod?.until),
          })
        : timeRefusals(item.mode, timed, now)),
      ...sharedTimeRefusals(input),
      ...(isDraft
        ? []
        : [
            ...accountRefusals(account, timed),
            ...repetitionRefusals(item.mode, timed, { now, zone }),
          ]),
    ],
    formatRefusals(before, timed, patch),
    isDraft || !account ? [] : checkPublishable(timed, account),
  ]);
  if (isDraft) {
    const storedState = draftState(item.visibility, scheduledAt);
    return { post: { ...timed, storedState }, dates: [], refusals };
  }
  return planDates(viewer, { post: timed, dates: [], refusals }, now);
}
