import type { Viewer } from '../../domain/access/viewer.js';
import { capReservations, newSlots } from '../../domain/caps/cap-slots.js';
import { EMPTY_CHANGE, type UpsertWrite } from '../../domain/changes/change.js';
import { queueSlotsOf } from '../../domain/changes/queue-slots.js';
import type { Refusal } from '../../domain/errors.js';
import { toActor } from '../../domain/events/actor.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { PostingSchedule } from '../../domain/publishing/posting-schedule.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../posts/post-ports.js';
import type { PostingScheduleStore } from './posting-schedule-ports.js';
import {
  createSlotFinder,
  readQueues,
  type AccountQueues,
  type SlotDependencies,
} from './slot-finder.js';

/** Dependencies of giving posts other times. */
export interface MoveDependencies extends SlotDependencies {
  readonly postingSchedules: PostingScheduleStore;
  readonly store: Pick<PostStore, 'findAll' | 'save' | 'dryRun'>;
  readonly clock: Clock;
}

/** A queue that goes on after a pause. */
interface ResumedQueue {
  readonly account: Account;
  readonly schedule: PostingSchedule;
  readonly dryRun: boolean;
}

const noFreeSlot = ({ name }: Account, count: number): Refusal => ({
  code: 'NO_FREE_SLOT',
  message: `${count} posts of ${name} whose time has passed find no free time within a year. Add slots, or move or delete these posts.`,
  path: ['paused'],
  rule: 'D61',
});

/** The queue with the new schedule, without what the overdue posts have planned. */
function withoutOverdue(
  { queues, capSlots }: AccountQueues,
  { account, schedule }: ResumedQueue,
  posts: readonly Post[],
): AccountQueues {
  const times = new Set(posts.map(({ scheduledAt }) => scheduledAt!.getTime()));
  return {
    queues: new Map([[account.id, { ...queues.get(account.id)!, schedule }]]),
    capSlots: capSlots.filter(({ at }) => !times.has(at.getTime())),
  };
}

/**
 * Gives the posts whose time passed while their queue was paused the next free times, oldest first
 * (D61). Null if a concurrent change was saved first.
 */
export async function moveOverduePosts(
  dependencies: MoveDependencies,
  viewer: Viewer,
  resumed: ResumedQueue,
): Promise<'moved' | Refusal | null> {
  const { postingSchedules, store, clock } = dependencies;
  const { account, dryRun } = resumed;
  const { plan, id: workspaceId } = viewer.workspace;
  const now = clock.now();
  const ids = await postingSchedules.overdue(account.id, now);
  if (ids.length === 0) return 'moved';
  const lookups = await store.findAll(viewer, ids.map(readPostId));
  const posts = lookups.flatMap((lookup) => (lookup.kind === 'found' ? lookup.post : []));
  const queues = await readQueues(dependencies, [account.id], now);
  const finder = createSlotFinder(withoutOverdue(queues, resumed, posts), { plan, now });
  const writes: UpsertWrite[] = [];
  for (const before of posts) {
    const request = { account, type: before.type, from: null, until: null };
    const scheduledAt = finder.next(request);
    if (!scheduledAt) return noFreeSlot(account, posts.length - writes.length);
    finder.take(request, scheduledAt);
    const after = { ...before, scheduledAt, version: before.version + 1, updatedAt: now };
    const slots = newSlots(before, after, viewer.workspace);
    writes.push({ kind: 'update', before, after, changed: ['scheduledAt'], slots });
  }
  const change = {
    ...EMPTY_CHANGE,
    workspaceId,
    actor: toActor(viewer),
    at: now,
    posts: writes,
    capReservations: capReservations(writes, plan),
    queueSlots: queueSlotsOf(writes),
  };
  const saved = dryRun ? await store.dryRun(change) : await store.save(change);
  return saved.kind === 'saved' ? 'moved' : null;
}
