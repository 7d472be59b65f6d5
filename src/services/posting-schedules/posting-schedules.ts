import { hasPostActions, type Viewer, toActor } from '../../domain/access/viewer.js';
import { toTimeZoneName } from '../../domain/calendar/zone-time.js';
import { capReservations, newSlots, queueSlotsOf } from '../../domain/caps/daily-caps.js';
import { EMPTY_CHANGE, type UpsertWrite } from '../../domain/changes/change.js';
import type { Refusal } from '../../domain/errors.js';
import { readPostId, type Account, type Post } from '../../domain/posts/post.js';
import {
  minuteOfWeek,
  slotsOfMinutes,
  type PostingSchedule,
  type PostingSlot,
} from '../../domain/publishing/posting-schedule.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import { refusedBy, saveChange, type Plan, type Refused } from '../changes/run-change.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import type { PostingScheduleStore } from '../../persistence/posting-schedules/posting-schedule-store.js';
import { inSlices } from '../long-work.js';
import {
  createSlotFinder,
  horizonOf,
  readQueues,
  type AccountQueues,
  type SlotDependencies,
  type SlotFinder,
  type SlotRequest,
} from './slot-finder.js';

/** What changes about the posting schedule of an account. Absent fields keep their values. */
export interface PostingScheduleRequest {
  readonly accountId: string;
  /** IANA name, in any case. Null for the time zone of the workspace, also when that changes. */
  readonly timeZone?: string | null;
  readonly paused?: boolean;
  /** Replaces all slots; repeated ones count once. */
  readonly slots?: readonly PostingSlot[];
  readonly dryRun: boolean;
}

/** Outcome of setting a posting schedule. */
type PostingScheduleOutcome =
  { readonly kind: 'set'; readonly account: Account; readonly schedule: PostingSchedule } | Refused;

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

const refused = (code: Refusal['code'], message: string, path: readonly string[]): Refused =>
  refusedBy({ code, message, path, rule: 'D61' });

const withChanges = (
  schedule: PostingSchedule,
  { paused, slots, timeZone: requested }: PostingScheduleRequest,
  timeZone: string,
): PostingSchedule => ({
  timeZone,
  usesWorkspaceTimeZone:
    requested === undefined ? schedule.usesWorkspaceTimeZone : requested === null,
  paused: paused ?? schedule.paused,
  slots: slots ? slotsOfMinutes(slots.map(minuteOfWeek)) : schedule.slots,
});

/** Creates the use cases of posting schedules. */
export function createPostingSchedules(
  dependencies: PostingScheduleDependencies,
): PostingSchedules {
  const { postingSchedules, workspaceRecords, store, clock } = dependencies;
  return {
    byAccount: (accountIds) => postingSchedules.schedules(accountIds),

    async nextFree(viewer, account, first) {
      const now = clock.now();
      const queues = await readQueues(dependencies, [account.id], now);
      const finder = createSlotFinder(queues, { plan: viewer.workspace.plan, now });
      return inSlices(freeTimes(finder, { account, first, now }));
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
        request.timeZone === undefined
          ? before.timeZone
          : toTimeZoneName(request.timeZone ?? viewer.workspace.timeZone);
      if (timeZone === null)
        return refused(
          'RULE_VIOLATION',
          `timeZone must be an IANA time zone, such as Europe/Berlin or UTC, not ${request.timeZone}.`,
          ['timeZone'],
        );
      const schedule = withChanges(before, request, timeZone);
      if (before.paused && !schedule.paused) {
        const moved = await saveChange(dryRun ? store.dryRun : store.save, () =>
          planMoves(dependencies, viewer, { account, schedule }),
        );
        if (moved.kind === 'refused') return moved;
      }
      if (!dryRun) await postingSchedules.save(accountId, schedule);
      return { kind: 'set', account, schedule };
    },
  };
}

/** A step looks at the slots of a week: at most 672. */
const STEP_MS = 7 * 86_400_000;

/** Finds free times in order. Taking one frees none before it. */
function* freeTimes(
  finder: SlotFinder,
  {
    account,
    first,
    now,
  }: { readonly account: Account; readonly first: number; readonly now: Date },
): Generator<void, Date[], void> {
  const times: Date[] = [];
  const end = horizonOf(now).getTime();
  let from = now.getTime();
  while (times.length < first && from <= end) {
    const until = from + STEP_MS;
    const request: SlotRequest = {
      account,
      type: 'status',
      from: new Date(from),
      until: new Date(until),
    };
    const at = finder.next(request);
    if (at) {
      finder.take(request, at);
      times.push(at);
    }
    from = (at?.getTime() ?? until) + 1;
    yield;
  }
  return times;
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
 * (D61).
 */
async function planMoves(
  dependencies: MoveDependencies,
  viewer: Viewer,
  resumed: ResumedQueue,
): Promise<Plan<{ readonly kind: 'moved' }>> {
  const { postingSchedules, store, clock } = dependencies;
  const { account } = resumed;
  const { plan, id: workspaceId } = viewer.workspace;
  const now = clock.now();
  const ids = await postingSchedules.overdue(account.id, now);
  if (ids.length === 0) return { outcome: { kind: 'moved' } };
  const lookups = await store.findAll(viewer, ids.map(readPostId));
  const posts = lookups.flatMap((lookup) => (lookup.kind === 'found' ? lookup.post : []));
  const queues = await readQueues(dependencies, [account.id], now);
  const finder = createSlotFinder(withoutOverdue(queues, resumed, posts), { plan, now });
  const writes: UpsertWrite[] = [];
  for (const before of posts) {
    const request = { account, type: before.type, from: null, until: null };
    const scheduledAt = finder.next(request);
    if (!scheduledAt)
      return { outcome: refusedBy(noFreeSlot(account, posts.length - writes.length)) };
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
  return { outcome: { kind: 'moved' }, change };
}
