import type { CapSlot, Change } from '../domain/changes/change.js';
import type { Job } from '../domain/jobs/job.js';
import type { Account, Label, Media, Post, UserSummary } from '../domain/posts/post.js';
import type { PostId } from '../domain/posts/post-id.js';
import type { Network } from '../domain/networks/networks.js';
import type {
  PostListQuery,
  PostPage,
  PostSelection,
  PostView,
  PostWith,
} from '../domain/posts/post-query.js';
import type { WindowCount } from '../domain/access/rate-window.js';
import type { ApiKey, Caller, Viewer, Workspace } from '../domain/access/viewer.js';
import type { Role } from '../domain/vocabulary.js';

/** What the workshop needs from outside. */
export interface Clock {
  now(): Date;
}

/** Fresh identifiers: a document id of 24 hex digits, or a prefix and 16 base62 characters (D3). */
export interface Ids {
  document(): string;
  prefixed(prefix: IdPrefix): string;
}
export type IdPrefix = 'wks' | 'acc' | 'usr' | 'lbl' | 'med' | 'job' | 'key' | 'ntf';

/** `elsewhere`: the document id exists but is not accessible here, a stranger's private draft included (D13, D18). */
export type Found<T> =
  | { readonly kind: 'found'; readonly post: T }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'unknown' };

export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** Somebody was faster: decide again on what is there now. */
  | { readonly kind: 'conflict' }
  | {
      readonly kind: 'full';
      readonly postKind: string;
      readonly limit: number;
      readonly at: Date;
      readonly nextFreeAt: Date;
    };

export interface PostStore {
  list(viewer: Viewer, query: PostListQuery, selection: PostSelection): Promise<PostPage>;
  /** One post by either of its ids, read as far as selected. */
  find(viewer: Viewer, id: PostId, fields: ReadonlySet<keyof Post>): Promise<Found<PostView>>;
  /** Whole posts for a change, in the order of the ids. */
  findAll(viewer: Viewer, ids: readonly (PostId | null)[]): Promise<Found<Post>[]>;
  /** The same, with these fields and those that every read brings. */
  findEach<F extends keyof Post>(
    viewer: Viewer,
    ids: readonly (PostId | null)[],
    fields: readonly F[],
  ): Promise<Found<PostWith<F>>[]>;
  /** Visible posts by relational id, whole; invisible and deleted ones are absent. For batching. */
  byDatabaseId(viewer: Viewer, ids: readonly number[]): Promise<ReadonlyMap<number, Post>>;
  /** Visible posts by document id, whole. For `node`. */
  byDocumentId(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Post>>;
  /** Children of each series (by relational id), one keyset window each. For `occurrences`. */
  occurrences(
    viewer: Viewer,
    parentIds: readonly number[],
    query: PostListQuery,
    selection: PostSelection,
  ): Promise<ReadonlyMap<number, PostPage>>;
  /** Scheduled children of a series that are dated after `now`, queued ones included, by date (D23). */
  futureChildren(parentId: number, now: Date): Promise<Post[]>;
  /** Relational ids for posts that a change makes. */
  reserveIds(count: number): Promise<number[]>;
  labelsNamed(workspaceId: string, names: readonly string[]): Promise<Label[]>;
  /** Those of the keys that posts of the workspace were imported by, deleted ones included. */
  importedKeys(workspaceId: string, keys: readonly string[]): Promise<string[]>;
  mediaOf(workspaceId: string, ids: readonly string[], urls: readonly string[]): Promise<Media[]>;
  /** Saves a change whole or not at all; `record` is the claim to fulfil in the same transaction (D27). */
  save(change: Change, record?: FulfilledClaim): Promise<SaveOutcome>;
  /** Does all that `save` does and takes it back: what a dry run answers with (D28). */
  rehearse(change: Change): Promise<SaveOutcome>;
}

/** One idempotency record's place (D27). */
export interface IdempotencyPlace {
  userId: string;
  workspaceId: string;
  operation: 'update' | 'delete';
  target: string;
  key: string;
}
export interface FulfilledClaim {
  readonly place: IdempotencyPlace;
  readonly claim: string;
  readonly outcome: unknown;
}
export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: string }
  | { readonly kind: 'recorded'; readonly fingerprint: string; readonly outcome: unknown }
  | { readonly kind: 'in-flight'; readonly fingerprint: string };

export interface IdempotencyStore {
  /** Takes the place, or says what is there. A claim left by a process that died is free again after 30 seconds. */
  claim(place: IdempotencyPlace, fingerprint: string): Promise<ClaimOutcome>;
  /** Records an outcome that changed nothing (rule refusals). */
  record(fulfilled: FulfilledClaim): Promise<void>;
  /** Gives the place back: what happened is not recorded. */
  abandon(place: IdempotencyPlace, claim: string): Promise<void>;
}

