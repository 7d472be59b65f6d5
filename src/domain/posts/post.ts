import type { Network } from '../networks/networks.js';
import type { SyncStatus } from '../enums.js';
import type { PostAnalytics } from '../numbers/numbers.js';
import type { PublicationHold, PublicationRecord } from '../publishing/publication-record.js';
import type { AttachedFile } from '../media/media-file.js';
import { EMPTY_VALUES, type PatchableValues } from './post-fields.js';
import type { StoredState } from './states.js';
import type { AccountType } from '../networks/network-definition.js';

/**
 * A post has two IDs (D3): the document ID of 24 hex digits, which responses contain, and an
 * integer, the database ID. Both are accepted as a post ID in requests.
 */
export type PostId = { kind: 'document'; id: string } | { kind: 'database'; id: number };

/** The largest 32-bit integer of PostgreSQL and GraphQL; larger numbers are not post IDs. */
export const MAX_DATABASE_ID = 2_147_483_647;

/**
 * Reads a post ID from a request. 24 hex digits are always a document ID, even if all are decimal
 * digits; they are lowercased. A database ID is 1 to 2,147,483,647 in decimal, without sign or
 * leading zeros. Anything else is null, which is treated like an unknown ID (D3).
 */
export function readPostId(text: string): PostId | null {
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'document', id: text.toLowerCase() };
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_DATABASE_ID ? { kind: 'database', id } : null;
}

/**
 * Prefix of an ID, by kind of record: workspace, account, user, label, media, job, key,
 * notification, group of posts, webhook, delivery of a webhook, connection by consent, client of a
 * server, connect link, calendar feed.
 */
export type IdPrefix =
  | 'wks'
  | 'acc'
  | 'usr'
  | 'lbl'
  | 'med'
  | 'job'
  | 'key'
  | 'ntf'
  | 'grp'
  | 'whk'
  | 'dlv'
  | 'con'
  | 'srv'
  | 'lnk'
  | 'cal';

/**
 * Whether the text has the format of another record's ID (D3): a prefix, an underscore, and 1 to
 * 64 ASCII letters or digits. Case-sensitive.
 */
export function isPrefixedId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,64}$/.test(text.slice(prefix.length + 1));
}

/**
 * A post, complete: the fields that clients can set, and those below. `scheduledAt` has a precision
 * of seconds (D8), other times of milliseconds.
 */
export interface Post extends PatchableValues {
  /** Document ID, 24 hex digits: the `id` that clients see (D3). */
  id: string;
  /** Database ID, an integer: resolves inside its workspace only (D3). */
  databaseId: number;
  workspaceId: string;
  /** Increases by one with every effective change (D26). */
  version: number;
  storedState: StoredState;
  network: Network | null;
  accountId: string | null;
  creatorId: string;
  createdAt: Date;
  updatedAt: Date;
  postLink: string | null;
  /**
   * The network's ID of the post, required to edit it there. Null if the service does not have it.
   */
  remoteId: string | null;
  /** Shared by the posts that one call created (D47). */
  groupId: string | null;
  /** The recycling post that this one was published for; null for others (D59). */
  recycledFromId: string | null;
  /** How often the post was published by its recycling (D59). */
  publishedCount: number;
  /**
   * Whether a recycling post that waits for approval, or was declined, is paused once it is
   * approved, because it was paused before (D59, D64).
   */
  pausedAfterApproval: boolean;
  auto: boolean;
  /** Set while the post is being published (D12). */
  queuedAt: Date | null;
  /**
   * Set while the call that publishes the post may be in progress, or its result is unknown (D53).
   */
  armedAt: Date | null;
  /** After an attempt that failed: not published again before this time (D55). */
  retryAt: Date | null;
  /** Null if the post was never handed over for publication. */
  publicationRecord: PublicationRecord | null;
  /** Why the post is not published when its time comes; null if it is, or already was published. */
  publicationHold: PublicationHold | null;
  /** Who declined the post, and why; null if it is not declined, or if it is unknown (D64). */
  review: Review | null;
  /** The series this post is a child of (D17). */
  parentId: number | null;
  /**
   * Of an occurrence: the date of its series' rule that it belongs to, whenever it is published
   * (D23). Null for other posts.
   */
  occurrenceDate: Date | null;
  /** Of a series: when its next occurrences are created; null for its next date (D60). */
  extendAt: Date | null;
  /**
   * Of a series: whether occurrences that are created later are approved, as the state of a
   * scheduled post; null if that is unknown (D60).
   */
  occurrenceState: StoredState | null;
  hasMedia: boolean;
  /** Its files that have arrived; those on other servers are not in it. */
  mediaFiles: readonly AttachedFile[];
  /** Its files that have not arrived, or could not be fetched: their titles, or else their IDs. */
  missingFiles: readonly string[];
  /** `details.reminder`: a queued reminder may be deleted (D12, delete rule 4). */
  reminder: boolean;
  origin: PostOrigin;
  /**
   * Fields that a child of a series changed itself: later edits of the series do not overwrite them
   * (D23).
   */
  ownFields: string[];
  /** Whether a child of this series is queued, in which case the series cannot be deleted (D23). */
  hasQueuedChild: boolean;
  user: UserSummary;
  account: Account | null;
  analytics: PostAnalytics | null;
  networkSync: NetworkSync | null;
}

/** The decision to decline a post. */
interface Review {
  /** Name of the member; null if the user was deleted. */
  readonly by: string | null;
  readonly at: Date;
  readonly note: string | null;
}

type PostOrigin = 'service' | 'imported' | 'synced';

/** A user, as other members see them. */
export interface UserSummary {
  id: string;
  name: string;
  picture: string | null;
}
/** A connected social account; `socialId` is shown to owners and admins only (D44). */
export interface Account {
  id: string;
  type: AccountType;
  name: string;
  picture: string | null;
  network: Network;
  socialId: string;
  needsReauth: boolean;
  /** Whether the account is on the sandbox network: its posts never leave the service. */
  sandbox: boolean;
}
/** Status of the last network update of a published post (D22). */
export interface NetworkSync {
  status: SyncStatus;
  jobId: string | null;
  /**
   * The text last known to be live; null on networks that do not show the post's text, such as a
   * blog.
   */
  liveText: string | null;
  error: string | null;
  attemptedAt: Date | null;
}

/** The fields that every new post must define. */
type RequiredField =
  | 'id'
  | 'databaseId'
  | 'workspaceId'
  | 'storedState'
  | 'type'
  | 'network'
  | 'accountId'
  | 'account'
  | 'creatorId'
  | 'user'
  | 'scheduledAt'
  | 'createdAt'
  | 'updatedAt';

/**
 * Default values of all other fields of a post. A constant: to copy it takes a twentieth of the
 * time of building it from the table.
 */
export const BLANK_POST: Readonly<Omit<Post, RequiredField>> = {
  ...EMPTY_VALUES,
  version: 1,
  postLink: null,
  remoteId: null,
  auto: false,
  queuedAt: null,
  armedAt: null,
  retryAt: null,
  publicationRecord: null,
  publicationHold: null,
  review: null,
  parentId: null,
  occurrenceDate: null,
  extendAt: null,
  occurrenceState: null,
  hasMedia: false,
  mediaFiles: [],
  missingFiles: [],
  reminder: false,
  origin: 'service',
  groupId: null,
  recycledFromId: null,
  publishedCount: 0,
  pausedAfterApproval: false,
  ownFields: [],
  hasQueuedChild: false,
  analytics: null,
  networkSync: null,
};
