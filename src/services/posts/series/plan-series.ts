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
import {
  assignDates,
  dateOf,
  dayOf,
  type AssignedDates,
  type ChangedRule,
  type OccurrenceChanges,
} from '../../../domain/calendar/occurrence-dates.js';
import { PATCH_FIELDS, type PostPatch } from '../../../domain/posts/post-fields.js';
import type { Post } from '../../../domain/posts/post.js';
import { isScheduled, type StoredState } from '../../../domain/posts/states.js';
import {
  storedStateAfter,
  occurrenceStateOf,
  stateInWorkspace,
} from '../../../domain/posts/transitions.js';
import type { Ids } from '../../ids.js';
import type { PostStore } from '../../../persistence/posts/post-store.js';
import { LAST_DATE, nextExtensionAt, upcomingDates } from './series-dates.js';

/** The post after the update, and the changes of its children. */
export interface SeriesPlan {
  readonly kind: 'planned';
  readonly after: Post;
  readonly children: ChildChanges;
  /** Null if the post is no series before and after the update. */
  readonly series: OccurrenceChanges | null;
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
const planned = (after: Post): SeriesPlan => ({
  kind: 'planned',
  after,
  children: NO_CHILDREN,
  series: null,
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

/** Exceptions of the last two days count: a date is a day, and zones differ by less than a day. */
const EXCEPTIONS_SINCE_MS = 2 * 86_400_000;

/** The dates of a series that no occurrence is created for, apart from those of given occurrences. */
export async function readExceptions(
  store: Pick<PostStore, 'occurrenceDates'>,
  seriesId: number,
  { now, except = [] }: { readonly now: Date; readonly except?: readonly Post[] },
): Promise<Date[]> {
  const ids = new Set(except.map(({ databaseId }) => databaseId));
  const since = new Date(now.getTime() - EXCEPTIONS_SINCE_MS);
  const dates = await store.occurrenceDates(seriesId, since);
  return dates.filter(({ postId }) => postId === null || !ids.has(postId)).map(({ date }) => date);
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
  const zone = viewer.workspace.timeZone;
  const wasSeries = before.storedState === 'recurring';
  if (!wasSeries && after.storedState !== 'recurring') return planned(after);
  const future = wasSeries ? await store.futureChildren(before.databaseId, now) : [];
  const children = future.filter((child) => child.queuedAt === null);
  const readDates = (): Promise<Date[]> =>
    readExceptions(store, before.databaseId, { now, except: children });

  if (after.storedState !== 'recurring') {
    const dates = upcomingDates(before.recurring ?? {}, zone, now);
    if (dates.length === 0)
      return refused(
        'recurring can be cleared only while the series has a future date. It has none.',
      );
    const taken = [...(await readDates()), ...children.flatMap((child) => dateOf(child) ?? [])];
    const days = new Set(taken.map((date) => dayOf(date, zone)));
    const isFree = (date: Date): boolean => !days.has(dayOf(date, zone));
    return planEnd(viewer, { ...step, future, freeDate: dates.find(isFree) ?? null });
  }
  const isSameRule = wasSeries && isSame(before.recurring, after.recurring);
  const dates = isSameRule ? null : upcomingDates(after.recurring ?? {}, zone, now);
  if (dates?.length === 0) return refused(NO_FUTURE_DATE);
  const approval = approvalOf(viewer, step);
  const series: Post = {
    ...after,
    scheduledAt: dates?.[0] ?? after.scheduledAt,
    extendAt: dates ? nextExtensionAt(after.recurring ?? {}, zone, dates) : after.extendAt,
    occurrenceState: approval,
  };
  const childState = isScheduled(before.storedState) ? before.storedState : approval;
  const changes = planChildChanges(viewer, ids, {
    ...step,
    after: series,
    children,
    rule: dates && {
      repeat: after.recurring!.repeat!,
      zone,
      dates,
      exceptions: wasSeries ? await readDates() : [],
    },
    childState,
  });
  const reserved = changes.created.length > 0 ? await store.reserveIds(changes.created.length) : [];
  const created = changes.created.map((child, index) => ({
    ...child,
    databaseId: reserved[index]!,
  }));
  return {
    kind: 'planned',
    after: series,
    children: { ...changes, created },
    series: toOccurrenceChanges(future, changes),
  };
}

/** What a change does to the future occurrences of a series, queued ones included. */
function toOccurrenceChanges(
  future: readonly Post[],
  { updated, created, deleted }: ChildChanges,
): OccurrenceChanges {
  const moved = updated.filter(
    ({ before, after }) => before.scheduledAt!.getTime() !== after.scheduledAt!.getTime(),
  );
  const others = new Set([...deleted, ...moved.map(({ before }) => before)]);
  const timesOf = (posts: readonly Post[]): Date[] => posts.map((post) => post.scheduledAt!);
  return {
    made: timesOf(created),
    kept: timesOf(future.filter((child) => !others.has(child))),
    moved: moved.map(({ before, after }) => ({
      from: before.scheduledAt!,
      to: after.scheduledAt!,
    })),
    removed: timesOf(deleted),
    independent: 0,
  };
}

/**
 * The end of a series: its occurrences become independent posts. The post itself takes the place,
 * and the state, of the next occurrence that has no changes of its own, so that nothing is published
 * twice and nothing without its approval. Without such an occurrence, it gets a date of the rule
 * that never had one, or becomes an undated draft.
 */
function planEnd(
  viewer: Viewer,
  {
    after,
    future,
    freeDate,
    ...step
  }: SeriesStep & { readonly future: readonly Post[]; readonly freeDate: Date | null },
): SeriesPlan {
  const children = future.filter((child) => child.queuedAt === null);
  const replaced = children.find(({ ownFields }) => ownFields.length === 0);
  const { updated } = updateChildren(viewer, {
    ...step,
    dated: keepDates(children.filter((child) => child !== replaced)),
  });
  const scheduledAt = replaced?.scheduledAt ?? freeDate;
  const isDecided = replaced !== undefined && !needsApproval(viewer);
  const plannedState = isDecided ? replaced.storedState : after.storedState;
  const post: Post = {
    ...after,
    storedState: scheduledAt
      ? stateInWorkspace(viewer.workspace, plannedState)
      : (['moved_to_drafts', 'undated'] as const).reduce(storedStateAfter, after.storedState),
    scheduledAt,
    extendAt: null,
    occurrenceState: null,
  };
  return {
    kind: 'planned',
    after: post,
    children: { ...NO_CHILDREN, updated, deleted: replaced ? [replaced] : [] },
    // The post itself has the time of the occurrence that it replaces.
    series: {
      ...toOccurrenceChanges(future, NO_CHILDREN),
      independent: future.length - (replaced ? 1 : 0),
    },
  };
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
  readonly rule: ChangedRule | null;
  /** The stored state of created children, unless they need approval. */
  readonly childState: StoredState;
  readonly now: Date;
}

type DatedChildren = AssignedDates<Post>['dated'];

const keepDates = (children: readonly Post[]): DatedChildren =>
  children.map((child) => ({
    occurrence: child,
    date: child.occurrenceDate,
    scheduledAt: child.scheduledAt!,
  }));

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
    occurrenceDate: scheduledAt,
    createdAt: now,
    updatedAt: now,
    origin: 'service',
    parentId: series.databaseId,
    auto: false,
    extendAt: null,
    occurrenceState: null,
    recurring: null,
    recycling: null,
    ownFields: [],
    networkSync: null,
    analytics: null,
    hasQueuedChild: false,
  }));

