import { capReservations, newSlots, slotOwners } from '../../../domain/caps/daily-caps.js';
import { dayOf } from '../../../domain/calendar/occurrence-dates.js';
import { EMPTY_CHANGE, type Change, type InsertWrite } from '../../../domain/changes/change.js';
import { SERVICE } from '../../../domain/access/viewer.js';
import type { Post } from '../../../domain/posts/post.js';
import { occurrenceStateOf } from '../../../domain/posts/transitions.js';
import type { DueSeries, DueSeriesStore } from '../../../persistence/publishing/due-posts.js';
import type { Clock } from '../../clock.js';
import type { Ids } from '../../ids.js';
import type { PostStore } from '../../../persistence/posts/post-store.js';
import { saveOnce, type PlannedChange } from '../../changes/run-change.js';
import { childrenAt, readExceptions } from './plan-series.js';
import { planExtension } from './series-dates.js';

interface SeriesExtensionDependencies {
  readonly dueSeries: DueSeriesStore;
  readonly store: Pick<PostStore, 'occurrenceDates' | 'reserveIds' | 'save'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Other processes use the caps at the same time: after that, the next run goes on. */
const MAX_TRIES = 3;

/**
 * The occurrences of the new dates, in the state that the series and its circumstances give them.
 */
async function newOccurrences(
  { store, ids }: SeriesExtensionDependencies,
  { series, isLocked, requiresApproval }: DueSeries,
  { dates, now }: { dates: readonly Date[]; now: Date },
): Promise<Post[]> {
  const childState = occurrenceStateOf(series.occurrenceState, {
    requiresApproval,
    isLocked,
    needsReauth: series.account?.needsReauth ?? false,
  });
  const databaseIds = dates.length > 0 ? await store.reserveIds(dates.length) : [];
  return childrenAt(ids, { series, dates, childState, now }).map((child, index) => ({
    ...child,
    databaseId: databaseIds[index]!,
  }));
}

interface PlannedExtension {
  readonly after: Post;
  readonly occurrences: readonly InsertWrite[];
  /** Whether an occurrence was left out because of a daily cap. */
  readonly isSkipping: boolean;
  readonly now: Date;
}

const toChange = (
  { series, plan }: DueSeries,
  { after, occurrences, isSkipping, now }: PlannedExtension,
): Change => ({
  ...EMPTY_CHANGE,
  workspaceId: series.workspaceId,
  actor: SERVICE,
  at: now,
  posts: [
    {
      kind: 'update',
      before: series,
      after,
      changed:
        series.scheduledAt?.getTime() === after.scheduledAt?.getTime()
          ? ['extendAt']
          : ['scheduledAt', 'extendAt'],
      slots: null,
      ...(isSkipping && { event: 'post.skipped' as const }),
    },
    ...occurrences,
  ],
  capReservations: capReservations(occurrences, plan),
});

/** The extension, without the occurrences that exceed a daily cap when it is saved. */
function planWithinCaps(
  due: DueSeries,
  extension: PlannedExtension,
  tries = MAX_TRIES,
): PlannedChange<'extended'> {
  const change = toChange(due, extension);
  if (tries === 1) return { outcome: 'extended', change };
  return {
    outcome: 'extended',
    change,
    withoutExceeded(exceeded) {
      const exceeding = new Set(exceeded.map(slotOwners(extension.occurrences)));
      const occurrences = extension.occurrences.filter((write) => !exceeding.has(write));
      return planWithinCaps(due, { ...extension, occurrences, isSkipping: true }, tries - 1);
    },
  };
}

async function extend(
  dependencies: SeriesExtensionDependencies,
  due: DueSeries,
  now: Date,
): Promise<boolean> {
  const { series, timeZone } = due;
  const { dates: planned, next, extendAt } = planExtension(series, timeZone, now);
  const exceptions =
    planned.length > 0 ? await readExceptions(dependencies.store, series.databaseId, { now }) : [];
  const excepted = new Set(exceptions.map((date) => dayOf(date, timeZone)));
  const dates = planned.filter((date) => !excepted.has(dayOf(date, timeZone)));
  const occurrences = await newOccurrences(dependencies, due, { dates, now });
  const extension = planWithinCaps(due, {
    after: {
      ...series,
      scheduledAt: next ?? series.scheduledAt,
      extendAt,
      version: series.version + 1,
      updatedAt: now,
    },
    occurrences: occurrences.map((after) => ({
      kind: 'insert',
      after,
      slots: newSlots(null, after, due)!,
    })),
    isSkipping: false,
    now,
  });
  return (await saveOnce(dependencies.store.save, extension)) !== null;
}

/**
 * Creates the occurrences that series need as time passes, and moves each series on to its next
 * date (D60). A series that another process changes at the same time is left to the next run.
 * Returns the number of extended series, at most `max`.
 */
export const createSeriesExtension =
  (dependencies: SeriesExtensionDependencies) =>
  async (max: number): Promise<number> => {
    const now = dependencies.clock.now();
    let extended = 0;
    const errors: unknown[] = [];
    for (const due of await dependencies.dueSeries.due(now, max)) {
      const isExtended = await extend(dependencies, due, now).catch((error: unknown) => {
        errors.push(error); // the other series do not wait for this one
        return false;
      });
      if (isExtended) extended += 1;
    }
    if (errors.length > 0) throw errors[0];
    return extended;
  };
