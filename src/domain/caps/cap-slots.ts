import type { CapClaim, CapSlot } from '../changes/change.js';
import { capFor } from './daily-caps.js';
import type { GapFrequency, Post } from '../posts/post.js';
import { isPublished, isScheduled } from '../posts/states.js';
import type { Plan } from '../vocabulary.js';

const MOST_RECYCLES = 52; // a year of weekly ones: what lies beyond is counted when a later change looks again
const DAYS_OF: Readonly<Record<Exclude<GapFrequency, 'months'>, number>> = { days: 1, weeks: 7 };

function addGap(from: Date, gap: number, frequency: GapFrequency): Date {
  const to = new Date(from);
  if (frequency === 'months') to.setUTCMonth(to.getUTCMonth() + gap);
  else to.setUTCDate(to.getUTCDate() + gap * DAYS_OF[frequency]);
  return to;
}

/** When the post is to be published again, after its first time, as far as its settings say. */
function recycleDates({ recycling, scheduledAt }: Pick<Post, 'recycling' | 'scheduledAt'>): Date[] {
  if (!recycling?.gap || !recycling.gapFreq || !scheduledAt) return [];
  const { gap, gapFreq } = recycling;
  const count = Math.min(recycling.expireCount ?? MOST_RECYCLES, MOST_RECYCLES);
  const last = recycling.expireDate ? Date.parse(`${recycling.expireDate}T23:59:59Z`) : Infinity;
  const dates = Array.from({ length: count }, (_, index) =>
    addGap(scheduledAt, gap * (index + 1), gapFreq),
  );
  return dates.filter((date) => date.getTime() <= last);
}

/**
 * What a post takes of its account's daily cap: scheduled and published leaves by their dates, and the recycles a
 * scheduled one is set to; not drafts, failed, imported or removed posts (D39).
 */
export function capSlotsOf(post: Post, plan: Plan): CapSlot[] {
  const counts = isScheduled(post.cell) || isPublished(post.cell);
  if (!counts || post.origin === 'imported' || !post.account || !post.scheduledAt) return [];
  const { id: accountId, network, type: accountType } = post.account;
  const { postKind } = capFor({ network, accountType, postType: post.type, plan });
  const dates = [post.scheduledAt, ...(isScheduled(post.cell) ? recycleDates(post) : [])];
  return dates.map((at) => ({ accountId, postKind, at }));
}

const keyOf = (slot: CapSlot): string => `${slot.accountId} ${slot.postKind} ${slot.at.getTime()}`;

/** The slots of a changed post where they differ from what it held before; null where the change leaves them alone. */
export function newSlots(before: Post | null, after: Post, plan: Plan): CapSlot[] | null {
  const slots = capSlotsOf(after, plan);
  if (before === null) return slots;
  const held = capSlotsOf(before, plan).map(keyOf).sort().join();
  return slots.map(keyOf).sort().join() === held ? null : slots;
}

/** What the slots of a change have to fit into: one claim for each account and post kind. */
export function capClaims(
  posts: readonly { after: Post; slots: readonly CapSlot[] | null }[],
  plan: Plan,
): CapClaim[] {
  const claims = new Map<string, CapClaim & { add: Date[] }>();
  for (const { after, slots } of posts) {
    for (const { accountId, postKind, at } of slots ?? []) {
      const { limit } = capFor({
        network: after.account!.network,
        accountType: after.account!.type,
        postType: after.type,
        plan,
      });
      const claim = claims.get(`${accountId} ${postKind}`) ?? {
        accountId,
        postKind,
        limit,
        add: [],
      };
      claim.add.push(at);
      claims.set(`${accountId} ${postKind}`, claim);
    }
  }
  return [...claims.values()];
}
