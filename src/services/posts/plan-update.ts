import type { Change, KeptWrite, PostWrite } from '../../domain/changes/change.js';
import { editViolations, scheduleViolations } from '../../domain/rules/edit-rules.js';
import type { Refusal } from '../../domain/errors.js';
import { formatViolations } from '../../domain/rules/format-rules.js';
import type { Job } from '../../domain/jobs/job.js';
import { changedFields, isMoreThanLabels, mergePatch } from '../../domain/changes/merge-patch.js';
import { goesToNetwork, liveTextOf } from '../../domain/networks/live-fields.js';
import {
  PATCH_FIELDS,
  type NetworkSync,
  type Post,
  type PostPatch,
} from '../../domain/posts/post.js';
import { capClaims, newSlots } from '../../domain/caps/cap-slots.js';
import { isPending, isScheduled } from '../../domain/posts/states.js';
import { cellAfter, type StateEvent } from '../../domain/posts/transitions.js';
import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import type { DirectoryStore, Ids, PostStore } from '../ports.js';
import { resolveReferences, type ResolvedReferences } from './patch-references.js';
import { planSeries } from './plan-series.js';
import { completeRule, resolveRule } from './series.js';

export interface PlanParts {
  readonly store: PostStore;
  readonly directory: Pick<DirectoryStore, 'approvers'>;
  readonly ids: Ids;
}

type UpdatePlan =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  /** The patch says what is already so: nothing is written, no new version (D20, D26). */
  | { readonly kind: 'unchanged'; readonly after: Post }
  | {
      readonly kind: 'change';
      readonly after: Post;
      readonly job: Job | null;
      readonly change: Change;
    };

/** What happens to the state, in the words of the transition table. */
function eventsOf(viewer: Viewer, before: Post, after: Post, patch: PostPatch): StateEvent[] {
  const events: StateEvent[] = [];
  if (patch.scheduledAt !== undefined) events.push(after.scheduledAt ? 'dated' : 'undated');
  if (patch.recurring && after.recurring) events.push('series_started');
  if (before.cell === 'recurring' && after.recurring === null) events.push('series_ended');
  if (needsApproval(viewer) && isMoreThanLabels(changedFields(before, after)))
    events.push('changed_without_approval');
  return events;
}

/**
 * A child remembers what it changed for itself, so that later edits of its series leave it (D23). `url` and `link`
 * hold one value except on a blog (D20): who changes one has changed both.
 */
function ownFieldsAfter(before: Post, changed: readonly (keyof Post)[]): string[] {
  if (before.parentId === null) return before.ownFields;
  const own = PATCH_FIELDS.filter((field) => changed.includes(field));
  const twins =
    before.network !== 'wordpress' && (own.includes('url') || own.includes('link'))
      ? ['url', 'link']
      : [];
  return [...new Set([...before.ownFields, ...own, ...twins])];
}

function mergeAll(
  viewer: Viewer,
  before: Post,
  patch: PostPatch,
  references: ResolvedReferences,
): Post {
  const mayBeSeries = before.cell === 'recurring' || isScheduled(before.cell);
  const asked = mergePatch(before, patch, references);
  const merged =
    asked.recurring && mayBeSeries
      ? {
          ...asked,
          recurring: completeRule(asked.recurring, {
            scheduledAt: asked.scheduledAt,
            recurring: before.recurring,
          }),
        }
      : asked;
  const changed = changedFields(before, merged);
  if (changed.length === 0) return before;
  const cell = eventsOf(viewer, before, merged, patch).reduce(cellAfter, before.cell);
  return { ...merged, cell, ownFields: ownFieldsAfter(before, changed) };
}

