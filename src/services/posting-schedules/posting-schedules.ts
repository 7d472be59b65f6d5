import { hasPostActions, type Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import type { Account } from '../../domain/posts/post.js';
import {
  minuteOfWeek,
  slotsOfMinutes,
  type PostingSchedule,
  type PostingSlot,
} from '../../domain/publishing/posting-schedule.js';
import type { Clock } from '../clock.js';
import { toTimeZoneName } from '../../domain/calendar/zone-time.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import type { WorkspaceRecordStore } from '../workspaces/workspace-ports.js';
import { moveOverduePosts, type MoveDependencies } from './move-overdue-posts.js';
import type { PostingScheduleStore } from './posting-schedule-ports.js';
import { createSlotFinder, readQueues, type SlotRequest } from './slot-finder.js';

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
export type PostingScheduleOutcome =
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
export interface PostingScheduleDependencies extends MoveDependencies {
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
