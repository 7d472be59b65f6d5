import type { CapReservation, CapSlot } from '../changes/change.js';
import { capFor } from './daily-caps.js';
import { addGap } from '../posts/post-settings.js';
import type { Post } from '../posts/post.js';
import { isPublished, isScheduled } from '../posts/states.js';
import type { Plan } from '../enums.js';

/** A year of weekly recycles; later ones are counted by a later change of the post. */
const MAX_RECYCLES = 52;

/** The dates at which the post is published again, according to its recycling settings. */
function recycleDates({ recycling, scheduledAt }: Pick<Post, 'recycling' | 'scheduledAt'>): Date[] {
  if (!recycling?.gap || !recycling.gapFreq || !scheduledAt) return [];
  const { gap, gapFreq } = recycling;
  const count = Math.min(recycling.expireCount ?? MAX_RECYCLES, MAX_RECYCLES);
  const last = recycling.expireDate ? Date.parse(`${recycling.expireDate}T23:59:59Z`) : Infinity;
  const dates = Array.from({ length: count }, (_, index) =>
    addGap(scheduledAt, gap * (index + 1), gapFreq),
  );
  return dates.filter((date) => date.getTime() <= last);
}

/**
 * The slots of its account's daily cap that a post uses: the dates of scheduled and published
 * posts, and the recycle dates of scheduled ones. Drafts, failed, imported and deleted posts use
 * none (D39).
 */
export function capSlotsOf(post: Post, plan: Plan): CapSlot[] {
  const usesSlots = isScheduled(post.storedState) || isPublished(post.storedState);
  if (!usesSlots || post.origin === 'imported' || !post.account || !post.scheduledAt) return [];
  const { id: accountId, network, type: accountType } = post.account;
  const { postKind } = capFor({ network, accountType, postType: post.type, plan });
  const dates = [post.scheduledAt, ...(isScheduled(post.storedState) ? recycleDates(post) : [])];
  return dates.map((at) => ({ accountId, postKind, at }));
}

const keyOf = (slot: CapSlot): string => `${slot.accountId} ${slot.postKind} ${slot.at.getTime()}`;

/** The slots of a changed post; null if they are the same as before. */
export function newSlots(before: Post | null, after: Post, plan: Plan): CapSlot[] | null {
  const slots = capSlotsOf(after, plan);
  if (before === null) return slots;
  const previous = capSlotsOf(before, plan).map(keyOf).sort().join();
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
