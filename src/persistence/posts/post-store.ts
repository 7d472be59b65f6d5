import type { Post } from '../../domain/posts/post.js';
import { type Media, labelKey, type Label } from '../../domain/posts/post-content.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type { PostWith } from '../../domain/posts/post-query.js';
import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { PostLookup } from '../../domain/posts/post-query.js';
import type { Change, SaveOutcome } from '../../domain/changes/change.js';
import type { IdempotencyResult } from '../changes/idempotency-store.js';
import type { Database } from '../database.js';
import { createChangeWriter } from '../changes/change-writer.js';
import { MAX_PIPELINED_RECORDS } from '../connections/pipelined-connections.js';
import { isUsableMedia } from '../workspaces/visible-records.js';
import { createDisplayedPosts } from './displayed-posts.js';
import { createPostReader, isVisibleTo } from './post-reader.js';
import { ALL_FIELDS } from './post-select-list.js';

/** The sequence is looked up once, not for each ID. */
const RESERVE_IDS =
  "SELECT nextval(s.sequence)::float8 AS id FROM (SELECT pg_get_serial_sequence('post', 'id')::regclass AS sequence OFFSET 0) s, generate_series(1, $1)";

/** Import keys of existing posts, and of deleted posts whose rows were purged (D32). */
const IMPORTED_KEYS = ['post', 'removed_import']
  .map(
    (table) =>
      `SELECT import_key AS key FROM ${table} WHERE workspace_id = $1 AND import_key = ANY($2::text[])`,
  )
  .join(' UNION ALL ');

const FIND_MEDIA = `
SELECT m.id, m.type, m.url, m.alt_text AS "altText", m.title
  FROM media m
 WHERE m.workspace_id = $1 AND (m.id = ANY($2::text[]) OR m.url = ANY($3::text[])) AND ${isUsableMedia('$4')}
 ORDER BY m.created_at DESC, m.id DESC`;

const DUPLICATE_STATES = storedStateNumbers([
  ...STATE_FILTERS.scheduled.storedStates,
  'published_posted',
  'published_hidden',
]);
const DATED_AT =
  "SELECT DISTINCT ON (post_id) post_id::float8 AS id, at FROM revision WHERE post_id = ANY($1::bigint[]) AND changes ? 'scheduledAt' ORDER BY post_id, version DESC";
/**
 * One post with the content of each candidate; occurrences of series and imports do not count. The
 * posts of an account around a time are few: OFFSET 0 makes PostgreSQL find them first, instead of
 * comparing the text of every post of the table.
 */
const FIND_DUPLICATES = `
SELECT DISTINCT ON (c.n) c.n, p.doc_id AS id
  FROM json_to_recordset($1::json) AS c(n int, "postId" text, "accountId" text, at timestamptz, text text, "mediaIds" text[])
 CROSS JOIN LATERAL (
   SELECT id, doc_id FROM post
    WHERE account_id = c."accountId" AND sort_at BETWEEN c.at - interval '24 hours' AND c.at + interval '24 hours'
      AND stored_state = ANY($2::smallint[]) AND parent_id IS NULL AND origin = 'service' AND deleted_at IS NULL OFFSET 0) p
 WHERE p.doc_id <> c."postId" AND (SELECT b.text FROM post_body b WHERE b.post_id = p.id) = c.text
   AND ARRAY(SELECT pm.media_id FROM post_media pm WHERE pm.post_id = p.id ORDER BY pm.position) = c."mediaIds"
 ORDER BY c.n, p.id`;

/** The content of a post that is to be published. */
export interface ContentCandidate {
  /** ID of the post, which is no duplicate of itself. */
  readonly postId: string;
  readonly accountId: string;
  readonly at: Date;
  readonly text: string;
  readonly mediaIds: readonly string[];
}

interface PostStoreOptions {
  /** The span of the current request, which the attempts at its jobs belong to. */
  readonly traceparent?: () => string | null;
}

/**
 * Reads posts in PostgreSQL, and saves changes of them. Each read is one prepared statement for the selected fields.
 */