export interface JobStore {
  find(workspaceId: string, id: string): Promise<Job | null>;
  byIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Job>>;
}

/** Where jobs are written down. */
export interface JobRecords {
  /** Makes the job, or brings the one of that id up to date. */
  put(owner: { workspaceId: string; userId: string }, job: Job): Promise<void>;
}

/** A key's user and, where the workspace asked for is one of theirs, what they are in it. */
export interface Grant {
  readonly caller: Caller;
  readonly viewer: Viewer | null;
}

export interface KeyStore {
  /** Null where no valid key has that hash: unknown, revoked and expired are one (D33). */
  grant(hash: Uint8Array, workspaceId: string | null, now: Date): Promise<Grant | null>;
}

/** A key as it is kept: never its value. */
export interface KeyRecord extends ApiKey {
  userId: string;
  revokedAt: Date | null;
  /** The key that was made in its place. */
  replacedBy: string | null;
}
type NewKeyRecord = Omit<KeyRecord, 'revokedAt' | 'replacedBy'>;

export interface KeyRecords {
  addKey(key: NewKeyRecord, hash: Uint8Array): Promise<void>;
  keys(userId?: string): Promise<KeyRecord[]>;
  /** False where there is no such key. */
  revokeKey(id: string, at: Date): Promise<boolean>;
  /** Adds a key in the place of another one of the same user, which ends at `until` unless it ends before; false where that one does not hold any more, or is replaced already. */
  replaceKey(
    id: string,
    by: { readonly key: NewKeyRecord; readonly hash: Uint8Array; readonly until: Date },
  ): Promise<boolean>;
}

/** Counts in this process. */
export interface RateCounter {
  take(key: string, now: Date): WindowCount;
  /** Goes on from what was counted elsewhere. */
  adopt(key: string, seen: WindowCount): void;
}

/** A count over all processes, and the access epoch that its user was in at that moment. */
export interface SharedCount extends WindowCount {
  readonly epoch: string;
}
/** Counts for all processes (D37, D38). */
export interface SharedWindows {
  /**
   * Counts one. Where an epoch is expected and the user is in another, `count` is 0: nothing was counted, and what is known
   * of the user has to be read again. Null while what counts is away.
   */
  take(key: string, expectedEpoch?: string): Promise<SharedCount | null>;
}

/** A keyset window over a small list. */
export interface Slice {
  readonly limit: number;
  readonly after?: SlicePosition;
  readonly before?: SlicePosition;
  readonly fromEnd: boolean;
}
/** The sort value (a name, or an ISO time) and the id that breaks ties. */
export interface SlicePosition {
  readonly at: string;
  readonly id: string;
}
export interface SlicePage<T> {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

export interface Member {
  user: UserSummary;
  role: Role;
  postActions: boolean;
  email: string;
}
export interface Notification {
  id: string;
  kind: string;
  message: string;
  postId: number | null;
  createdAt: Date;
}
/** A media item of the library with the time it is ordered by. */
export interface LibraryMedia extends Media {
  createdAt: Date;
}

/** The records around posts. Everything is asked inside one workspace, except workspaces themselves. */
export interface DirectoryStore {
  workspacesOf(userId: string): Promise<Workspace[]>;
  membersOf(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Member[]>>;
  accounts(
    workspaceId: string,
    networks: readonly Network[] | null,
    limit: number,
    offset: number,
  ): Promise<Account[]>;
  accountsById(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** Members of the workspace, and creators of its posts. */
  usersById(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, UserSummary>>;
  labels(workspaceId: string, slice: Slice): Promise<SlicePage<Label>>;
  countLabels(workspaceId: string): Promise<number>;
  labelsById(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Label>>;
  /** The library, newest first. */
  media(workspaceId: string, slice: Slice): Promise<SlicePage<LibraryMedia>>;
  mediaPage(workspaceId: string, limit: number, offset: number): Promise<Media[]>;
  countMedia(workspaceId: string): Promise<number>;
  /** Media of the library, or on a post that the viewer sees. */
  mediaById(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Media>>;
  notifications(viewer: Viewer, slice: Slice): Promise<SlicePage<Notification>>;
  notificationsById(
    viewer: Viewer,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Notification>>;
  /** Who may approve in this workspace (D24). */
  approvers(workspaceId: string): Promise<string[]>;
  /** Cap slots of the accounts from `since` on. */
  capSlots(accountIds: readonly string[], since: Date): Promise<CapSlot[]>;
}
