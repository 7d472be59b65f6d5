import type { Workspace } from '../access/viewer.js';
import { recycleDates } from '../calendar/recycle-dates.js';
import type { CapReservation, CapSlot, QueueSlot, UpsertWrite } from '../changes/change.js';
import type { Plan } from '../enums.js';
import type { Post } from '../posts/post.js';
import { isPublished, STATE_FILTERS, type StoredState } from '../posts/states.js';
import { capFor } from './daily-caps.js';

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

/** The times that posts are given in the queues of their accounts (D61). */
export const queueSlotsOf = (writes: readonly UpsertWrite[]): QueueSlot[] =>
  writes.flatMap((write) => {
    const { auto, accountId, scheduledAt } = write.after;
    const isNew = write.kind === 'insert' || write.changed.includes('scheduledAt');
    return auto && isNew ? [{ accountId: accountId!, at: scheduledAt! }] : [];
  });
