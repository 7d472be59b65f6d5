import type { AccountType, DailyCapRule } from '../networks/network-definition.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import { enumKeys, type Plan, type PostType } from '../enums.js';
import type { Workspace } from '../access/viewer.js';
import { recycleDates } from '../calendar/recycling.js';
import type { CapReservation, CapSlot, QueueSlot, UpsertWrite } from '../changes/change.js';
import type { Post } from '../posts/post.js';
import { isPublished, STATE_FILTERS, type StoredState } from '../posts/states.js';

/** A row of the interface document's table "Daily post limits". */
interface DailyCapRow extends Omit<DailyCapRule, 'accountTypes' | 'postTypes'> {
  readonly network: Network;
  readonly accountTypes: readonly AccountType[];
  /** Null for all types without a row of their own (D39). */
  readonly postTypes: readonly PostType[] | null;
}

/** The complete table, in the document's order (Daily post limits). */
export const DAILY_CAPS: readonly DailyCapRow[] = enumKeys<Network>(NETWORKS).flatMap((network) =>
  NETWORKS[network].dailyCaps.map((rule) => ({
    accountTypes: NETWORKS[network].accountTypes,
    postTypes: null,
    ...rule,
    network,
  })),
);

/** The cap of one account and post kind. */
export interface DailyCap {
  /** What is counted, such as `post` or `story`. */
  postKind: string;
  /** Maximum publications in any 24 hours; at least 1. */
  limit: number;
}

/** The rows that apply to an account: one for each post kind. */
export function capRowsOf(network: Network, accountType: AccountType): readonly DailyCapRow[] {
  const networkRows = DAILY_CAPS.filter((cap) => cap.network === network);
  const rowsFor = (type: AccountType): DailyCapRow[] =>
    networkRows.filter(({ accountTypes }) => accountTypes.includes(type));
  const accountRows = rowsFor(accountType);
  // An account type that the network does not define is counted like the network's first account
  // type.
  return accountRows.length > 0 ? accountRows : rowsFor(NETWORKS[network].accountTypes[0]);
}

/**
 * The cap that a post counts toward (D39): reels count as posts, stories have their own row if the
 * document has one, a type without a row counts in the network's only row, and the professional
 * network's row depends on the account type.
 */
export function capFor({
  network,
  accountType,
  postType,
  plan,
}: {
  network: Network;
  accountType: AccountType;
  postType: PostType;
  plan: Plan;
}): DailyCap {
  const rows = capRowsOf(network, accountType);
  const cap =
    rows.find(({ postTypes }) => postTypes?.includes(postType)) ??
    rows.find(({ postTypes }) => postTypes === null);
  if (!cap) throw new Error(`No daily cap is defined for ${network}.`);
  return { postKind: cap.postKind, limit: cap.limits[plan] };
}

const DAY = 86_400_000;

interface Allowance {
  fits: boolean;
  /**
   * The earliest time from the requested one on that is free, in epoch milliseconds; the requested
   * one itself if it fits.
   */
  nextFreeAt: number;
}

/**
 * Whether one more publication at `at` keeps every window of 24 hours within the limit (D39), and
 * the next time at which it would. A window includes its first moment but not its last, so two
 * publications exactly 24 hours apart are never in one window. `publicationTimes` are the other
 * publications of the account and post kind, in any order; `fits` requires those within 24 hours
 * before and after `at`, `nextFreeAt` also all later ones. Times are in epoch milliseconds; the
 * limit is at least 1.
 */
export function capAllowance(
  limit: number,
  publicationTimes: readonly number[],
  at: number,
): Allowance {
  const times = [...publicationTimes].sort((a, b) => a - b);
  let nextFree = at;
  // Any `limit` consecutive times within 24 hours block the time from 24 hours before the last to
  // 24 hours after the first. Both bounds increase from one such group to the next, so a single
  // pass finds the first gap.
  for (let i = 0; i + limit <= times.length; i++) {
    const [first, last] = [times[i]!, times[i + limit - 1]!];
    const isFull = last - first < DAY;
    if (isFull && last - DAY < nextFree && nextFree < first + DAY) nextFree = first + DAY;
  }
  return { fits: nextFree === at, nextFreeAt: nextFree };
}

interface CapUsage {
  /** Publications in the 24 hours up to and including now. */
  used: number;
  /** Publications left in those 24 hours, not below 0. */
  remaining: number;
  /**
   * When the next publication fits, in epoch milliseconds; null if it fits now. Future publications
   * count, so it can be set even if `remaining` is positive.
   */
  nextFreeAt: number | null;
}

