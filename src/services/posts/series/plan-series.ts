import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import {
  changedFields,
  isMoreThanLabels,
  isSame,
  mergePatch,
  patchedFields,
  type PatchReferences,
} from '../../../domain/changes/merge-patch.js';
import type { Refusal } from '../../../domain/errors.js';
import { PATCH_FIELDS } from '../../../domain/posts/post-fields.js';
import type { PostPatch } from '../../../domain/posts/post-patch.js';
import type { Post } from '../../../domain/posts/post.js';
import { isScheduled, type StoredState } from '../../../domain/posts/states.js';
import { storedStateAfter } from '../../../domain/posts/transitions.js';
import { occurrenceStateOf } from '../../../domain/rules/state-rules.js';
import type { Ids } from '../../ids.js';
import type { PostStore } from '../../../persistence/posts/post-store.js';
import { LAST_DATE, nextExtensionAt, upcomingDates } from './series-dates.js';

/** The post after the update, and the changes of its children. */
export interface SeriesPlan {
  readonly kind: 'planned';
  readonly after: Post;
  readonly children: ChildChanges;
}
type SeriesOutcome = SeriesPlan | { readonly kind: 'refused'; readonly refusal: Refusal };

interface SeriesStep {
  readonly before: Post;
  /** With the patch applied, in its new stored state and with a complete rule. */
  readonly after: Post;
  /** The fields that the patch changes. */
  readonly changed: readonly (keyof Post)[];
  readonly patch: PostPatch;
  readonly references: PatchReferences;
  readonly now: Date;
}

const NO_CHILDREN: ChildChanges = { updated: [], created: [], deleted: [] };
const planned = (after: Post, children = NO_CHILDREN): SeriesPlan => ({
  kind: 'planned',
  after,
  children,
});

const refused = (message: string): SeriesOutcome => ({
  kind: 'refused',
  refusal: { code: 'RULE_VIOLATION', message, path: ['recurring'], rule: 'D17' },
});
/** Message for a rule without a date that a child could have. */
export const NO_FUTURE_DATE = `recurring has no date in the future. Its dates can be from now until ${LAST_DATE.toISOString().slice(0, 10)}.`;

/** Whether occurrences that are created later are approved: a series keeps its approval (D60). */
function approvalOf(viewer: Viewer, { before, changed }: SeriesStep): StoredState {
  if (needsApproval(viewer) && isMoreThanLabels(changed)) return 'scheduled_pending';
  const known = before.storedState === 'recurring' ? before.occurrenceState : before.storedState;
  return occurrenceStateOf(known, viewer.workspace);
}

/**
 * Plans the next date of a series and the changes of its children that are not queued (D17, D23);
 * other posts are unchanged.
 */
export async function planSeries(
  store: PostStore,
  ids: Ids,
  viewer: Viewer,
  step: SeriesStep,
): Promise<SeriesOutcome> {
  const { before, after, now } = step;
  const wasSeries = before.storedState === 'recurring';
  if (!wasSeries && after.storedState !== 'recurring') return planned(after);
  const future = wasSeries ? await store.futureChildren(before.databaseId, now) : [];
  const children = future.filter((child) => child.queuedAt === null);
  // A queued child keeps its date: no second child is created for it.
  const queuedFor = new Set(
    future.filter((child) => child.queuedAt !== null).map((child) => child.scheduledAt!.getTime()),
  );
  const datesOf = (series: Post): Date[] =>
    upcomingDates(series.recurring ?? {}, viewer.workspace.timeZone, now);
  const isFree = (date: Date): boolean => !queuedFor.has(date.getTime());

  if (after.storedState !== 'recurring') {
    const next = datesOf(before).find(isFree);
    if (!next)
      return refused(
        'recurring can be cleared only while the series has a future date. It has none.',
      );
    const post = { ...after, scheduledAt: next, extendAt: null, occurrenceState: null };
    return planned(post, { ...NO_CHILDREN, deleted: children });
  }
  const isSameRule = wasSeries && isSame(before.recurring, after.recurring);
  const ruleDates = isSameRule ? null : datesOf(after);
  if (ruleDates?.length === 0) return refused(NO_FUTURE_DATE);
  const dates = ruleDates?.filter(isFree) ?? null;
  const approval = approvalOf(viewer, step);
  const series: Post = {
    ...after,
    scheduledAt: dates?.[0] ?? after.scheduledAt,
    extendAt: ruleDates
      ? nextExtensionAt(after.recurring ?? {}, viewer.workspace.timeZone, ruleDates)
      : after.extendAt,
    occurrenceState: approval,
  };
  const childState = isScheduled(before.storedState) ? before.storedState : approval;
  const changes = planChildChanges(viewer, ids, {
    ...step,
    after: series,
    children,
    dates,
    childState,
  });
  const reserved = changes.created.length > 0 ? await store.reserveIds(changes.created.length) : [];
  return planned(series, {
    ...changes,
    created: changes.created.map((child, index) => ({ ...child, databaseId: reserved[index]! })),
  });
}

/** Fields of a series that its children do not have. */
const SERIES_ONLY: ReadonlySet<string> = new Set(['recurring', 'recycling', 'scheduledAt']);