function networkJob(
  ids: Ids,
  before: Post,
  after: Post,
  now: Date,
): { job: Job; sync: NetworkSync } | null {
  if (!goesToNetwork(before, after)) return null;
  const job: Job = {
    id: ids.prefixed('job'),
    kind: 'network_edit',
    status: 'working',
    progress: 0,
    failures: [],
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

/** One note for each member who may approve, about the first post that waits for it (Update post, rule 5; D24). */
async function approvalNotes(
  parts: PlanParts,
  viewer: Viewer,
  writes: readonly KeptWrite[],
): Promise<Change['notifications']> {
  const waiting = writes.find(
    (write) =>
      isPending(write.after.cell) && (write.kind === 'insert' || isMoreThanLabels(write.changed)),
  )?.after;
  if (!waiting || !needsApproval(viewer)) return [];
  const approvers = await parts.directory.approvers(viewer.workspace.id);
  return approvers.map((userId) => ({
    id: parts.ids.prefixed('ntf'),
    userId,
    kind: 'approval_needed',
    message: `${viewer.user.name} changed a post that needs your approval.`,
    postId: waiting.databaseId,
  }));
}

/**
 * Decides an update: the law's refusals, or the whole change as data (Update post; D20 to D29). Reads what it needs
 * and writes nothing.
 */
export async function planUpdate(
  parts: PlanParts,
  viewer: Viewer,
  before: Post,
  asked: { patch: PostPatch; now: Date },
): Promise<UpdatePlan> {
  const { now } = asked;
  const { recurring, ...rest } = asked.patch;
  const patch: PostPatch =
    recurring === undefined
      ? rest
      : { ...rest, recurring: resolveRule(recurring, viewer.workspace.timeZone)! };
  const references = await resolveReferences(parts.store, parts.ids, viewer.workspace.id, patch);
  const lawful = [
    ...editViolations(before, patch, viewer),
    ...scheduleViolations(before, patch, now),
    ...references.refusals,
  ];
  // Media that nobody has cannot be merged: the rest of the patch is judged without it.
  const merged = mergeAll(
    viewer,
    before,
    references.refusals.length > 0 ? { ...patch, media: undefined } : patch,
    references,
  );
  const broken = formatViolations(before, merged, patch).filter(
    (format) => !lawful.some((one) => one.path[0] === format.path[0]),
  );
  const refusals = [...lawful, ...broken];
  if (refusals.length > 0) return { kind: 'refused', refusals };
  if (merged === before) return { kind: 'unchanged', after: before };

  const series = await planSeries(parts.store, parts.ids, viewer, {
    before,
    after: merged,
    patch,
    references,
    now,
  });
  if (series.kind === 'refused') return { kind: 'refused', refusals: [series.refusal] };
  const sent = networkJob(parts.ids, before, merged, now);
  const after: Post = {
    ...series.after,
    version: before.version + 1,
    updatedAt: now,
    networkSync: sent?.sync ?? before.networkSync,
  };
  const { plan } = viewer.workspace;
  const update = (one: { before: Post; after: Post }): PostWrite & { kind: 'update' } => ({
    kind: 'update',
    ...one,
    changed: changedFields(one.before, one.after),
    slots: newSlots(one.before, one.after, plan),
  });
  const kept: KeptWrite[] = [
    update({ before, after }),
    ...series.children.updated.map(update),
    ...series.children.made.map((child) => ({
      kind: 'insert' as const,
      after: child,
      slots: newSlots(null, child, plan)!,
    })),
  ];
  const change: Change = {
    workspaceId: viewer.workspace.id,
    userId: viewer.user.id,
    at: now,
    posts: [
      ...kept,
      ...series.children.removed.map((child) => ({ kind: 'remove' as const, before: child })),
    ],
    newLabels: references.newLabels,
    newMedia: references.newMedia,
    intoLibrary: references.intoLibrary,
    jobs: sent ? [{ ...sent.job, postVersion: after.version }] : [],
    notifications: await approvalNotes(parts, viewer, kept),
    claims: capClaims(kept, plan),
    unqueuedSeries: [],
  };
  return { kind: 'change', after, job: sent?.job ?? null, change };
}
