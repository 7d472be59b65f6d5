import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import { minuteOfWeek, slotsOfMinutes } from '../../domain/publishing/posting-schedule.js';
import { PUBLISHABLE_STATES } from '../../domain/publishing/publication.js';
import type { Database } from '../database.js';
import type { PostingScheduleStore } from '../../services/posting-schedules/posting-schedule-ports.js';

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

interface ScheduleRow {
  accountId: string;
  timeZone: string;
  paused: boolean;
  slots: number[];
}

const SCHEDULES = `
SELECT a.id AS "accountId", COALESCE(s.time_zone, w.time_zone) AS "timeZone",
       COALESCE(s.paused, false) AS paused, COALESCE(s.slots, '{}') AS slots
  FROM account a JOIN workspace w ON w.id = a.workspace_id LEFT JOIN posting_schedule s ON s.account_id = a.id
 WHERE a.id = ANY($1::text[])`;

const PLANNED = `
SELECT p.account_id AS "accountId", p.scheduled_at AS at FROM post p
 WHERE p.account_id = ANY($1::text[]) AND p.sort_at BETWEEN $2 AND $3 AND ${IS_PLANNED}`;

const OVERDUE = `
SELECT p.doc_id AS id FROM post p
 WHERE p.account_id = $1 AND p.sort_at <= $2 AND p.auto AND p.queued_at IS NULL AND p.deleted_at IS NULL
   AND p.stored_state IN (${storedStateNumbers(PUBLISHABLE_STATES).join(', ')})
 ORDER BY p.sort_at, p.id`;

const SAVE = `
INSERT INTO posting_schedule AS s (account_id, time_zone, paused, slots) VALUES ($1, $2, $3, $4::smallint[])
    ON CONFLICT (account_id) DO UPDATE SET time_zone = excluded.time_zone, paused = excluded.paused, slots = excluded.slots`;

/** Posting schedules in PostgreSQL. */
export function createPostingScheduleStore(database: Database): PostingScheduleStore {
  const schedules: PostingScheduleStore['schedules'] = async (accountIds) => {
    const rows = await database.scan<ScheduleRow>(SCHEDULES, [accountIds]);
    return new Map(
      rows.map(({ accountId, slots, ...rest }) => [
        accountId,
        { ...rest, slots: slotsOfMinutes(slots) },
      ]),
    );
  };
  return {
    schedules,
    async queues(accountIds, { from, until }) {
      const [byAccount, planned] = await Promise.all([
        schedules(accountIds),
        database.scan<{ accountId: string; at: Date }>(PLANNED, [accountIds, from, until]),
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
    async overdue(accountId, now) {
      const rows = await database.scan<{ id: string }>(OVERDUE, [accountId, now]);
      return rows.map(({ id }) => id);
    },
    async save(accountId, { timeZone, paused, slots }) {
      await database.change(SAVE, [accountId, timeZone, paused, slots.map(minuteOfWeek)]);
    },
  };
}
