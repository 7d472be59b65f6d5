import type { Refusal } from '../../domain/errors.js';
import { isSame, type PatchReferences } from '../../domain/changes/merge-patch.js';
import type { Post, PostPatch } from '../../domain/posts/post.js';
import { isScheduled } from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Ids, PostStore } from '../ports.js';
import { childChanges, comingDates, type ChildChanges } from './series.js';

interface SeriesPlan {
  readonly kind: 'planned';
  readonly after: Post;
  readonly children: ChildChanges;
}
type SeriesOutcome = SeriesPlan | { readonly kind: 'refused'; readonly refusal: Refusal };

interface SeriesStep {
  readonly before: Post;
  /** As the patch leaves it, in its new cell and with its rule complete. */
  readonly after: Post;
  readonly patch: PostPatch;
  readonly references: PatchReferences;
  readonly now: Date;
}

const NO_CHILDREN: ChildChanges = { updated: [], made: [], removed: [] };
const planned = (after: Post, children = NO_CHILDREN): SeriesPlan => ({
  kind: 'planned',
  after,
  children,
});

const noDateToCome = (message: string): SeriesOutcome => ({
  kind: 'refused',
  refusal: { code: 'RULE_VIOLATION', message, path: ['recurring'], rule: 'D17' },
});

/** A series' next date and what becomes of its children that are not queued (D17, D23); any other post as it is. */
export async function planSeries(
  store: PostStore,
  ids: Ids,
  viewer: Viewer,
  step: SeriesStep,
): Promise<SeriesOutcome> {
  const { before, after, now } = step;
  const wasSeries = before.cell === 'recurring';
  if (!wasSeries && after.cell !== 'recurring') return planned(after);
  const coming = wasSeries ? await store.futureChildren(before.databaseId, now) : [];
  const children = coming.filter((child) => child.queuedAt === null);
  // A queued child keeps its date: no second post is planned for it.
  const queuedFor = new Set(
    coming.filter((child) => child.queuedAt !== null).map((child) => child.scheduledAt!.getTime()),
  );
  const datesOf = (series: Post): Date[] =>
    comingDates(series.recurring ?? {}, viewer.workspace.timeZone, now).filter(
      (date) => !queuedFor.has(date.getTime()),
    );

  if (after.cell !== 'recurring') {
    const [next] = datesOf(before);
    if (!next)
      return noDateToCome(
        'recurring can be cleared only while the series has a date to come; it has none.',
      );
    return planned({ ...after, scheduledAt: next }, { ...NO_CHILDREN, removed: children });
  }
  const dates = wasSeries && isSame(before.recurring, after.recurring) ? null : datesOf(after);
  if (!wasSeries && dates?.length === 0) return noDateToCome('recurring has no date to come.');
  const series = { ...after, scheduledAt: dates?.[0] ?? after.scheduledAt };
  const leaf = isScheduled(before.cell) ? before.cell : 'scheduled';
  const changes = childChanges(viewer, ids, { ...step, after: series, children, dates, leaf });
  const reserved = changes.made.length > 0 ? await store.reserveIds(changes.made.length) : [];
  return planned(series, {
    ...changes,
    made: changes.made.map((child, index) => ({ ...child, databaseId: reserved[index]! })),
  });
}
