import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import { STATES_AHEAD, newSlots } from '../../../domain/caps/daily-caps.js';
import type { Post } from '../../../domain/posts/post.js';
import { isPending, type StoredState } from '../../../domain/posts/states.js';
import { storedStateAfter, restoredStoredState } from '../../../domain/posts/transitions.js';
import type { UpsertWrite } from '../../../domain/changes/change.js';
import { RETENTION } from '../../../domain/jobs/retention.js';
import { deletability } from '../../../domain/rules/delete-rules.js';
import {
  dateOf,
  dayOf,
  isMoved,
  madeOccurrences,
} from '../../../domain/calendar/occurrence-dates.js';
import type { OccurrenceDate } from '../../../persistence/posts/post-store.js';
import { hasDateOn, toInstantString, upcomingDates } from '../series/series-dates.js';
import {
  createSlotFinder,
  readQueues,
  type SlotFinder,
} from '../../posting-schedules/slot-finder.js';
import {
  duplicateCheck,
  refusedPlan,
  toPostChange,
  type PlanContext,
  type PostActionPlanner,
  type PostChange,
  type PostPlan,
} from './post-plan.js';

const DECLINED: readonly StoredState[] = ['scheduled_declined', 'recycling_declined'];

/**
 * The state that the account and the workspace allow now: both may have changed since the deletion.
 */
function forCircumstances(
  storedState: StoredState,
  needsReauth: boolean,
  { locked: isLocked, requiresApproval }: Viewer['workspace'],
): StoredState {
  const suspended = { storedState, previous: null, requiresApproval, isLocked, needsReauth };
  if (isLocked) return storedStateAfter(storedState, 'workspace_locked');
  if (storedState.endsWith('_locked')) return restoredStoredState('workspace_unlocked', suspended);
  if (needsReauth) return storedStateAfter(storedState, 'account_needs_reauth');
  return storedState.endsWith('_reauth')
    ? restoredStoredState('account_reconnected', suspended)
    : storedState;
}

/**
 * The state of a deleted post that is restored (D71). A post that was to be published at a time
 * that has passed is an undated draft. Pending and declined posts stay so, and a member who needs
 * approval makes other planned posts pending (D24): restoring publishes nothing without the
 * approval that it needs.
 */
function restoredState(
  { storedState, account }: Pick<Post, 'storedState' | 'account'>,
  viewer: Viewer,
  { isLate }: { isLate: boolean },
): StoredState {
  if (isLate) return storedStateAfter(storedState, 'restored_late');
  const isDecided = isPending(storedState) || DECLINED.includes(storedState);
  if (!STATES_AHEAD.includes(storedState) || isDecided) return storedState;
  return needsApproval(viewer)
    ? storedStateAfter(storedState, 'changed_without_approval')
    : forCircumstances(storedState, account?.needsReauth ?? false, viewer.workspace);
}

const HOUR_MS = 3_600_000;

/** The next time of a post that is to be published; null if it has passed, or has no time. */
function nextTime({ viewer, now }: PlanContext, post: Post): Date | null {
  if (post.storedState === 'recurring')
    return upcomingDates(post.recurring ?? {}, viewer.workspace.timeZone, now)[0] ?? null;
  return post.scheduledAt && post.scheduledAt > now ? post.scheduledAt : null;
}

const isAhead = ({ storedState }: Post): boolean =>
  storedState === 'recurring' || STATES_AHEAD.includes(storedState);

/** Gives a post of a queue its time back, or the next free one; null if there is none (D61). */
function inQueue({ slots }: Related, post: Post, at: Date): Date | null {
  const request = { account: post.account!, type: post.type, from: null, until: null };
  const free = slots.isTaken(request.account, at) ? slots.next(request) : at;
  if (free) slots.take(request, free);
  return free;
}

/**
 * The deleted post as it is restored (D71), with all of its slots: none were kept (D39). Without
 * its series, an occurrence is an independent post. Null if its queue has no free time.
 */
