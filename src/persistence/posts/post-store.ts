import type { Post, PostId } from '../../domain/posts/post.js';
import type { PostWith, PostLookup } from '../../domain/posts/post-query.js';
import {
  STATE_FILTERS,
  STORED_STATES,
  storedStateByNumber,
  storedStateNumbers,
  toPostState,
  type PostState,
} from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Change, SaveOutcome } from '../../domain/changes/change.js';
import type { IdempotencyResult } from '../changes/idempotency-store.js';
import type { Database } from '../database.js';
import { createChangeWriter } from '../changes/change-writer.js';
import { MAX_PIPELINED_RECORDS } from '../connections/connection.js';
import { FILES_OF_PLANNED, publicationHold } from '../publishing/due-conditions.js';
import { isUsableMedia } from '../workspaces/visible-records.js';
import { createVisiblePosts, createPostReader, isVisibleTo } from './post-reader.js';
import { ALL_FIELDS, ATTACHED_FILE, POST_COLUMNS } from './post-rows.js';
import { atBaseUrl, storedUrls, type FoundMedia } from '../../domain/media/media-file.js';
import { labelKey, type Label } from '../../domain/posts/post-content.js';
import {
  READER_FIELDS,
  READER_KEYS,
  type ReaderContent,
} from '../../domain/posts/reader-content.js';

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
SELECT m.id, m.type, m.url, m.alt_text AS "altText", m.title,
       (SELECT to_jsonb(file) FROM (SELECT ${ATTACHED_FILE} FROM media_file f WHERE f.media_id = m.id AND f.status = 'ready') file) AS file
  FROM media m
 WHERE m.workspace_id = $1 AND (m.id = ANY($2::text[]) OR m.url = ANY($3::text[])) AND ${isUsableMedia('$4')}
 ORDER BY m.created_at DESC, m.id DESC`;

/** For posts that are only planned: with OFFSET 0, the files of each are looked up by their IDs. */
const CIRCUMSTANCES = `
SELECT ${publicationHold(FILES_OF_PLANNED)} AS "publicationHold",
       COALESCE(ARRAY(SELECT COALESCE(m.title, m.id) FROM unnest(p.media_ids) WITH ORDINALITY AS u(id, n) JOIN media m ON m.id = u.id JOIN media_file f ON f.media_id = u.id WHERE f.status <> 'ready' ORDER BY u.n), '{}') AS "missingFiles"
  FROM json_to_recordset($1::json) AS p(n int, workspace_id text, account_id text, auto boolean, stored_state smallint, media_ids text[]) ORDER BY p.n`;

const DUPLICATE_STATES = storedStateNumbers([
  ...STATE_FILTERS.scheduled.storedStates,
  'published_posted',
  'published_hidden',
]);
const DATED_AT =
  "SELECT DISTINCT ON (post_id) post_id::float8 AS id, at FROM revision WHERE post_id = ANY($1::bigint[]) AND changes ? 'scheduledAt' ORDER BY post_id, version DESC";
/** A part of the content of a candidate: its type, and the SQL of a post `p` with the body `b`. */
interface ContentColumn {
  readonly type: string;
  readonly sql: string;
}

const storedColumn = (field: (typeof READER_FIELDS)[number]): ContentColumn => {
  const { table, column, type } = POST_COLUMNS.find((candidate) => candidate.field === field)!;
  return { type, sql: `${table === 'post' ? 'p' : 'b'}.${column}` };
};
const settingsColumn = (column: string, keys: readonly string[]): ContentColumn => ({
  type: 'jsonb',
  sql: `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(b.${column}) WHERE key IN (${keys.map((key) => `'${key}'`).join(', ')}))`,
});

const CONTENT_COLUMNS: Readonly<Record<keyof ReaderContent, ContentColumn>> = {
  ...(Object.fromEntries(READER_FIELDS.map((field) => [field, storedColumn(field)])) as Record<
    (typeof READER_FIELDS)[number],
    ContentColumn
  >),
  details: settingsColumn('details', READER_KEYS.details),
  networkOptions: settingsColumn('network_options', READER_KEYS.networkOptions),
  featuredMedia: { type: 'text', sql: "b.featured_media->>'id'" },
  mediaIds: {
    type: 'text[]',
    sql: 'ARRAY(SELECT pm.media_id FROM post_media pm WHERE pm.post_id = p.id ORDER BY pm.position)',
  },
};
const CONTENT_ENTRIES = Object.entries(CONTENT_COLUMNS);

/**
 * A text without differences that readers overlook (D93): case, white space, punctuation at the end.
 * A text of nothing else is itself.
 */
const comparable = (text: string): string =>
  `COALESCE(NULLIF(regexp_replace(regexp_replace(lower(btrim(${text})), '\\s+', ' ', 'g'), '[[:space:][:punct:]]+$', ''), ''), ${text})`;

/**
 * One post with the content of each candidate; occurrences of series and imports do not count. The
 * posts of an account around a time are few: OFFSET 0 makes PostgreSQL find them first, instead of
 * comparing the content of every post of the table.
 */
const FIND_DUPLICATES = `
SELECT DISTINCT ON (c.n) c.n, p.doc_id AS id, p.stored_state AS state, p.post_link AS url
  FROM json_to_recordset($1::json) AS c(n int, "postId" text, "accountId" text, at timestamptz, ${CONTENT_ENTRIES.map(([name, { type }]) => `"${name}" ${type}`).join(', ')})
 CROSS JOIN LATERAL (
   SELECT id, doc_id, type, stored_state, post_link FROM post
    WHERE account_id = c."accountId" AND sort_at BETWEEN c.at - interval '24 hours' AND c.at + interval '24 hours'
      AND stored_state = ANY($2::smallint[]) AND parent_id IS NULL AND origin = 'service' AND deleted_at IS NULL OFFSET 0) p
  JOIN post_body b ON b.post_id = p.id
 WHERE p.doc_id <> c."postId" AND ${CONTENT_ENTRIES.map(([name, { sql }]) => `${name === 'text' ? `${comparable(sql)} = ${comparable('c.text')}` : `${sql} IS NOT DISTINCT FROM c."${name}"`}`).join(' AND ')}
 ORDER BY c.n, p.id`;

/** Occurrences that a process of an earlier release created have no date yet: it is their time. */
const OCCURRENCE_DATES = `
SELECT id::float8 AS "postId", date, "isDeleted" FROM (
  SELECT id, CASE WHEN deleted_at IS NULL THEN COALESCE(occurrence_date, scheduled_at) ELSE occurrence_date END AS date, deleted_at IS NOT NULL AS "isDeleted"
    FROM post WHERE parent_id = $1
) occurrence WHERE date > $2
UNION ALL SELECT NULL, date, true FROM series_exception WHERE series_id = $1 AND date > $2`;

/** A date of a series that has, or had, an occurrence. */
export interface OccurrenceDate {
  readonly postId: number | null;
  readonly date: Date;
  readonly isDeleted: boolean;
}

/** A post that another one would be a duplicate of. */
export interface Duplicate {
  /** Document ID. */
  readonly id: string;
  readonly state: PostState;
  /** Address of the post on its network; null if it is not published. */
  readonly url: string | null;
}
type DuplicateRow = Omit<Duplicate, 'state'> & { readonly n: number; readonly state: number };

/** The content of a post that is to be published. */
export interface ContentCandidate {
  /** ID of the post, which is no duplicate of itself. */
  readonly postId: string;
  readonly accountId: string;
  readonly at: Date;
  readonly content: ReaderContent;
}

interface PostStoreOptions {
  /** The span of the current request, which the attempts at its jobs belong to. */
  readonly traceparent?: () => string | null;
}

const APPROVED = STORED_STATES.scheduled_approved.number;
const RECYCLING = storedStateNumbers(['recycling_active', 'recycling_paused']).join(', ');
/** Recycling posts do not have a state of their own after an approval: their history tells it. */
const IS_APPROVED =
  `(p.stored_state = ${APPROVED} OR (p.stored_state = ${STORED_STATES.recurring.number} AND p.occurrence_state = ${APPROVED}) OR ` +
  `(p.stored_state IN (${RECYCLING}) AND EXISTS (SELECT FROM revision r WHERE r.post_id = p.id AND r.type = 'post.approved')))`;

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
    /** On any server that has what the user has changed; the other functions read the primary. */
    ...createVisiblePosts(database),

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
     * The first posts and series that were approved and have a media item, without those that were
     * handed over for publication.
     */
    approvedWith: (mediaId: string, max: number): Promise<Post[]> =>
      readComplete(
        `p.id IN (SELECT pm.post_id FROM post_media pm WHERE pm.media_id = $1) AND p.queued_at IS NULL AND ${IS_APPROVED}`,
        [mediaId, max],
        'ORDER BY p.id LIMIT $2',
      ),

    /** The first posts that have a label, of all members. */
    postsWithLabel: (labelId: string, max: number): Promise<Post[]> =>
      readComplete(
        'p.id IN (SELECT pl.post_id FROM post_label pl WHERE pl.label_id = $1)',
        [labelId, max],
        'ORDER BY p.id LIMIT $2',
      ),

    /**
     * The dates of the rule, after a time, that the occurrences of a series have or had: also those
     * of drafts, published and deleted posts, but not of occurrences that a change of the rule
     * deleted. `postId` is null for a post that was purged.
     */
    occurrenceDates: (seriesId: number, after: Date): Promise<OccurrenceDate[]> =>
      database.read<OccurrenceDate>(OCCURRENCE_DATES, [seriesId, after]),

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
    async findDuplicates(candidates: readonly ContentCandidate[]): Promise<(Duplicate | null)[]> {
      const sql = candidates.length > MAX_PIPELINED_RECORDS ? database.scan : database.read;
      const rows = await sql<DuplicateRow>(FIND_DUPLICATES, [
        JSON.stringify(candidates.map(({ content, ...post }, n) => ({ n, ...post, ...content }))),
        DUPLICATE_STATES,
      ]);
      const found = new Map(
        rows.map(({ n, state, ...post }) => [
          n,
          { ...post, state: toPostState(storedStateByNumber.get(state)!) },
        ]),
      );
      return candidates.map((_, n) => found.get(n) ?? null);
    },

    /** What other records tell about posts that are not saved, in their order. */
    circumstancesOf: (
      posts: readonly Post[],
    ): Promise<Pick<Post, 'publicationHold' | 'missingFiles'>[]> =>
      database.scan(CIRCUMSTANCES, [
        JSON.stringify(
          posts.map(({ workspaceId, accountId, auto, storedState, media }, n) => ({
            n,
            workspace_id: workspaceId,
            account_id: accountId,
            auto,
            stored_state: STORED_STATES[storedState].number,
            media_ids: media.map(({ id }) => id),
          })),
        ),
      ]),

    /** The import keys that posts of the workspace already use, deleted posts included. */
    async existingImportKeys(workspaceId: string, keys: readonly string[]): Promise<string[]> {
      const rows = await database.scan<{ key: string }>(IMPORTED_KEYS, [workspaceId, keys]);
      return rows.map(({ key }) => key);
    },

    /** Media by ID or URL; not those that only other users' private drafts have (D13). */
    async findMedia(
      { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
      ids: readonly string[],
      urls: readonly string[],
    ) {
      const baseUrl = database.mediaBaseUrl();
      const stored = urls.flatMap((url) => storedUrls(url, baseUrl));
      const found = await database.scan<FoundMedia>(FIND_MEDIA, [workspaceId, ids, stored, userId]);
      return found.map((media) => atBaseUrl(media, baseUrl));
    },

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
