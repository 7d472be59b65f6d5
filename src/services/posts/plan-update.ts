import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import { capReservations, newSlots } from '../../domain/caps/cap-slots.js';
import { EMPTY_CHANGE, type Change, type UpsertWrite } from '../../domain/changes/change.js';
import { publishedEditRefusals } from '../../domain/rules/published-edit-rules.js';
import { scheduleRefusals } from '../../domain/rules/field-availability.js';
import { PUBLISHING_REFUSAL } from '../../domain/rules/edit-rights.js';
import { isPausedAfterApproval } from '../../domain/rules/state-rules.js';
import type { Refusal } from '../../domain/errors.js';
import { usesSlug } from '../../domain/networks/networks.js';
import { formatRefusals } from '../../domain/rules/format-rules.js';
import type { Job } from '../../domain/jobs/job.js';
import { effectivePatch, withoutShownValues } from '../../domain/changes/effective-patch.js';
import {
  changedFields,
  isMoreThanLabels,
  mergePatch,
  patchedFields,
} from '../../domain/changes/merge-patch.js';
import { enumKeys } from '../../domain/enums.js';
import { toActor } from '../../domain/events/actor.js';
import { liveTextOf, needsNetworkEdit } from '../../domain/networks/live-fields.js';
import { renewPublication } from '../../domain/publishing/publication.js';
import { PATCH_FIELDS } from '../../domain/posts/post-fields.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type { NetworkSync, Post } from '../../domain/posts/post.js';
import { isDeclined, isScheduled } from '../../domain/posts/states.js';
import { storedStateAfter, type StateEvent } from '../../domain/posts/transitions.js';
import { approvalNotifications } from '../changes/approval-notifications.js';
import type { ChangeDependencies } from '../changes/run-change.js';
import type { Ids } from '../ids.js';
import { resolveReferences, type ResolvedReferences } from './patch-references.js';
import { type ChildChanges, planSeries, type SeriesPlan } from './series/plan-series.js';
import { recyclingEffect } from './recycling.js';
import { completeRule, resolveRule } from './series/series-dates.js';

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
    };

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

interface PatchStep {
  readonly patch: PostPatch;
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
  { patch, references, now }: PatchStep,
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
  const pausedAfterApproval = isPausedAfterApproval(before, storedState);
  return {
    merged: { ...merged, storedState, ownFields, pausedAfterApproval },
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

/**
 * Decides an update: the refusals of the rules, or the complete change (Update post; D20 to D29).
 * Reads related records and does not write.
 */
export async function planUpdate(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  before: Post,
  request: { patch: PostPatch; now: Date },
): Promise<UpdatePlan> {
  const { now } = request;
  const patch = readableChanges(before, request.patch, viewer.workspace.timeZone);
  const references = await resolveReferences({ ...dependencies, viewer }, patch);
  // Unknown media cannot be merged: the rest of the patch is checked without it.
  const isMediaRefused = references.refusals.length > 0;
  const { merged, changed, effective } = applyPatch(viewer, before, {
    patch: isMediaRefused ? { ...patch, media: undefined } : patch,
    references,
    now,
  });
  const checked = isMediaRefused ? { ...effective, media: patch.media } : effective;
  const ruleRefusals = [
    ...publishedEditRefusals(before, checked, viewer),
    ...scheduleRefusals(before, checked, now),
    ...references.refusals,
  ];
  const otherFormatRefusals = formatRefusals(before, merged, checked).filter(
    (format) => !ruleRefusals.some((refusal) => refusal.path[0] === format.path[0]),
  );
  const isBeingSent = before.armedAt !== null && isMoreThanLabels(changed);
  const refusals = isBeingSent ? [PUBLISHING_REFUSAL] : [...ruleRefusals, ...otherFormatRefusals];
  if (refusals.length > 0) return { kind: 'refused', refusals };
  if (merged === before) return { kind: 'unchanged', after: before };

  const series = await planSeries(dependencies.store, dependencies.ids, viewer, {
    before,
    after: merged,
    changed,
    patch: effective,
    references,
    now,
  });
  if (series.kind === 'refused') return { kind: 'refused', refusals: [series.refusal] };
  const planned = await toChange(dependencies, viewer, {
    before,
    merged,
    changed,
    series,
    references,
    now,
  });
  return { kind: 'change', ...planned, children: series.children };
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
    publications,
    endedSeries: isEnded ? [before.databaseId] : [],
  };
  return { after, job: networkEdit?.job ?? null, change };
}