/** Usage of a cap in the rolling 24 hours up to `now`. Parameters are those of `capAllowance`. */
export function capUsage(
  limit: number,
  publicationTimes: readonly number[],
  now: number,
): CapUsage {
  const used = publicationTimes.filter((at) => at > now - DAY && at <= now).length;
  const { fits, nextFreeAt } = capAllowance(limit, publicationTimes, now);
  return { used, remaining: Math.max(0, limit - used), nextFreeAt: fits ? null : nextFreeAt };
}

/** A year of weekly recycles; later ones are counted by a later change of the post. */
const MAX_RECYCLES = 52;

/** What the slots of a post depend on beside the post. */
export type CapContext = Pick<Workspace, 'plan' | 'timeZone'>;

/** The states of posts that are going to be published, now or after a person has acted. */
export const STATES_AHEAD: readonly StoredState[] = [
  ...STATE_FILTERS.scheduled.storedStates,
  'recycling_active',
  'recycling_pending',
  'recycling_reauth',
  'recycling_locked',
];

/** The dates at which a post that is to be published is published again. */
function laterDates(post: Post, zone: string): Date[] {
  const dates: Date[] = [];
  for (const date of recycleDates(post, zone)) {
    if (dates.length === MAX_RECYCLES) break;
    dates.push(date);
  }
  return dates;
}

/**
 * The slots of its account's daily cap that a post uses: the dates of planned and published posts,
 * and the later dates of those that are recycled. Drafts, failed, imported and deleted posts use
 * none (D39, D59).
 */
export function capSlotsOf(post: Post, { plan, timeZone }: CapContext): CapSlot[] {
  const isAhead = STATES_AHEAD.includes(post.storedState);
  const usesSlots = isAhead || isPublished(post.storedState);
  if (!usesSlots || post.origin === 'imported' || !post.account || !post.scheduledAt) return [];
  const { id: accountId, network, type: accountType } = post.account;
  const { postKind } = capFor({ network, accountType, postType: post.type, plan });
  const dates = [post.scheduledAt, ...(isAhead ? laterDates(post, timeZone) : [])];
  return dates.map((at) => ({ accountId, postKind, at }));
}

const keyOf = (slot: CapSlot): string => `${slot.accountId} ${slot.postKind} ${slot.at.getTime()}`;

/** The slots of a changed post; null if they are the same as before. */
export function newSlots(before: Post | null, after: Post, context: CapContext): CapSlot[] | null {
  const slots = capSlotsOf(after, context);
  if (before === null) return slots;
  const previous = capSlotsOf(before, context).map(keyOf).sort().join();
  return slots.map(keyOf).sort().join() === previous ? null : slots;
}

/** The reservations for the slots of a change: one for each account and post kind. */
export function capReservations(
  posts: readonly { after: Post; slots: readonly CapSlot[] | null }[],
  plan: Plan,
): CapReservation[] {
  const reservations = new Map<string, CapReservation & { add: Date[] }>();
  for (const { after, slots } of posts) {
    for (const { accountId, postKind, at } of slots ?? []) {
      const { limit } = capFor({
        network: after.account!.network,
        accountType: after.account!.type,
        postType: after.type,
        plan,
      });
      const reservation = reservations.get(`${accountId} ${postKind}`) ?? {
        accountId,
        postKind,
        limit,
        add: [],
      };
      reservation.add.push(at);
      reservations.set(`${accountId} ${postKind}`, reservation);
    }
  }
  return [...reservations.values()];
}

/** The posts that own slots of the reservations of a change, by account, post kind and index. */
export function slotOwners<P extends { readonly slots: readonly CapSlot[] | null }>(
  posts: readonly P[],
): (slot: Pick<CapReservation, 'accountId' | 'postKind'> & { index: number }) => P | undefined {
  const owners = new Map<string, P[]>();
  for (const post of posts) {
    for (const { accountId, postKind } of post.slots ?? []) {
      const key = `${accountId} ${postKind}`;
      const ofCap = owners.get(key) ?? [];
      ofCap.push(post);
      owners.set(key, ofCap);
    }
  }
  return ({ accountId, postKind, index }) => owners.get(`${accountId} ${postKind}`)?.[index];
}

/** Whether a post takes its time in the queue with this write. */
const takesSlot = (write: UpsertWrite): boolean =>
  write.kind === 'insert' ||
  write.restores === true ||
  write.changed.includes('scheduledAt') ||
  write.changed.includes('auto');

/** The times that posts take in the queues of their accounts (D61). */
export const queueSlotsOf = (writes: readonly UpsertWrite[]): QueueSlot[] =>
  writes.flatMap((write) => {
    const { databaseId: postId, auto, accountId, scheduledAt, storedState } = write.after;
    return auto && STATES_AHEAD.includes(storedState) && takesSlot(write)
      ? [{ postId, accountId: accountId!, at: scheduledAt! }]
      : [];
  });
