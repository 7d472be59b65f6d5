import type { Change } from '../../domain/changes/change.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type { Media, Label } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type {
  PostListQuery,
  PostPage,
  PostSelection,
  PostView,
  PostWith,
} from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';

/**
 * `inaccessible`: the document ID exists, but in another workspace or as another user's private
 * draft (D13, D18).
 */
export type PostLookup<T> =
  | { readonly kind: 'found'; readonly post: T }
  | { readonly kind: 'inaccessible' }
  | { readonly kind: 'unknown' };

/** Outcome of saving a change. */
export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** Another transaction changed one of the rows: decide again on the current rows. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'cap_exceeded'; readonly exceeded: readonly [ExceededCap, ...ExceededCap[]] };

/** A slot of a change that does not fit under its daily cap. */
export interface ExceededCap {
  readonly accountId: string;
  readonly postKind: string;
  readonly limit: number;
  /** Index of the slot in its reservation. */
  readonly index: number;
  readonly at: Date;
  readonly nextFreeAt: Date;
}

/** The content of a post that is to be published. */
export interface ContentCandidate {
  /** ID of the post, which is no duplicate of itself. */
  readonly postId: string;
  readonly accountId: string;
  readonly at: Date;
  readonly text: string;
  readonly mediaIds: readonly string[];
}

/** Reads posts, and saves changes of them. */
export interface PostStore {
  list(viewer: Viewer, query: PostListQuery, selection: PostSelection): Promise<PostPage>;
  /** One post by either ID, with the selected fields only. */
  find(viewer: Viewer, id: PostId, fields: ReadonlySet<keyof Post>): Promise<PostLookup<PostView>>;
  /** Complete posts for a change, in the order of the IDs. */
  findAll(viewer: Viewer, ids: readonly (PostId | null)[]): Promise<PostLookup<Post>[]>;
  /** Like `findAll`, but with these fields and ALWAYS_READ_FIELDS only. Pass the same set each time. */
  findEach<F extends keyof Post>(
    viewer: Viewer,
    ids: readonly (PostId | null)[],
    fields: ReadonlySet<F>,
  ): Promise<PostLookup<PostWith<F>>[]>;
  /** Complete posts by database ID, for batching. Invisible and deleted ones are absent. */
  byDatabaseId(viewer: Viewer, ids: readonly number[]): Promise<ReadonlyMap<number, Post>>;
  /** Complete visible posts by document ID, for `node`. */
  byDocumentId(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Post>>;
  /** One keyset window of children for each series (by database ID), for `occurrences`. */
  occurrences(
    viewer: Viewer,
    parentIds: readonly number[],
    query: PostListQuery,
    selection: PostSelection,
  ): Promise<ReadonlyMap<number, PostPage>>;
  /**
   * Scheduled children of a series dated after `now`, ordered by date; includes queued ones (D23).
   */
  futureChildren(parentId: number, now: Date): Promise<Post[]>;
  /**
   * Complete posts that were deleted after a time, in the order of the IDs. Null for others, and
   * for those that the viewer could not see.
   */
  findDeleted(
    viewer: Viewer,
    ids: readonly (PostId | null)[],
    since: Date,
  ): Promise<(Post | null)[]>;
  /** Children of deleted series that were deleted with it and are dated after `now`. */
  childrenDeletedWith(parentIds: readonly number[], now: Date): Promise<Post[]>;
  /** Reserves database IDs for posts that a change creates. */
  reserveIds(count: number): Promise<number[]>;
  labelsByName(workspaceId: string, names: readonly string[]): Promise<Label[]>;
  /** When posts were given the time that they have; absent for the time of their creation. */
  datedAt(databaseIds: readonly number[]): Promise<ReadonlyMap<number, Date>>;
  /** A post with the content of each candidate within 24 hours; null where there is none (D49). */
  findDuplicates(candidates: readonly ContentCandidate[]): Promise<(string | null)[]>;
  /** The import keys that posts of the workspace already use, deleted posts included. */
  existingImportKeys(workspaceId: string, keys: readonly string[]): Promise<string[]>;
  /** Media by ID or URL; not those that only other users' private drafts have (D13). */
  findMedia(
    scope: { readonly workspaceId: string; readonly userId: string },
    ids: readonly string[],
    urls: readonly string[],
  ): Promise<Media[]>;
  /**
   * Saves a change in one transaction; `record` is an idempotency record to complete in the same
   * transaction (D27).
   */
  save(change: Change, record?: IdempotencyResult): Promise<SaveOutcome>;
  /** Runs everything that `save` runs, then rolls back (D28). */
  dryRun(change: Change): Promise<SaveOutcome>;
}

/** Identifies one idempotency record (D27). */
export interface IdempotencyRecordKey {
  userId: string;
  workspaceId: string;
  /** The kind of change, such as `update`. */
  operation: string;
  target: string;
  /** As the client sent it. */
  key: string;
}
/**
 * The outcome of a request that started an idempotency record; `token` proves that this request
 * started it.
 */
export interface IdempotencyResult {
  readonly recordKey: IdempotencyRecordKey;
  readonly token: string;
  readonly outcome: unknown;
}
/** The record of an earlier request with the same key. */
export type ExistingRecord =
  | { readonly kind: 'recorded'; readonly fingerprint: string; readonly outcome: unknown }
  | { readonly kind: 'in-flight'; readonly fingerprint: string };
/** Result of starting a record: started, or the state of the existing one. */
export type IdempotencyStart =
  { readonly kind: 'started'; readonly token: string } | ExistingRecord;

/** Records the outcomes of requests by idempotency key. */
export interface IdempotencyStore {
  /**
   * Starts a record, or returns the existing one. A record left unfinished by a crashed process can
   * be started again after 30 seconds.
   */
  start(recordKey: IdempotencyRecordKey, fingerprint: string): Promise<IdempotencyStart>;
  /** The record that `start` would return; null if it would start one. Writes nothing. */
  find(recordKey: IdempotencyRecordKey): Promise<ExistingRecord | null>;
  /** Records an outcome that changed nothing (refusals by rules). */
  record(result: IdempotencyResult): Promise<void>;
  /** Deletes an unfinished record, so that the next request with the key runs. */
  release(recordKey: IdempotencyRecordKey, token: string): Promise<void>;
}
