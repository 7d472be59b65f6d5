import type { Change } from '../../domain/changes/change.js';
import { publishedEditRefusals } from '../../domain/rules/published-edit-refusals.js';
import { scheduleRefusals } from '../../domain/rules/field-availability.js';
import { PUBLISHING_REFUSAL } from '../../domain/rules/edit-rights.js';
import { isPausedAfterApproval } from '../../domain/rules/paused-recycling.js';
import type { Refusal } from '../../domain/errors.js';
import { usesSlug } from '../../domain/networks/networks.js';
import { formatRefusals } from '../../domain/rules/format-rules.js';
import type { Job } from '../../domain/jobs/job.js';
import { effectivePatch, withoutShownValues } from '../../domain/changes/effective-patch.js';
import { changedFields, isMoreThanLabels, mergePatch } from '../../domain/changes/merge-patch.js';
import { PATCH_FIELDS } from '../../domain/posts/post-fields.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type { Post } from '../../domain/posts/post.js';
import { isDeclined, isScheduled } from '../../domain/posts/states.js';
import { storedStateAfter, type StateEvent } from '../../domain/posts/transitions.js';
import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import type { WorkspaceRecordStore } from '../workspaces/workspace-ports.js';
import type { Ids } from '../ids.js';
import type { PostStore } from './post-ports.js';
import { resolveReferences, type ResolvedReferences } from './patch-references.js';
import type { ChildChanges } from './series/occurrence-changes.js';
import { planSeries } from './series/plan-series.js';
import { recyclingEffect } from './recycling.js';
import { createUpdateChange } from './create-update-change.js';
import { completeRule, resolveRule } from './series/series.js';

export interface PlanDependencies {
  readonly store: PostStore;
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'approvers'>;
  readonly ids: Ids;
}

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

/** The events of the update, for the transition table. */
function eventsOf(viewer: Viewer, before: Post, after: Post, patch: PostPatch): StateEvent[] {
  const events: StateEvent[] = [];
  if (patch.scheduledAt !== undefined) events.push(after.scheduledAt ? 'dated' : 'undated');
  if (patch.recurring && after.recurring) events.push('series_started');
  if (before.storedState === 'recurring' && after.recurring === null) events.push('series_ended');
  if (isMoreThanLabels(changedFields(before, after))) {
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
function applyPatch(
  viewer: Viewer,
  before: Post,
  { patch, references, now }: PatchStep,
): { merged: Post; effective: PostPatch } {
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
  const changed = changedFields(before, merged);
  if (changed.length === 0) return { merged: before, effective: {} };
  const effective = effectivePatch(before, merged, patch);
  const storedState = [
    ...(startsRecycling ? (['recycling_started'] as const) : []),
    ...(before.recycling && !merged.recycling ? (['recycling_ended'] as const) : []),
    ...(recycled.event ? [recycled.event] : []),
    ...eventsOf(viewer, before, merged, effective),
  ].reduce(storedStateAfter, before.storedState);
  const ownFields = ownFieldsAfter(before, changed);
  const pausedAfterApproval = isPausedAfterApproval(before, storedState);
  return { merged: { ...merged, storedState, ownFields, pausedAfterApproval }, effective };
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
  dependencies: PlanDependencies,
  viewer: Viewer,
  before: Post,
  request: { patch: PostPatch; now: Date },
): Promise<UpdatePlan> {
  const { now } = request;
  const patch = readableChanges(before, request.patch, viewer.workspace.timeZone);
  const references = await resolveReferences({ ...dependencies, viewer }, patch);
  // Unknown media cannot be merged: the rest of the patch is checked without it.
  const isMediaRefused = references.refusals.length > 0;
  const { merged, effective } = applyPatch(viewer, before, {
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
  const isBeingSent = before.armedAt !== null && isMoreThanLabels(changedFields(before, merged));
  const refusals = isBeingSent ? [PUBLISHING_REFUSAL] : [...ruleRefusals, ...otherFormatRefusals];
  if (refusals.length > 0) return { kind: 'refused', refusals };
  if (merged === before) return { kind: 'unchanged', after: before };

  const series = await planSeries(dependencies.store, dependencies.ids, viewer, {
    before,
    after: merged,
    patch: effective,
    references,
    now,
  });
  if (series.kind === 'refused') return { kind: 'refused', refusals: [series.refusal] };
  const planned = await createUpdateChange(dependencies, viewer, {
    before,
    merged,
    series,
    references,
    now,
  });
  return { kind: 'change', ...planned, children: series.children };
}
