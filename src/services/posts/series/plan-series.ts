import type { Refusal } from '../../../domain/errors.js';
import {
  isMoreThanLabels,
  isSame,
  type PatchReferences,
} from '../../../domain/changes/merge-patch.js';
import type { Post } from '../../../domain/posts/post.js';
import type { PostPatch } from '../../../domain/posts/post-patch.js';
import { isScheduled, type StoredState } from '../../../domain/posts/states.js';
import { occurrenceStateOf } from '../../../domain/rules/state-rules.js';
import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import type { Ids } from '../../ids.js';
import type { PostStore } from '../post-ports.js';
import { planChildChanges, type ChildChanges } from './occurrence-changes.js';
import { LAST_DATE, nextExtensionAt, upcomingDates } from './series.js';

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