function toRestoredPost(
  context: PlanContext,
  post: Post,
  { place, related }: { readonly place: OccurrencePlace; readonly related: Related },
): PostChange | null {
  const { viewer } = context;
  const { parentId, occurrenceDate, ownFields } = place;
  const isPlanned = isAhead(post);
  const time = isPlanned ? nextTime(context, post) : post.scheduledAt;
  const isLate = isPlanned && time === null;
  const scheduledAt = isPlanned && time && post.auto ? inQueue(related, post, time) : time;
  if (time && !scheduledAt) return null;
  const change = toPostChange(context, post, {
    storedState: restoredState(post, viewer, { isLate }),
    scheduledAt,
    retryAt: null,
    parentId,
    occurrenceDate,
    ownFields,
    ...(isLate && { queuedAt: null, auto: false }),
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
  readonly series: ReadonlyMap<number, Post>;
  readonly children: readonly Post[];
  /** The days that have an occurrence, by series; those that are restored are added. */
  readonly taken: ReadonlyMap<number, Set<number>>;
  /** The queues of posts that had a time of one. */
  readonly slots: SlotFinder;
}

/** The series and the date of its rule that a post belongs to. */
type OccurrencePlace = Pick<Post, 'parentId' | 'occurrenceDate' | 'ownFields'>;

/** Where a restored post belongs, or why it cannot be restored. */
type Place =
  (OccurrencePlace & { readonly kind: 'place' }) | { readonly kind: 'taken'; readonly date: Date };

/**
 * An occurrence gets its date back, unless another occurrence has it. If the rule does not have the
 * date any more, the occurrence keeps its time like one that was moved. Without its series, it is an
 * independent post.
 */
function placeOf({ viewer }: PlanContext, post: Post, { series, taken }: Related): Place {
  const { parentId, ownFields } = post;
  const parent = parentId === null ? undefined : series.get(parentId);
  if (!parent) return { kind: 'place', parentId: null, occurrenceDate: null, ownFields };
  const date = dateOf(post);
  const isPlanned = STATES_AHEAD.includes(post.storedState);
  if (!date || (!isPlanned && !post.occurrenceDate))
    return { kind: 'place', parentId, occurrenceDate: post.occurrenceDate, ownFields };
  const zone = viewer.workspace.timeZone;
  const day = dayOf(date, zone);
  const days = taken.get(parent.databaseId)!;
  if (days.has(day)) return { kind: 'taken', date };
  days.add(day);
  const isOfRule = isMoved(post) || hasDateOn(parent.recurring ?? {}, zone, day);
  return {
    kind: 'place',
    parentId,
    occurrenceDate: date,
    ownFields: isOfRule ? ownFields : [...ownFields, 'scheduledAt'],
  };
}

const takenPlan = (date: Date): PostPlan =>
  refusedPlan({
    code: 'RULE_VIOLATION',
    message: `The series has another occurrence for ${toInstantString(date)}. Delete that one before you restore this one.`,
    path: [],
    rule: 'D23',
  });

const noFreeSlot = ({ account }: Post): PostPlan =>
  refusedPlan({
    code: 'NO_FREE_SLOT',
    message: `Another post has the time of the post in the queue of ${account!.name}, which has no free time within a year. Add slots with setPostingSchedule.`,
    path: [],
    rule: 'D61',
  });

/** A series comes back with the future occurrences that were deleted with it. */
function planRestore(context: PlanContext, post: Post, related: Related): PostPlan {
  const refusal = deletability(post, context.viewer);
  if (refusal) return refusedPlan(refusal);
  const place = placeOf(context, post, related);
  if (place.kind === 'taken') return takenPlan(place.date);
  const restored = toRestoredPost(context, post, { place, related });
  if (!restored) return noFreeSlot(post);
  if (restored.post.storedState !== 'recurring')
    return place.parentId === null ? restored : { ...restored, requiredSeries: [place.parentId] };
  const writes = [...restored.writes];
  const dates: Date[] = [];
  for (const child of related.children.filter(({ parentId }) => parentId === post.databaseId)) {
    const occurrence = toRestoredPost(context, child, { place: child, related });
    if (!occurrence) return noFreeSlot(child);
    writes.push(...occurrence.writes);
    dates.push(occurrence.post.scheduledAt!);
  }
  return { ...restored, writes, series: madeOccurrences(dates) };
}

async function readRelated(context: PlanContext, deleted: readonly Post[]): Promise<Related> {
  const { viewer, store, now } = context;
  const ids = deleted
    .filter(({ storedState }) => storedState === 'recurring')
    .map(({ databaseId }) => databaseId);
  const parentIds = deleted.flatMap(({ parentId }) => parentId ?? []);
  const [children, parents] = await Promise.all([
    ids.length > 0 ? store.childrenDeletedWith(ids, now) : [],
    store.findAll(
      viewer,
      parentIds.map((id) => ({ kind: 'database', id })),
    ),
  ]);
  const series = new Map(
    parents.flatMap((lookup) =>
      lookup.kind === 'found' && lookup.post.storedState === 'recurring'
        ? [[lookup.post.databaseId, lookup.post]]
        : [],
    ),
  );
  const zone = viewer.workspace.timeZone;
  const toDays = (dates: readonly OccurrenceDate[]): Set<number> =>
    new Set(dates.filter(({ isDeleted }) => !isDeleted).map(({ date }) => dayOf(date, zone)));
  const taken = await Promise.all(
    [...series.keys()].map(
      async (id) => [id, toDays(await store.occurrenceDates(id, new Date(0)))] as const,
    ),
  );
  const inQueues = [...deleted, ...children].filter((post) => post.auto && isAhead(post));
  const accountIds = new Set(inQueues.flatMap(({ accountId }) => accountId ?? []));
  const queues = await readQueues(context, [...accountIds], now);
  const slots = createSlotFinder(queues, { plan: viewer.workspace.plan, now });
  return { children, series, taken: new Map(taken), slots };
}

/** Brings deleted posts back, as long as their rows are kept (D32, D71). */
export function restorePlanner(input: { readonly allowDuplicate: boolean }): PostActionPlanner {
  const deletedIds = new Set<string>();
  return {
    ...duplicateCheck(input),
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
