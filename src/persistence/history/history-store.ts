import type { Viewer, ApiKind } from '../../domain/access/viewer.js';
import type {
  HistoryWindow,
  Revision,
  RevisionValues,
} from '../../domain/history/history-entry.js';
import type { UserSummary } from '../../domain/posts/post.js';
import { STATE_FILTERS, STORED_STATES } from '../../domain/posts/states.js';
import type { Database } from '../database.js';
import { fromStored } from '../posts/post-rows.js';

/** What is stored of the history of a post. */
export interface StoredHistory {
  /** The version that made the post visible to the viewer; 1 if it always was. */
  readonly visibleFrom: number;
  readonly createdAt: Date;
  readonly creator: UserSummary;
  readonly createdApi: ApiKind;
  /** The next changes, newest first: one more than the limit if there are more. */
  readonly revisions: readonly Revision[];
}

const PRIVATE = STATE_FILTERS.draft_private.storedStates;
const PRIVATE_NUMBERS = PRIVATE.map((state) => STORED_STATES[state].number).join(', ');
const PRIVATE_NAMES = PRIVATE.map((state) => `'${state}'`).join(', ');

const userOf = (table: string): string =>
  `json_build_object('id', ${table}.id, 'name', ${table}.name, 'picture', ${table}.picture)`;

/**
 * A window of the changes of several posts, by the primary key of `revision`. For other members
 * than its creator, the history begins with the last change that made the post visible (D71).
 */
const READ = `
SELECT p.id::float8 AS "postId", v.from_version AS "visibleFrom", p.created_at AS "createdAt", ${userOf('c')} AS creator,
       COALESCE(b.created_api, CASE WHEN p.origin = 'imported' THEN 'import' ELSE 'service' END) AS "createdApi",
       r.version, r.type, r.api, r.note, r.at, r.changes, CASE WHEN u.id IS NOT NULL THEN ${userOf('u')} END AS "user"
  FROM unnest($1::bigint[]) AS requested(id)
  CROSS JOIN LATERAL (SELECT * FROM post WHERE id = requested.id OFFSET 0) p
  JOIN app_user c ON c.id = p.creator_id
  LEFT JOIN post_body b ON b.post_id = p.id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN p.creator_id = $3::text THEN 1 ELSE COALESCE((
      SELECT max(s.version) FROM revision s
       WHERE s.post_id = p.id AND s.changes->'storedState'->>'from' IN (${PRIVATE_NAMES}) AND s.changes->'storedState'->>'to' NOT IN (${PRIVATE_NAMES})), 1) END AS from_version OFFSET 0) v
  LEFT JOIN LATERAL (
    SELECT * FROM revision
     WHERE post_id = p.id AND version >= v.from_version AND version < $4::int ORDER BY version DESC LIMIT $5::int + 1) r ON true
  LEFT JOIN app_user u ON u.id = r.user_id
 WHERE p.workspace_id = $2::text AND p.deleted_at IS NULL AND (p.creator_id = $3::text OR p.stored_state NOT IN (${PRIVATE_NUMBERS}))
 ORDER BY p.id, r.version DESC`;

const VALUES_SINCE =
  'SELECT version, changes FROM revision WHERE post_id = $1::bigint AND version > $2::int ORDER BY version';

/** Larger than any version. */
const NO_VERSION = 2_147_483_647;

interface HistoryRow extends Omit<Revision, 'version'>, Omit<StoredHistory, 'revisions'> {
  readonly postId: number;
  /** Null if the post has no change in the window. */
  readonly version: number | null;
}

/** With the URLs at which clients reach files now. */
const valuesNow = (changes: RevisionValues, database: Database): RevisionValues =>
  Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      field,
      { from: fromStored(field, from, database), to: fromStored(field, to, database) },
    ]),
  );

function toHistory(rows: readonly HistoryRow[], database: Database): StoredHistory {
  const { visibleFrom, createdAt, creator, createdApi } = rows[0]!;
  const revisions = rows
    .filter((row): row is HistoryRow & Revision => row.version !== null)
    .map((row) => ({ ...row, changes: valuesNow(row.changes, database) }));
  return { visibleFrom, createdAt, creator, createdApi, revisions };
}

/** Reads the stored changes of posts from PostgreSQL. */
export const createHistoryStore = (database: Database) => ({
  /** By database ID. Posts that the viewer cannot see are absent. */
  async read(
    viewer: Viewer,
    postIds: readonly number[],
    { before = NO_VERSION, limit }: HistoryWindow,
  ): Promise<ReadonlyMap<number, StoredHistory>> {
    const rows = await database.read<HistoryRow>(READ, [
      [...new Set(postIds)],
      viewer.workspace.id,
      viewer.user.id,
      before,
      limit,
    ]);
    const rowsByPost = new Map<number, HistoryRow[]>();
    for (const row of rows)
      rowsByPost.set(row.postId, [...(rowsByPost.get(row.postId) ?? []), row]);
    return new Map([...rowsByPost].map(([postId, group]) => [postId, toHistory(group, database)]));
  },
  /** The values of all changes of a post after a version, oldest first. */
  async valuesSince(postId: number, version: number) {
    const rows = await database.read<{ version: number; changes: RevisionValues }>(VALUES_SINCE, [
      postId,
      version,
    ]);
    return rows.map(({ version: changed, changes }) => ({
      version: changed,
      changes: valuesNow(changes, database),
    }));
  },
});
export type HistoryStore = ReturnType<typeof createHistoryStore>;