/** Like `childrenAt`, for a viewer whose posts may need approval, or whose workspace is locked. */
export const newChildren = (viewer: Viewer, ids: Ids, children: NewChildren): Post[] =>
  childrenAt(ids, {
    ...children,
    childState: needsApproval(viewer)
      ? 'scheduled_pending'
      : stateInWorkspace(viewer.workspace, children.childState),
  });

interface ChildUpdates extends Pick<SeriesChange, 'patch' | 'references' | 'now'> {
  readonly dated: DatedChildren;
}

/** Applies a patch, and the dates of a rule, to the children of a series that remain. */
const updateChildren = (
  viewer: Viewer,
  { dated, patch, references, now }: ChildUpdates,
): Pick<ChildChanges, 'updated'> => ({
  updated: dated.flatMap(({ occurrence: before, date: occurrenceDate, scheduledAt }) => {
    const merged = mergePatch(before, patchForChild(patch, before), references);
    const child = { ...merged, scheduledAt, occurrenceDate };
    const patched = patchedFields(before, child);
    if (patched.length === 0 && isSame(before.occurrenceDate, occurrenceDate)) return [];
    const storedState =
      needsApproval(viewer) && isMoreThanLabels(patched)
        ? storedStateAfter(before.storedState, 'changed_without_approval')
        : before.storedState;
    const planned = { ...child, storedState, version: before.version + 1, updatedAt: now };
    const changed = changedFields(patched, { before, after: planned });
    return [{ before, after: planned, changed }];
  }),
});

/**
 * The changes of a series' future children (D23). The patch applies to them except for fields they
 * changed themselves. If the rule changed, its dates are assigned to them: missing children are
 * created, and those without a date are deleted.
 */
function planChildChanges(
  viewer: Viewer,
  ids: Ids,
  { after, children, rule, childState, now, ...step }: SeriesChange,
): ChildChanges {
  const { dated, made, removed } = rule
    ? assignDates(children, rule)
    : { dated: keepDates(children), made: [], removed: [] };
  return {
    ...updateChildren(viewer, { ...step, dated, now }),
    created: newChildren(viewer, ids, { series: after, dates: made, childState, now }),
    deleted: removed,
  };
}
