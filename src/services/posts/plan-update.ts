import { needsApproval, type Viewer, toActor } from '../../domain/access/viewer.js';
import { capReservations, newSlots, queueSlotsOf } from '../../domain/caps/daily-caps.js';
import { EMPTY_CHANGE, type Change, type UpsertWrite } from '../../domain/changes/change.js';
import {
  contentRefusal,
  publishedEditRefusals,
  scheduleRefusals,
} from '../../domain/rules/edit-rules.js';
import {
  isPausedAfterApproval,
  storedStateAfter,
  type StateEvent,
} from '../../domain/posts/transitions.js';
import type { Refusal } from '../../domain/errors.js';
import { usesSlug } from '../../domain/networks/networks.js';
import { formatRefusals } from '../../domain/rules/format-rules.js';
import type { Job } from '../../domain/jobs/job.js';
import {
  effectivePatch,
  withoutShownValues,
  changedFields,
  isMoreThanLabels,
  isSame,
  mergePatch,
  patchedFields,
} from '../../domain/changes/merge-patch.js';
import type { DuplicateReaction } from '../../domain/creation/creation-modes.js';
import type { OccurrenceChanges } from '../../domain/calendar/occurrence-dates.js';
import { enumKeys } from '../../domain/enums.js';
import { changedContentRefusals } from '../../domain/creation/check-publishable.js';
import { liveTextOf, needsNetworkEdit } from '../../domain/networks/live-fields.js';
import { renewPublication } from '../../domain/publishing/publication.js';
import { PATCH_FIELDS, type PostPatch } from '../../domain/posts/post-fields.js';
import type { NetworkSync, Post } from '../../domain/posts/post.js';
import { isDeclined, isScheduled } from '../../domain/posts/states.js';
import { approvalNotifications } from '../changes/plan-change.js';
import type { ChangeDependencies } from '../changes/run-change.js';
import type { Ids } from '../ids.js';
import { resolveReferences, type ResolvedReferences } from './patch-references.js';
import { type ChildChanges, planSeries, type SeriesPlan } from './series/plan-series.js';
import { recyclingEffect } from '../../domain/calendar/recycling.js';
import { completeRule, resolveRule, toInstantString } from './series/series-dates.js';
import { duplicateRefusal, toChangedCandidate } from './creation/planning-rules.js';

type UpdatePlan =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  /** The patch has no effect: nothing is written, and the version stays (D20, D26). */
  | { readonly kind: 'unchanged'; readonly after: Post }
  | {
      readonly kind: 'change';
      readonly after: Post;
      readonly job: Job | null;
      readonly change: Change;
      readonly children: ChildChanges;
      readonly series: OccurrenceChanges | null;
      /** ID of a post with the same content within 24 hours, if that does not refuse the update. */
      readonly duplicateOf: string | null;
    };

/** A patch, and where its time comes from. */
export interface PlannedPatch {
  readonly patch: PostPatch;
  /** Whether the time of the patch is one of the queue of the account, and not a member's. */
  readonly takesSlot: boolean;
}

interface PatchedPost {
  readonly before: Post;
  readonly after: Post;
  /** The fields that differ. */
  readonly changed: readonly (keyof Post)[];
}

/** The events of the update, for the transition table. */
function eventsOf(
  viewer: Viewer,
  { before, after, changed }: PatchedPost,
  patch: PostPatch,
): StateEvent[] {
  const events: StateEvent[] = [];
  if (patch.scheduledAt !== undefined) events.push(after.scheduledAt ? 'dated' : 'undated');
  if (patch.recurring && after.recurring) events.push('series_started');
  if (before.storedState === 'recurring' && after.recurring === null) events.push('series_ended');
  if (isMoreThanLabels(changed)) {
    if (needsApproval(viewer)) events.push('changed_without_approval');
    if (isDeclined(before.storedState) && before.creatorId === viewer.user.id)
      events.push('approval_requested');
  }
  return events;
}

/**
 * The fields that a child has changed itself, which later edits of its series do not overwrite
 * (D23). `url` and `link` are one value except on a blog (D20), so changing one counts for both.
 */
function ownFieldsAfter(before: Post, changed: readonly (keyof Post)[]): string[] {
  if (before.parentId === null) return before.ownFields;
  const changedPatchFields = PATCH_FIELDS.filter((field) => changed.includes(field));
  const linkFields =
    !usesSlug(before.network) &&
    (changedPatchFields.includes('url') || changedPatchFields.includes('link'))
      ? ['url', 'link']
      : [];
  return [...new Set([...before.ownFields, ...changedPatchFields, ...linkFields])];
}

/** Whether the patch gives the post a time, or a rule for its times: no time of a queue (D61). */
const hasOwnTime = ({ scheduledAt, recurring, recycling }: PostPatch): boolean =>
  [scheduledAt, recurring, recycling].some((value) => value !== undefined && value !== null);

interface PatchStep extends PlannedPatch {
  readonly references: ResolvedReferences;
  readonly now: Date;
}

