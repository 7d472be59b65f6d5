import type { Change, PostWrite } from '../domain/change.js';
import { editViolations, goesToNetwork, scheduleViolations } from '../domain/edit-rules.js';
import type { Refusal } from '../domain/errors.js';
import { formatViolations } from '../domain/format-rules.js';
import type { Job } from '../domain/job.js';
import { changedFields, mergePatch } from '../domain/merge-patch.js';
import { PATCH_FIELDS, type NetworkSync, type Post, type PostPatch } from '../domain/post.js';
import { capClaims, newSlots } from '../domain/publications.js';
import { isPending } from '../domain/states.js';
import { cellAfter, type StateEvent } from '../domain/transitions.js';
import { mayApprove, type Viewer } from '../domain/viewer.js';
import type { DirectoryStore, Ids, PostStore } from './ports.js';
import { resolveReferences, type ResolvedReferences } from './patch-references.js';
import { childChanges, comingDates, completeRule, resolveRule, type ChildChanges } from './series.js';

export interface PlanParts {
  readonly store: PostStore;
  readonly directory: Pick<DirectoryStore, 'approvers'>;
  readonly ids: Ids;
}

export type UpdatePlan =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  /** The patch says what is already so: nothing is written, no new version (D20, D26). */
  | { readonly kind: 'unchanged'; readonly after: Post }
  | { readonly kind: 'change'; readonly after: Post; readonly job: Job | null; readonly change: Change };

/** What happens to the state, in the words of the transition table. */
function eventsOf(viewer: Viewer, before: Post, after: Post, patch: PostPatch): StateEvent[] {
  const events: StateEvent[] = [];
  if (patch.scheduledAt !== undefined) events.push(after.scheduledAt ? 'dated' : 'undated');
  if (patch.recurring && after.recurring) events.push('series_started');
  if (before.cell === 'recurring' && after.recurring === null) events.push('series_ended');
  const isMoreThanLabels = changedFields(before, after).some((field) => field !== 'labels');
  if (isMoreThanLabels && viewer.workspace.requiresApproval && !mayApprove(viewer.role)) events.push('changed_without_approval');
  return events;
}

/** A child remembers what it changed for itself, so that later edits of its series leave it (D23). */
const ownFieldsAfter = (before: Post, patch: PostPatch): string[] =>
  before.parentId === null ? before.ownFields : [...new Set([...before.ownFields, ...PATCH_FIELDS.filter((field) => patch[field] !== undefined)])];

function mergeAll(viewer: Viewer, before: Post, patch: PostPatch, references: ResolvedReferences): Post {
  const merged = mergePatch(before, patch, references);
  if (changedFields(before, merged).length === 0) return before;
  const cell = eventsOf(viewer, before, merged, patch).reduce(cellAfter, before.cell);
  return { ...merged, cell, ownFields: ownFieldsAfter(before, patch) };
}

const NO_CHILDREN: ChildChanges = { updated: [], made: [], removed: [] };

interface SeriesPlan { readonly after: Post; readonly children: ChildChanges }

/** A series' next date and what becomes of its children; any other post as it is. */
async function planSeries(parts: PlanParts, viewer: Viewer, now: Date, step: { before: Post; after: Post; patch: PostPatch; references: ResolvedReferences }): Promise<SeriesPlan> {
  const { before, patch, references } = step;
  const wasSeries = before.cell === 'recurring';
  if (!wasSeries && step.after.cell !== 'recurring') return { after: step.after, children: NO_CHILDREN };
  const children = wasSeries ? await parts.store.futureChildren(before.databaseId, now) : [];
  if (step.after.cell !== 'recurring') return { after: step.after, children: { ...NO_CHILDREN, removed: children } };
  const ruleChanged = !wasSeries || changedFields(before, step.after).includes('recurring');
  const recurring = completeRule(step.after.recurring ?? {}, before);
  const dates = ruleChanged ? comingDates(recurring, viewer.workspace.timeZone, now) : null;
  const after = { ...step.after, recurring, scheduledAt: dates?.[0] ?? step.after.scheduledAt };
  const planned = childChanges(viewer, parts.ids, { after, patch, references, children, dates, now });
  const reserved = planned.made.length > 0 ? await parts.store.reserveIds(planned.made.length) : [];
  return { after, children: { ...planned, made: planned.made.map((child, index) => ({ ...child, databaseId: reserved[index]! })) } };
}

