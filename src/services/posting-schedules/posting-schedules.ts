import { hasPostActions, type Viewer } from '../../domain/access/viewer.js';
import { toTimeZoneName } from '../../domain/calendar/zone-time.js';
import { capReservations, newSlots, queueSlotsOf } from '../../domain/caps/cap-slots.js';
import { EMPTY_CHANGE, type UpsertWrite } from '../../domain/changes/change.js';
import type { Refusal } from '../../domain/errors.js';
import { toActor } from '../../domain/events/actor.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { Account, Post } from '../../domain/posts/post.js';
import {
  minuteOfWeek,
  slotsOfMinutes,
  type PostingSchedule,
  type PostingSlot,
} from '../../domain/publishing/posting-schedule.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import type { PostingScheduleStore } from '../../persistence/posting-schedules/posting-schedule-store.js';
import {
  createSlotFinder,
  readQueues,
  type AccountQueues,
  type SlotDependencies,
  type SlotRequest,
} from './slot-finder.js';

/** What changes about the posting schedule of an account. Absent fields keep their values. */
export interface PostingScheduleRequest {
  readonly accountId: string;
  /** IANA name, in any case. */
  readonly timeZone?: string;
  readonly paused?: boolean;
  /** Replaces all slots; repeated ones count once. */
  readonly slots?: readonly PostingSlot[];
  readonly dryRun: boolean;
}

/** Outcome of setting a posting schedule. */
type PostingScheduleOutcome =
  | { readonly kind: 'set'; readonly account: Account; readonly schedule: PostingSchedule }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** Posting schedules of accounts (D61). */
export interface PostingSchedules {
  /** The schedules of accounts of the viewer's workspace, by account ID. */
  byAccount(accountIds: readonly string[]): Promise<ReadonlyMap<string, PostingSchedule>>;
  /** The next free times of the account's queue, at most `first`. */
  nextFree(viewer: Viewer, account: Account, first: number): Promise<Date[]>;
  /**
   * Sets the posting schedule of an account. If it is no longer paused, posts whose time has passed
   * meanwhile get the next free times.
   */
  set(viewer: Viewer, request: PostingScheduleRequest): Promise<PostingScheduleOutcome>;
}

/** Dependencies of posting schedules. */
interface PostingScheduleDependencies extends MoveDependencies {
  readonly postingSchedules: PostingScheduleStore;
  readonly workspaceRecords: MoveDependencies['workspaceRecords'] &
    Pick<WorkspaceRecordStore, 'accountsById'>;
  readonly clock: Clock;
}

const refused = (
  code: Refusal['code'],
  message: string,
  path: readonly string[],
): PostingScheduleOutcome => ({
  kind: 'refused',
  refusals: [{ code, message, path, rule: 'D61' }],
});

const withChanges = (
  schedule: PostingSchedule,
  { paused, slots }: PostingScheduleRequest,
  timeZone: string,
): PostingSchedule => ({
  timeZone,
  paused: paused ?? schedule.paused,
  slots: slots ? slotsOfMinutes(slots.map(minuteOfWeek)) : schedule.slots,
});

/** Creates the use cases of posting schedules. */
export function createPostingSchedules(
  dependencies: PostingScheduleDependencies,
): PostingSchedules {
  const { postingSchedules, workspaceRecords, clock } = dependencies;
  return {
    byAccount: (accountIds) => postingSchedules.schedules(accountIds),

    async nextFree(viewer, account, first) {
      const now = clock.now();
      const queues = await readQueues(dependencies, [account.id], now);
      const finder = createSlotFinder(queues, { plan: viewer.workspace.plan, now });
      const request: SlotRequest = { account, type: 'status', from: null, until: null };
      const times: Date[] = [];
      while (times.length < first) {
        const at = finder.next(request);
        if (!at) break;
        finder.take(request, at);
        times.push(at);
      }
      return times;
    },

    async set(viewer, request) {
      if (!hasPostActions(viewer))
        return refused(
          'FORBIDDEN',
          'Setting a posting schedule requires post-action access, which your membership does not have.',
          [],
        );
      const { accountId, dryRun } = request;
      const accounts = await workspaceRecords.accountsById(viewer.workspace.id, [accountId]);
      const account = accounts.get(accountId);
      if (!account)
        return refused('RULE_VIOLATION', 'No account of this workspace has this ID.', [
          'accountId',
        ]);
      const before = (await postingSchedules.schedules([accountId])).get(accountId)!;
      const timeZone =
        request.timeZone === undefined ? before.timeZone : toTimeZoneName(request.timeZone);
      if (timeZone === null)
        return refused(
          'RULE_VIOLATION',
          `timeZone must be an IANA time zone, such as Europe/Berlin or UTC, not ${request.timeZone}.`,
          ['timeZone'],
        );
      const schedule = withChanges(before, request, timeZone);
      if (before.paused && !schedule.paused) {
        const move = { account, schedule, dryRun };
        const refusal = await retryOnConflict(() => moveOverduePosts(dependencies, viewer, move));
        if (refusal !== 'moved') return { kind: 'refused', refusals: [refusal] };
      }
      if (!dryRun) await postingSchedules.save(accountId, schedule);
      return { kind: 'set', account, schedule };
    },
  };
}

/** Dependencies of giving posts other times. */
interface MoveDependencies extends SlotDependencies {
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
async function moveOverduePosts(
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
