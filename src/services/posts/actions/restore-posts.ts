import { newSlots, STATES_AHEAD } from '../../../domain/caps/cap-slots.js';
import type { UpsertWrite } from '../../../domain/changes/change.js';
import { restoredState } from '../../../domain/history/restored-state.js';
import { RETENTION } from '../../../domain/jobs/retention.js';
import type { Post } from '../../../domain/posts/post.js';
import { deletability } from '../../../domain/rules/delete-rules.js';
import { upcomingDates } from '../series/series-dates.js';
import {
  refusedPlan,
  toPostChange,
  type PlanContext,
  type PostActionPlanner,
  type PostChange,
  type PostPlan,
} from './post-plan.js';

const HOUR_MS = 3_600_000;

/** The next time of a post that is to be published; null if it has passed, or has no time. */
function nextTime({ viewer, now }: PlanContext, post: Post): Date | null {
  if (post.storedState === 'recurring')
    return upcomingDates(post.recurring ?? {}, viewer.workspace.timeZone, now)[0] ?? null;
  return post.scheduledAt && post.scheduledAt > now ? post.scheduledAt : null;
}

/**
 * The deleted post as it is restored (D71), with all of its slots: none were kept (D39). Without
 * its series, an occurrence is an independent post.
 */
function toRestoredPost(
  context: PlanContext,
  post: Post,
  { hasSeries }: { hasSeries: boolean },
): PostChange {
  const { viewer } = context;
  const isPlanned = post.storedState === 'recurring' || STATES_AHEAD.includes(post.storedState);
  const scheduledAt = isPlanned ? nextTime(context, post) : post.scheduledAt;
  const isLate = isPlanned && scheduledAt === null;
  const change = toPostChange(context, post, {
    storedState: restoredState(post, viewer, { isLate }),
    scheduledAt,
    retryAt: null,
    parentId: hasSeries ? post.parentId : null,
    ...(isLate && { queuedAt: null }),
    event: 'post.restored',
  });
  const toRestoration = (write: UpsertWrite): UpsertWrite =>
    write.kind === 'update'
      ? { ...write, restores: true, slots: newSlots(null, write.after, viewer.workspace) }
      : write;
  return { ...change, writes: change.writes.map(toRestoration) };
}

/** What the plans need: living series, and the occurrences that were deleted with their series. */
interface Related {
  readonly seriesIds: ReadonlySet<number>;
  readonly children: readonly Post[];
}

/** A series comes back with the future occurrences that were deleted with it. */
function planRestore(context: PlanContext, post: Post, { seriesIds, children }: Related): PostPlan {
  const refusal = deletability(post, context.viewer);
  if (refusal) return refusedPlan(refusal);
  const hasSeries = post.parentId !== null && seriesIds.has(post.parentId);
  const restored = toRestoredPost(context, post, { hasSeries });
  if (restored.post.storedState !== 'recurring')
    return hasSeries ? { ...restored, requiredSeries: [post.parentId!] } : restored;
  const occurrences = children
    .filter(({ parentId }) => parentId === post.databaseId)
    .map((child) => toRestoredPost(context, child, { hasSeries: true }));
  return { ...restored, writes: [restored, ...occurrences].flatMap(({ writes }) => writes) };
}

async function readRelated(
  { viewer, store, now }: PlanContext,
  deleted: readonly Post[],
): Promise<Related> {
  const ids = deleted
    .filter(({ storedState }) => storedState === 'recurring')
    .map(({ databaseId }) => databaseId);
  const parentIds = deleted.flatMap(({ parentId }) => parentId ?? []);
  const [children, parents] = await Promise.all([
    ids.length > 0 ? store.childrenDeletedWith(ids, now) : [],
    parentIds.length > 0 ? store.byDatabaseId(viewer, parentIds) : new Map<number, Post>(),
  ]);
  const series = [...parents.values()].filter(({ storedState }) => storedState === 'recurring');
  return { children, seriesIds: new Set(series.map(({ databaseId }) => databaseId)) };
}

/** Brings deleted posts back, as long as their rows are kept (D32, D71). */
export function restorePlanner(): PostActionPlanner {
  const deletedIds = new Set<string>();
  return {
    actionOn: ({ id }) => (deletedIds.has(id) ? null : 'restore'),
    async find({ viewer, store, now }, ids) {
      const since = new Date(now.getTime() - RETENTION.deletedPosts.hours * HOUR_MS);
      const [existing, deleted] = await Promise.all([
        store.findAll(viewer, ids),
        store.findDeleted(viewer, ids, since),
      ]);
      for (const post of deleted) if (post) deletedIds.add(post.id);
      return existing.map((lookup, index) => {
        const post = deleted[index];
        return post ? { kind: 'found', post } : lookup;
      });
    },
    async prepare(context, posts) {
      const related = await readRelated(
        context,
        posts.filter(({ id }) => deletedIds.has(id)),
      );
      return (post) => planRestore(context, post, related);
    },
  };
}