export function createPostStore(
  database: Database,
  { traceparent = (): string | null => null }: PostStoreOptions = {},
) {
  const writer = createChangeWriter(database);
  const { readEach, readComplete, readDeleted } = createPostReader(database);
  return {
    ...createDisplayedPosts(database),
    async byDatabaseId(viewer: Viewer, ids: readonly number[]): Promise<ReadonlyMap<number, Post>> {
      const lookups = await readEach(
        viewer,
        ids.map((id) => ({ kind: 'database', id })),
        ALL_FIELDS,
      );
      const posts = lookups.flatMap((lookup) => (lookup.kind === 'found' ? [lookup.post] : []));
      return new Map((posts as Post[]).map((post) => [post.databaseId, post]));
    },

    /** Complete posts for a change, in the order of the IDs. */
    findAll: (viewer: Viewer, ids: readonly (PostId | null)[]) =>
      readEach(viewer, ids, ALL_FIELDS) as Promise<PostLookup<Post>[]>,
    /** Like `findAll`, but with these fields and ALWAYS_READ_FIELDS only. Pass the same set each time. */
    findEach: <F extends keyof Post>(
      viewer: Viewer,
      ids: readonly (PostId | null)[],
      fields: ReadonlySet<F>,
    ) => readEach(viewer, ids, fields) as unknown as Promise<PostLookup<PostWith<F>>[]>,

    /**
     * Scheduled children of a series dated after `now`, ordered by date; includes queued ones (D23).
     */
    futureChildren: (parentId: number, now: Date): Promise<Post[]> =>
      readComplete(
        'p.parent_id = $1 AND p.scheduled_at > $2 AND p.stored_state = ANY($3::smallint[])',
        [parentId, now, storedStateNumbers(STATE_FILTERS.scheduled.storedStates)],
        'ORDER BY p.scheduled_at, p.id',
      ),

    /**
     * Complete posts that were deleted after a time, in the order of the IDs. Null for others, and
     * for those that the viewer could not see.
     */
    async findDeleted(
      viewer: Viewer,
      ids: readonly (PostId | null)[],
      since: Date,
    ): Promise<(Post | null)[]> {
      const documentIds = ids.flatMap((id) => (id?.kind === 'document' ? [id.id] : []));
      const databaseIds = ids.flatMap((id) => (id?.kind === 'database' ? [id.id] : []));
      const posts = await readDeleted(
        '(p.doc_id = ANY($1::char(24)[]) OR p.id = ANY($2::bigint[])) AND p.workspace_id = $3 AND p.deleted_at > $4',
        [documentIds, databaseIds, viewer.workspace.id, since],
      );
      const visible = posts.filter(isVisibleTo(viewer));
      return ids.map(
        (id) =>
          visible.find((post) =>
            id?.kind === 'document' ? post.id === id.id : post.databaseId === id?.id,
          ) ?? null,
      );
    },

    /** Children of deleted series that were deleted with it and are dated after `now`. */
    childrenDeletedWith: (parentIds: readonly number[], now: Date): Promise<Post[]> =>
      readDeleted(
        'p.parent_id = ANY($1::bigint[]) AND p.scheduled_at > $2 AND p.deleted_at = (SELECT s.deleted_at FROM post s WHERE s.id = p.parent_id)',
        [parentIds, now],
      ),

    /** Reserves database IDs for posts that a change creates. */
    async reserveIds(count: number): Promise<number[]> {
      const rows = await database.read<{ id: number }>(RESERVE_IDS, [count]);
      return rows.map((row) => row.id);
    },

    labelsByName: (workspaceId: string, names: readonly string[]) =>
      database.scan<Label>(
        'SELECT id, name, color FROM label WHERE workspace_id = $1 AND name_key = ANY($2::text[])',
        [workspaceId, names.map(labelKey)],
      ),

    /** When posts were given the time that they have; absent for the time of their creation. */
    async datedAt(databaseIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
      if (databaseIds.length === 0) return new Map();
      const rows = await database.scan<{ id: number; at: Date }>(DATED_AT, [databaseIds]);
      return new Map(rows.map(({ id, at }) => [id, at]));
    },

    /** A post with the content of each candidate within 24 hours; null where there is none (D49). */
    async findDuplicates(candidates: readonly ContentCandidate[]): Promise<(string | null)[]> {
      const sql = candidates.length > MAX_PIPELINED_RECORDS ? database.scan : database.read;
      const rows = await sql<{ n: number; id: string }>(FIND_DUPLICATES, [
        JSON.stringify(candidates.map((candidate, n) => ({ n, ...candidate }))),
        DUPLICATE_STATES,
      ]);
      const idOf = new Map(rows.map(({ n, id }) => [n, id]));
      return candidates.map((_, n) => idOf.get(n) ?? null);
    },

    /** The import keys that posts of the workspace already use, deleted posts included. */
    async existingImportKeys(workspaceId: string, keys: readonly string[]): Promise<string[]> {
      const rows = await database.scan<{ key: string }>(IMPORTED_KEYS, [workspaceId, keys]);
      return rows.map(({ key }) => key);
    },

    /** Media by ID or URL; not those that only other users' private drafts have (D13). */
    findMedia: (
      { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
      ids: readonly string[],
      urls: readonly string[],
    ) => database.scan<Media>(FIND_MEDIA, [workspaceId, ids, urls, userId]),

    /**
     * Saves a change in one transaction, in which it also completes an idempotency record (D27).
     */
    save: (change: Change, idempotencyResult?: IdempotencyResult): Promise<SaveOutcome> =>
      writer.save(change, { idempotencyResult, traceparent: traceparent() }),
    /** Runs everything that `save` runs, then rolls back (D28). */
    dryRun: (change: Change): Promise<SaveOutcome> => writer.dryRun(change, { traceparent: null }),
  };
}
export type PostStore = ReturnType<typeof createPostStore>;
