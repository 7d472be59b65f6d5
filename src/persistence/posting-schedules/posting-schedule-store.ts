import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import {
  minuteOfWeek,
  slotsOfMinutes,
  type PostingSchedule,
} from '../../domain/publishing/posting-schedule.js';
import { PUBLISHABLE_STATES } from '../../domain/publishing/publication.js';
import type { Database } from '../database.js';

const PLANNED_STATES = storedStateNumbers([
  ...STATE_FILTERS.scheduled.storedStates,
  'recycling_active',
  'recycling_paused',
  'recycling_pending',
  'recycling_reauth',
  'recycling_locked',
]);

/** Whether the post `p` has its time to itself in the queue of its account (D61). */
export const IS_PLANNED = `p.stored_state IN (${PLANNED_STATES.join(', ')}) AND p.deleted_at IS NULL`;

/** The posting schedule of an account, and the times of its planned posts. */
export interface AccountQueue {
  readonly schedule: PostingSchedule;
  /** Times of planned posts from the start of the period to its end, in any order. */
  readonly plannedAt: readonly Date[];
}

const PLANNED = `
SELECT p.account_id AS "accountId", p.scheduled_at AS at FROM post p
 WHERE p.account_id = ANY($1::text[]) AND p.sort_at BETWEEN $2 AND $3 AND ${IS_PLANNED}`;

const OVERDUE = `
SELECT p.doc_id AS id FROM post p
 WHERE p.account_id = $1 AND p.sort_at <= $2 AND p.auto AND p.queued_at IS NULL AND p.deleted_at IS NULL
   AND p.stored_state IN (${storedStateNumbers(PUBLISHABLE_STATES).join(', ')})
 ORDER BY p.sort_at, p.id`;

const NO_SCHEDULE = { timeZone: null, paused: false, slots: [] };

/** Posting schedules in PostgreSQL. */
export function createPostingScheduleStore({ prisma, changeRecords, scan }: Database) {
  async function schedules(
    accountIds: readonly string[],
  ): Promise<ReadonlyMap<string, PostingSchedule>> {
    const accounts = await prisma.account.findMany({
      where: { id: { in: [...accountIds] } },
      select: {
        id: true,
        postingSchedule: { omit: { accountId: true } },
        workspace: { select: { timeZone: true } },
      },
    });
    return new Map(
      accounts.map(({ id, postingSchedule, workspace }) => {
        const { slots, paused, timeZone } = postingSchedule ?? NO_SCHEDULE;
        return [
          id,
          {
            timeZone: timeZone ?? workspace.timeZone,
            usesWorkspaceTimeZone: timeZone === null,
            paused,
            slots: slotsOfMinutes(slots),
          },
        ];
      }),
    );
  }
  return {
    /**
     * Posting schedules by account ID. An account that was never given one has no slots and the
     * time zone of its workspace.
     */
    schedules,
    /** Posting schedules with the planned posts of a period, by account ID. */
    async queues(
      accountIds: readonly string[],
      { from, until }: { readonly from: Date; readonly until: Date },
    ): Promise<ReadonlyMap<string, AccountQueue>> {
      const [byAccount, planned] = await Promise.all([
        schedules(accountIds),
        scan<{ accountId: string; at: Date }>(PLANNED, [accountIds, from, until]),
      ]);
      return new Map(
        [...byAccount].map(([id, schedule]) => [
          id,
          {
            schedule,
            plannedAt: planned.filter(({ accountId }) => accountId === id).map(({ at }) => at),
          },
        ]),
      );
    },
    /** Document IDs of posts that were given a slot, and whose time has passed while paused. */
    async overdue(accountId: string, now: Date): Promise<string[]> {
      const rows = await scan<{ id: string }>(OVERDUE, [accountId, now]);
      return rows.map(({ id }) => id);
    },
    /** Replaces the posting schedule of an account. */
    async save(
      accountId: string,
      { timeZone, usesWorkspaceTimeZone, paused, slots }: PostingSchedule,
    ): Promise<void> {
      const schedule = {
        timeZone: usesWorkspaceTimeZone ? null : timeZone,
        paused,
        slots: slots.map(minuteOfWeek),
      };
      await changeRecords(({ postingSchedule }) =>
        postingSchedule.upsert({
          where: { accountId },
          create: { accountId, ...schedule },
          update: schedule,
        }),
      );
    },
  };
}
export type PostingScheduleStore = ReturnType<typeof createPostingScheduleStore>;
