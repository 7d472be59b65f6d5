import { weekdayOf, zoneInstant, zoneOffset } from '../../domain/calendar/zone-time.js';
import { capFor, capAllowance } from '../../domain/caps/daily-caps.js';
import type { CapSlot } from '../../domain/changes/change.js';
import type { Plan, PostType } from '../../domain/enums.js';
import type { Account } from '../../domain/posts/post.js';
import { minuteOfWeek, type PostingSchedule } from '../../domain/publishing/posting-schedule.js';
import { MIN_LEAD_MS } from '../../domain/rules/edit-rules.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import type {
  AccountQueue,
  PostingScheduleStore,
} from '../../persistence/posting-schedules/posting-schedule-store.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A slot is looked for this far ahead (D61). */
const HORIZON_MS = 365 * DAY_MS;

/** What a free slot is needed for. */
export interface SlotRequest {
  readonly account: Account;
  readonly type: PostType;
  /** The slot is not before `from` and not after `until`; null for no bound of its own. */
  readonly from: Date | null;
  readonly until: Date | null;
}

/** Finds free slots of accounts. */
export interface SlotFinder {
  /**
   * The first free slot, at least one minute ahead: no planned post of the account has the same
   * minute, and the daily cap allows the post. Null if there is none within a year (D61).
   */
  next(request: SlotRequest): Date | null;
  /** Whether another planned post of the account has the minute. */
  isTaken(account: Account, at: Date): boolean;
  /** Counts a slot as taken, so that `next` does not return it again. */
  take(request: SlotRequest, at: Date): void;
}

/** Dependencies of finding slots. */
export interface SlotDependencies {
  readonly postingSchedules: Pick<PostingScheduleStore, 'queues'>;
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'capSlots'>;
}

const minuteOf = (at: Date): number => Math.floor(at.getTime() / MINUTE_MS);

/** The taken minutes and the publications of an account. */
interface AccountState {
  readonly queue: AccountQueue;
  readonly minutes: Set<number>;
  /** Times of publications in epoch milliseconds, by post kind. */
  readonly publications: Map<string, number[]>;
}

function stateOf(queue: AccountQueue, capSlots: readonly CapSlot[]): AccountState {
  const publications = new Map<string, number[]>();
  for (const { postKind, at } of capSlots)
    publications.set(postKind, [...(publications.get(postKind) ?? []), at.getTime()]);
  return { queue, minutes: new Set(queue.plannedAt.map(minuteOf)), publications };
}

/** The queues of accounts, and their publications that count toward daily caps. */
export interface AccountQueues {
  readonly queues: ReadonlyMap<string, AccountQueue>;
  /** From 24 hours ago on. */
  readonly capSlots: readonly CapSlot[];
}

/** Reads what the accounts have planned from `now` on. */
export async function readQueues(
  { postingSchedules, workspaceRecords }: SlotDependencies,
  accountIds: readonly string[],
  now: Date,
): Promise<AccountQueues> {
  if (accountIds.length === 0) return { queues: new Map(), capSlots: [] };
  const [queues, capSlots] = await Promise.all([
    postingSchedules.queues(accountIds, { from: now, until: horizonOf(now) }),
    workspaceRecords.capSlots(accountIds, new Date(now.getTime() - DAY_MS)),
  ]);
  return { queues, capSlots };
}

/** The latest time of a slot. */
export const horizonOf = (now: Date): Date => new Date(now.getTime() + HORIZON_MS);

/** A finder of free slots in these queues. */
export function createSlotFinder(
  { queues, capSlots }: AccountQueues,
  { plan, now }: { readonly plan: Plan; readonly now: Date },
): SlotFinder {
  const states = new Map(
    [...queues].map(([id, queue]) => [
      id,
      stateOf(
        queue,
        capSlots.filter(({ accountId }) => accountId === id),
      ),
    ]),
  );
  const capOf = ({ account: { network, type: accountType }, type: postType }: SlotRequest) =>
    capFor({ network, accountType, postType, plan });
  return {
    next(request) {
      const state = states.get(request.account.id);
      if (!state) return null;
      const { postKind, limit } = capOf(request);
      const published = state.publications.get(postKind) ?? [];
      const earliest = Math.max(now.getTime() + MIN_LEAD_MS, request.from?.getTime() ?? 0);
      const latest = Math.min(horizonOf(now).getTime(), request.until?.getTime() ?? Infinity);
      for (const at of slotTimes(state.queue.schedule, new Date(earliest), new Date(latest)))
        if (!state.minutes.has(minuteOf(at)) && capAllowance(limit, published, at.getTime()).fits)
          return at;
      return null;
    },
    isTaken: ({ id }, at) => states.get(id)?.minutes.has(minuteOf(at)) ?? false,
    take(request, at) {
      const { minutes, publications } = states.get(request.account.id)!;
      const { postKind } = capOf(request);
      minutes.add(minuteOf(at));
      publications.set(postKind, [...(publications.get(postKind) ?? []), at.getTime()]);
    },
  };
}

const DAY_MINUTES = 1_440;

/**
 * The instant of a wall-clock time, both in epoch milliseconds. A time that a change to daylight
 * saving time skips moves to the next minute that exists; of a time that occurs twice, the first is
 * taken (D61).
 */
function nextValidInstant(wall: number, zone: string): number {
  for (let next = wall; next < wall + DAY_MS; next += MINUTE_MS) {
    const at = zoneInstant(next, zone);
    if (at + zoneOffset(at, zone) === next) return at;
  }
  return zoneInstant(wall, zone);
}

/** The times of the slots of a schedule from `from` to `until`, in order, each once (D61). */
export function* slotTimes(
  { timeZone, slots }: Pick<PostingSchedule, 'timeZone' | 'slots'>,
  from: Date,
  until: Date,
): Generator<Date> {
  const minutes = slots.map(minuteOfWeek);
  const firstDay = Math.floor((from.getTime() + zoneOffset(from.getTime(), timeZone)) / DAY_MS);
  const lastDay = Math.floor((until.getTime() + zoneOffset(until.getTime(), timeZone)) / DAY_MS);
  let latest = from.getTime() - 1;
  // A skipped time moves to a later minute, perhaps of the next day.
  for (let day = firstDay - 1; day <= lastDay; day++) {
    const startOfDay = weekdayOf(day) * DAY_MINUTES;
    for (const minute of minutes) {
      const ofDay = minute - startOfDay;
      if (ofDay < 0 || ofDay >= DAY_MINUTES) continue;
      const at = nextValidInstant(day * DAY_MS + ofDay * MINUTE_MS, timeZone);
      if (at > until.getTime()) return;
      if (at <= latest) continue;
      latest = at;
      yield new Date(at);
    }
  }
}
