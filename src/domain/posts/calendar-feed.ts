import type { Network } from '../networks/networks.js';
import type { StateFilter, StoredState } from './states.js';

/** An address from which calendar programs read posts (D96). Its secret is not part of it. */
export interface CalendarFeed {
  readonly id: string;
  /** Only posts of these accounts; empty for all. */
  readonly accountIds: readonly string[];
  /** Only posts in these states or groups of states; empty for all. */
  readonly states: readonly StateFilter[];
  readonly createdAt: Date;
  readonly revoked: boolean;
}

/** Limits of calendar feeds. */
export const CALENDAR_FEED_LIMITS = {
  /** Feeds of a member in a workspace that can be used. */
  perMember: 20,
  /** A feed names at most this many accounts. */
  accounts: 100,
  /** Posts of this many past days are in a feed, in milliseconds. */
  pastMs: 30 * 86_400_000,
  /** And of this many days ahead, in milliseconds. */
  aheadMs: 180 * 86_400_000,
  /** Posts of a feed. Of more, the earliest ones. */
  events: 2_000,
  /** Length of the text in an event, in UTF-16 code units. */
  textLength: 2_000,
} as const;

/** What an event of a calendar shows of a post. */
export interface CalendarPost {
  readonly id: string;
  readonly version: number;
  readonly storedState: StoredState;
  readonly scheduledAt: Date;
  readonly updatedAt: Date;
  readonly title: string | null;
  readonly text: string;
  readonly postLink: string | null;
  readonly network: Network | null;
  readonly accountName: string | null;
}

/** The status of an event (RFC 5545). */
export type EventStatus = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

const CONFIRMED =
  /^(?:scheduled|scheduled_approved|published_posted|published_hidden|recycling_active)$/;
const CANCELLED = /(?:_declined|_deleted|_expired|_failed)$|^failed$/;

/** Published or certain to be: confirmed. Will not be published, or is gone: cancelled. */
export const eventStatusOf = (state: StoredState): EventStatus =>
  CONFIRMED.test(state) ? 'CONFIRMED' : CANCELLED.test(state) ? 'CANCELLED' : 'TENTATIVE';