/** The post with the patch applied, and the part of the patch that changes it (D26). */
interface AppliedPatch {
  readonly merged: Post;
  /** The fields of the patch, and those derived from them, that differ. */
  readonly changed: readonly (keyof Post)[];
  readonly effective: PostPatch;
}

function applyPatch(
  viewer: Viewer,
  before: Post,
  { patch, takesSlot, references, now }: PatchStep,
): AppliedPatch {
  const canBeSeries = before.storedState === 'recurring' || isScheduled(before.storedState);
  const patched = mergePatch(before, patch, references);
  const startsRecycling =
    isScheduled(before.storedState) && !before.recycling && patched.recycling !== null;
  const recycled = recyclingEffect({
    before: startsRecycling ? { ...before, storedState: 'recycling_active' } : before,
    after: patched,
    now,
    zone: viewer.workspace.timeZone,
  });
  const merged = {
    ...patched,
    scheduledAt: recycled.scheduledAt,
    recurring:
      patched.recurring && canBeSeries
        ? completeRule(patched.recurring, {
            scheduledAt: patched.scheduledAt,
            recurring: before.recurring,
          })
        : patched.recurring,
  };
  const changed = patchedFields(before, merged);
  if (changed.length === 0) return { merged: before, changed, effective: {} };
  const effective = effectivePatch(changed, { before, after: merged }, patch);
  const storedState = [
    ...(startsRecycling ? (['recycling_started'] as const) : []),
    ...(before.recycling && !merged.recycling ? (['recycling_ended'] as const) : []),
    ...(recycled.event ? [recycled.event] : []),
    ...eventsOf(viewer, { before, after: merged, changed }, effective),
  ].reduce(storedStateAfter, before.storedState);
  const ownFields = ownFieldsAfter(before, changed);
  const auto = hasOwnTime(effective) ? takesSlot : before.auto;
  const pausedAfterApproval = isPausedAfterApproval(before, storedState);
  return {
    merged: { ...merged, storedState, auto, ownFields, pausedAfterApproval },
    changed,
    effective,
  };
}

/** What a patch changes of what clients see, with the dates of a rule in the workspace's zone. */
function readableChanges(before: Post, { recurring, ...rest }: PostPatch, zone: string): PostPatch {
  const patch =
    recurring === undefined ? rest : { ...rest, recurring: resolveRule(recurring, zone)! };
  return withoutShownValues(before, patch);
}

const MINUTE_MS = 60_000;
const minuteStart = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);

/** Why the post cannot get back its time in the queue of its account (D61); null if it is free. */
async function takenSlotRefusal(
  { postingSchedules }: Pick<ChangeDependencies, 'postingSchedules'>,
  before: Post,
  { auto, accountId, account, scheduledAt }: Post,
): Promise<Refusal | null> {
  if (!auto || accountId === null || !scheduledAt) return null;
  const from = minuteStart(scheduledAt);
  if (before.scheduledAt && isSame(minuteStart(before.scheduledAt), from)) return null;
  const until = new Date(from.getTime() + MINUTE_MS - 1);
  const queues = await postingSchedules.queues([accountId], { from, until });
  return queues.get(accountId)?.plannedAt.length === 0
    ? null
    : {
        code: 'NO_FREE_SLOT',
        message: `scheduledAt would be ${toInstantString(scheduledAt)}, a time in the queue of ${account!.name} that another post has now. Give the post another time with schedulePosts.`,
        path: ['scheduledAt'],
        rule: 'D61',
      };
}

/**
 * Decides an update: the refusals of the rules, or the complete change (Update post; D20 to D29).
 * Reads related records and does not write.
 */