function networkJob(ids: Ids, before: Post, patch: PostPatch, now: Date): { job: Job; sync: NetworkSync } | null {
  if (!goesToNetwork(before, patch)) return null;
  const job: Job = { id: ids.prefixed('job'), kind: 'network_edit', status: 'working', progress: 0, failures: [], postId: before.databaseId, createdAt: now, finishedAt: null };
  const liveText = before.networkSync ? before.networkSync.liveText : before.text;
  return { job, sync: { status: 'pending', jobId: job.id, liveText, error: null, attemptedAt: null } };
}

async function approvalNotes(parts: PlanParts, viewer: Viewer, posts: readonly Post[]): Promise<Change['notifications']> {
  const waiting = posts.find((post) => isPending(post.cell));
  if (!waiting || mayApprove(viewer.role)) return [];
  const approvers = await parts.directory.approvers(viewer.workspace.id);
  return approvers.map((userId) => ({
    id: parts.ids.prefixed('ntf'), userId, kind: 'approval_needed', message: `${viewer.user.name} changed a post that needs your approval.`, postId: waiting.databaseId,
  }));
}

/**
 * Decides an update: the law's refusals, or the whole change as data (Update post; D20 to D29). Reads what it needs
 * and writes nothing.
 */
export async function planUpdate(parts: PlanParts, viewer: Viewer, before: Post, asked: { patch: PostPatch; now: Date }): Promise<UpdatePlan> {
  const { now } = asked;
  const { recurring, ...rest } = asked.patch;
  const patch: PostPatch = recurring === undefined ? rest : { ...rest, recurring: resolveRule(recurring, viewer.workspace.timeZone)! };
  const references = await resolveReferences(parts.store, parts.ids, viewer.workspace.id, patch);
  const lawful = [...editViolations(before, patch, viewer), ...scheduleViolations(before, patch, now), ...references.refusals];
  if (references.refusals.length > 0) return { kind: 'refused', refusals: lawful };
  const merged = mergeAll(viewer, before, patch, references);
  const refusals = [...lawful, ...formatViolations(before, merged, patch)];
  if (refusals.length > 0) return { kind: 'refused', refusals };
  if (merged === before) return { kind: 'unchanged', after: before };

  const series = await planSeries(parts, viewer, now, { before, after: merged, patch, references });
  const sent = networkJob(parts.ids, before, patch, now);
  const after: Post = { ...series.after, version: before.version + 1, updatedAt: now, networkSync: sent?.sync ?? before.networkSync };
  const { plan } = viewer.workspace;
  const update = (one: { before: Post; after: Post }): PostWrite & { kind: 'update' } =>
    ({ kind: 'update', ...one, changed: changedFields(one.before, one.after), slots: newSlots(one.before, one.after, plan) });
  const kept: Exclude<PostWrite, { kind: 'remove' }>[] = [
    update({ before, after }),
    ...series.children.updated.map(update),
    ...series.children.made.map((child) => ({ kind: 'insert' as const, after: child, slots: newSlots(null, child, plan)! })),
  ];
  const change: Change = {
    workspaceId: viewer.workspace.id,
    userId: viewer.user.id,
    at: now,
    posts: [...kept, ...series.children.removed.map((child) => ({ kind: 'remove' as const, before: child }))],
    newLabels: references.newLabels,
    newMedia: references.newMedia,
    intoLibrary: references.intoLibrary,
    jobs: sent ? [{ ...sent.job, postVersion: after.version }] : [],
    notifications: await approvalNotes(parts, viewer, kept.map((write) => write.after)),
    claims: capClaims(kept, plan),
    unqueuedSeries: [],
  };
  return { kind: 'change', after, job: sent?.job ?? null, change };
}
