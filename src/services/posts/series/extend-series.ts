import { capReservations, newSlots, slotOwners } from '../../../domain/caps/cap-slots.js';
import { EMPTY_CHANGE, type Change, type InsertWrite } from '../../../domain/changes/change.js';
import { SERVICE } from '../../../domain/events/actor.js';
import type { Post } from '../../../domain/posts/post.js';
import { occurrenceStateOf } from '../../../domain/rules/state-rules.js';
import type { DueSeries, DueSeriesStore } from '../../../persistence/publishing/due-posts.js';
import type { Clock } from '../../clock.js';
import type { Ids } from '../../ids.js';
import type { PostStore } from '../../../persistence/posts/post-store.js';
import type { SaveOutcome } from '../../../domain/changes/change.js';
import { childrenAt } from './plan-series.js';
import { planExtension } from './series-dates.js';

interface SeriesExtensionDependencies {
  readonly dueSeries: DueSeriesStore;
  readonly store: Pick<PostStore, 'reserveIds' | 'save'>;
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

/** Saves the extension without the occurrences that exceed a daily cap. */
async function saveWithinCaps(
  { store }: SeriesExtensionDependencies,
  due: DueSeries,
  extension: PlannedExtension,
): Promise<SaveOutcome['kind']> {
  let planned = extension;
  for (let left = MAX_TRIES; left > 0; left--) {
    const outcome = await store.save(toChange(due, planned));
    if (outcome.kind !== 'cap_exceeded') return outcome.kind;
    const ownerOf = slotOwners(planned.occurrences);
    const exceeding = new Set(outcome.exceeded.map(ownerOf));
    const occurrences = planned.occurrences.filter((write) => !exceeding.has(write));
    planned = { ...planned, occurrences, isSkipping: true };
  }
  return 'conflict';
}

async function extend(
  dependencies: SeriesExtensionDependencies,
  due: DueSeries,
  now: Date,
): Promise<boolean> {
  const { series, timeZone } = due;
  const { dates, next, extendAt } = planExtension(series, timeZone, now);
  const occurrences = await newOccurrences(dependencies, due, { dates, now });
  const outcome = await saveWithinCaps(dependencies, due, {
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
  return outcome === 'saved';
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