export async function planUpdate(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  before: Post,
  request: PlannedPatch & { readonly duplicates: DuplicateReaction; readonly now: Date },
): Promise<UpdatePlan> {
  const { takesSlot, duplicates, now } = request;
  const patch = readableChanges(before, request.patch, viewer.workspace.timeZone);
  const references = await resolveReferences({ ...dependencies, viewer }, patch);
  // Unknown media cannot be merged: the rest of the patch is checked without it.
  const isMediaRefused = references.refusals.length > 0;
  const { merged, changed, effective } = applyPatch(viewer, before, {
    patch: isMediaRefused ? { ...patch, media: undefined } : patch,
    takesSlot,
    references,
    now,
  });
  const checked = isMediaRefused ? { ...effective, media: patch.media } : effective;
  const ruleRefusals = [
    ...publishedEditRefusals(before, checked, viewer),
    ...scheduleRefusals(before, checked, now),
    ...references.refusals,
  ];
  const isOther = ({ path: [field] }: Refusal): boolean =>
    !ruleRefusals.some((refusal) => refusal.path[0] === field);
  const otherFormatRefusals = [
    ...formatRefusals(before, merged, checked),
    ...(merged.network && needsNetworkEdit(before, merged)
      ? changedContentRefusals(merged, merged.network, changed)
      : []),
  ].filter(isOther);
  const locked = isMoreThanLabels(changed) ? contentRefusal(before) : null;
  const refusals = locked ? [locked] : [...ruleRefusals, ...otherFormatRefusals];
  if (refusals.length > 0) return { kind: 'refused', refusals };
  if (merged === before) return { kind: 'unchanged', after: before };
  const taken = takesSlot ? await takenSlotRefusal(dependencies, before, merged) : null;
  if (taken) return { kind: 'refused', refusals: [taken] };

  const series = await planSeries(dependencies.store, dependencies.ids, viewer, {
    before,
    after: merged,
    changed,
    patch: effective,
    references,
    now,
  });
  if (series.kind === 'refused') return { kind: 'refused', refusals: [series.refusal] };
  const candidate = duplicates === 'allow' ? null : toChangedCandidate(before, series.after);
  const [duplicate = null] = candidate ? await dependencies.store.findDuplicates([candidate]) : [];
  if (duplicate && duplicates === 'refuse')
    return { kind: 'refused', refusals: [duplicateRefusal(duplicate)] };
  const planned = await toChange(dependencies, viewer, {
    before,
    merged,
    changed,
    series,
    references,
    now,
  });
  const { children, series: occurrences } = series;
  return {
    kind: 'change',
    ...planned,
    children,
    series: occurrences,
    duplicateOf: duplicate?.id ?? null,
  };
}

function networkJob(
  ids: Ids,
  before: Post,
  after: Post,
  now: Date,
): { job: Job; sync: NetworkSync } | null {
  if (!needsNetworkEdit(before, after)) return null;
  const job: Job = {
    id: ids.prefixed('job'),
    kind: 'network_edit',
    status: 'working',
    progress: 0,
    failures: [],
    result: null,
    postId: before.databaseId,
    createdAt: now,
    finishedAt: null,
  };
  const liveText = before.networkSync ? before.networkSync.liveText : liveTextOf(before);
  return {
    job,
    sync: { status: 'pending', jobId: job.id, liveText, error: null, attemptedAt: null },
  };
}

interface ChangeStep {
  readonly before: Post;
  /** With the patch applied. */
  readonly merged: Post;
  /** The fields that the patch changes. */
  readonly changed: readonly (keyof Post)[];
  readonly series: SeriesPlan;
  readonly references: ResolvedReferences;
  readonly now: Date;
}

/** A post with another time is handed over again when that comes, and not for the old one (D55). */
const NOT_HANDED_OVER = { queuedAt: null, retryAt: null } as const;
const isMoved = (before: Post, after: Post): boolean =>
  before.scheduledAt?.getTime() !== after.scheduledAt?.getTime();

/**
 * The change of an update that no rule refuses: the post, its series' children, the network job and
 * notifications.
 */
async function toChange(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  { before, merged, changed, series, references, now }: ChangeStep,
): Promise<{ after: Post; job: Job | null; change: Change }> {
  const { workspace } = viewer;
  const networkEdit = networkJob(dependencies.ids, before, merged, now);
  const { post: after, publications } = renewPublication(before, {
    ...series.after,
    ...(isMoved(before, series.after) && NOT_HANDED_OVER),
    version: before.version + 1,
    updatedAt: now,
    networkSync: networkEdit?.sync ?? before.networkSync,
    review: series.after.storedState === before.storedState ? before.review : null,
  });
  const { updated, created, deleted } = series.children;
  const writes: UpsertWrite[] = [
    {
      kind: 'update',
      before,
      after,
      changed: [
        ...changedFields(changed, { before, after }),
        ...enumKeys(NOT_HANDED_OVER).filter((field) => before[field] !== after[field]),
      ],
      slots: newSlots(before, after, workspace),
    },
    ...updated.map((child) => ({
      kind: 'update' as const,
      ...child,
      slots: newSlots(child.before, child.after, workspace),
    })),
    ...created.map((child) => ({
      kind: 'insert' as const,
      after: child,
      slots: newSlots(null, child, workspace)!,
    })),
  ];
  const { newLabels, newMedia, addToLibrary } = references;
  const isEnded = before.storedState === 'recurring' && after.storedState !== 'recurring';
  const change: Change = {
    ...EMPTY_CHANGE,
    workspaceId: workspace.id,
    actor: toActor(viewer),
    at: now,
    posts: [...writes, ...deleted.map((child) => ({ kind: 'delete' as const, before: child }))],
    newLabels,
    newMedia,
    addToLibrary,
    jobs: networkEdit ? [{ ...networkEdit.job, postVersion: after.version }] : [],
    notifications: await approvalNotifications(dependencies, viewer, writes),
    capReservations: capReservations(writes, workspace.plan),
    queueSlots: queueSlotsOf(writes),
    publications,
    endedSeries: isEnded ? [before.databaseId] : [],
    releasedOccurrences: isEnded ? [] : deleted.map(({ databaseId }) => databaseId),
  };
  return { after, job: networkEdit?.job ?? null, change };
}