/**
 * The part of a series' patch that applies to a child: without the fields that the child changed
 * itself (D23).
 */
const patchForChild = (patch: PostPatch, child: Post): PostPatch =>
  Object.fromEntries(
    PATCH_FIELDS.filter(
      (field) =>
        patch[field] !== undefined && !SERIES_ONLY.has(field) && !child.ownFields.includes(field),
    ).map((field) => [field, patch[field]]),
  );

/** Children of a series to update, create and delete. */
export interface ChildChanges {
  readonly updated: readonly {
    readonly before: Post;
    readonly after: Post;
    readonly changed: readonly (keyof Post)[];
  }[];
  readonly created: readonly Post[];
  readonly deleted: readonly Post[];
}

interface SeriesChange {
  readonly after: Post;
  readonly patch: PostPatch;
  readonly references: PatchReferences;
  readonly children: readonly Post[];
  /** The new dates of the series; null if the rule did not change. */
  readonly dates: readonly Date[] | null;
  /** The stored state of created children, unless they need approval. */
  readonly childState: StoredState;
  readonly now: Date;
}

interface DatedChildren {
  readonly dated: readonly { readonly child: Post; readonly scheduledAt: Date }[];
  /** Dates without a child. */
  readonly free: readonly Date[];
  /** Children without a date. */
  readonly surplus: readonly Post[];
}

const isMoved = (child: Post): boolean => child.ownFields.includes('scheduledAt');

/** Index of the date nearest to `at`; -1 if there are no dates. */
const nearestIndex = (dates: readonly Date[], at: Date): number =>
  dates.reduce(
    (nearest, date, index) =>
      nearest === -1 || Math.abs(+date - +at) < Math.abs(+dates[nearest]! - +at) ? index : nearest,
    -1,
  );

/**
 * Assigns the dates of a changed rule to the children of the series. A child that was moved keeps
 * its own date and stands for the nearest date of the rule, so that no other child is created close
 * to it. The others get the remaining dates in order.
 */
function assignDates(children: readonly Post[], dates: readonly Date[]): DatedChildren {
  const free = [...dates];
  const dated: DatedChildren['dated'][number][] = [];
  const surplus: Post[] = [];
  for (const child of children.filter(isMoved)) {
    if (free.length === 0) surplus.push(child);
    else {
      free.splice(nearestIndex(free, child.scheduledAt!), 1);
      dated.push({ child, scheduledAt: child.scheduledAt! });
    }
  }
  for (const child of children.filter((other) => !isMoved(other))) {
    const scheduledAt = free.shift();
    if (scheduledAt) dated.push({ child, scheduledAt });
    else surplus.push(child);
  }
  return { dated, free, surplus };
}

const keepDates = (children: readonly Post[]): DatedChildren => ({
  dated: children.map((child) => ({ child, scheduledAt: child.scheduledAt! })),
  free: [],
  surplus: [],
});

interface NewChildren {
  readonly series: Post;
  readonly dates: readonly Date[];
  readonly childState: StoredState;
  readonly now: Date;
}

/** A child of the series for each date, without a database ID (D17). */
export const childrenAt = (ids: Ids, { series, dates, childState, now }: NewChildren): Post[] =>
  dates.map((scheduledAt) => ({
    ...series,
    id: ids.document(),
    databaseId: 0,
    version: 1,
    storedState: childState,
    scheduledAt,
    createdAt: now,
    updatedAt: now,
    origin: 'service',
    parentId: series.databaseId,
    extendAt: null,
    occurrenceState: null,
    recurring: null,
    recycling: null,
    ownFields: [],
    networkSync: null,
    analytics: null,
    hasQueuedChild: false,
  }));

/** Like `childrenAt`, for a viewer whose posts may need approval. */
export const newChildren = (viewer: Viewer, ids: Ids, children: NewChildren): Post[] =>
  childrenAt(ids, {
    ...children,
    childState: needsApproval(viewer) ? 'scheduled_pending' : children.childState,
  });

/**
 * The changes of a series' future children (D23). The patch applies to them except for fields they
 * changed themselves. If the rule changed, each of its dates gets a child: missing children are
 * created and surplus ones deleted.
 */
function planChildChanges(
  viewer: Viewer,
  ids: Ids,
  { after, patch, references, children, dates, childState, now }: SeriesChange,
): ChildChanges {
  const isPendingApproval = needsApproval(viewer);
  const { dated, free, surplus } = dates ? assignDates(children, dates) : keepDates(children);
  const updated = dated.flatMap(({ child: before, scheduledAt }) => {
    const merged = mergePatch(before, patchForChild(patch, before), references);
    const child = { ...merged, scheduledAt };
    const patched = patchedFields(before, child);
    if (patched.length === 0) return [];
    const storedState =
      isPendingApproval && isMoreThanLabels(patched)
        ? storedStateAfter(before.storedState, 'changed_without_approval')
        : before.storedState;
    const planned = { ...child, storedState, version: before.version + 1, updatedAt: now };
    const changed = changedFields(patched, { before, after: planned });
    return [{ before, after: planned, changed }];
  });
  const created = newChildren(viewer, ids, { series: after, dates: free, childState, now });
  return { updated, created, deleted: surplus };
}
