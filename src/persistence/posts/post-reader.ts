import type pg from 'pg';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type { PostView } from '../../domain/posts/post-query.js';
import { isHidden } from '../../domain/posts/visibility.js';
import type { PostLookup } from '../../services/posts/post-ports.js';
import { shareStatements } from '../connections/statement-sharing.js';
import { toPostView } from './post-rows.js';
import { ALL_FIELDS, toSelectList } from './post-select-list.js';
import { readPostRows } from './related-rows.js';

type Fields = ReadonlySet<keyof Post>;

/** Reads posts by ID or condition. */
export interface PostReader {
  /** Complete posts that match an SQL condition over `p`. */
  readComplete(condition: string, values: readonly unknown[], order?: string): Promise<Post[]>;
  /** Like `readComplete`, but only deleted posts. The other functions never read them. */
  readDeleted(condition: string, values: readonly unknown[]): Promise<Post[]>;
  readOne(viewer: Viewer, id: PostId, fields: Fields): Promise<PostLookup<PostView>>;
  /** Results in the order of the IDs. */
  readEach(
    viewer: Viewer,
    ids: readonly (PostId | null)[],
    fields: Fields,
  ): Promise<PostLookup<PostView>[]>;
}

/** The result for a row read by an ID. Database IDs never reveal more than "unknown" (D3, D13). */
function toLookup<T extends PostView>(
  viewer: Viewer,
  id: PostId | null,
  post: T | undefined,
): PostLookup<T> {
  if (!id || !post) return { kind: 'unknown' };
  const isVisible = post.workspaceId === viewer.workspace.id && !isHidden(post, viewer);
  if (isVisible) return { kind: 'found', post };
  return id.kind === 'document' ? { kind: 'inaccessible' } : { kind: 'unknown' };
}

/** Whether the viewer can see a post. */
export const isVisibleTo =
  (viewer: Viewer) =>
  (post: PostView): boolean =>
    toLookup(viewer, { kind: 'document', id: post.id }, post).kind === 'found';

/** Null if there is no such post. */
type ReadPost = (documentId: string) => Promise<PostView | null>;

/** Clients choose the fields. Reads of further selections have a statement each. */
const MAX_SELECTIONS = 200;

/**
 * Creates a reader of single posts. Reads of the same fields that are made at the same time share a
 * statement, also those of different viewers: the caller decides who sees the post.
 */
function createSharedReads(
  readAll: (fields: Fields, documentIds: readonly string[]) => Promise<PostView[]>,
): (fields: Fields, documentId: string) => Promise<PostView | null> {
  const readers = new Map<string, ReadPost>();

  async function read(
    fields: Fields,
    documentIds: readonly string[],
  ): Promise<(PostView | null)[]> {
    const posts = await readAll(fields, [...new Set(documentIds)]);
    const byId = new Map(posts.map((post) => [post.id, post]));
    return documentIds.map((id) => byId.get(id) ?? null);
  }

  return (fields, documentId) => {
    const alone: ReadPost = async (id) => (await read(fields, [id]))[0]!;
    const key = [...fields].sort().join();
    const known = readers.get(key);
    if (!known && readers.size >= MAX_SELECTIONS) return alone(documentId);
    const reader = known ?? shareStatements({ together: (ids) => read(fields, ids), alone });
    readers.set(key, reader);
    return reader(documentId);
  };
}

/** Creates a reader of a database. */
export function createPostReader(pool: pg.Pool): PostReader {
  const readWhere = async (
    fields: Fields,
    condition: string,
    values: readonly unknown[],
  ): Promise<PostView[]> => {
    const { columns, join } = toSelectList(fields);
    const text = `SELECT ${columns} FROM post p ${join} WHERE ${condition}`;
    return (await readPostRows(pool, { text, values }, fields)).map(toPostView);
  };
  const read = (
    fields: Fields,
    condition: string,
    values: readonly unknown[],
    order = '',
  ): Promise<PostView[]> =>
    readWhere(fields, `${condition} AND p.deleted_at IS NULL ${order}`, values);

  const readDocuments = (fields: Fields, ids: readonly string[]): Promise<PostView[]> =>
    read(fields, 'p.doc_id = ANY($1::char(24)[])', [ids]);
  const readDocument = createSharedReads(readDocuments);

  const readOne: PostReader['readOne'] = async (viewer, id, fields) => {
    if (id.kind === 'document')
      return toLookup(viewer, id, (await readDocument(fields, id.id)) ?? undefined);
    const [post] = await read(fields, 'p.id = $1 AND p.workspace_id = $2', [
      id.id,
      viewer.workspace.id,
    ]);
    return toLookup(viewer, id, post);
  };

  return {
    readOne,
    readComplete: (condition, values, order) =>
      read(ALL_FIELDS, condition, values, order) as Promise<Post[]>,
    readDeleted: (condition, values) =>
      readWhere(ALL_FIELDS, `${condition} AND p.deleted_at IS NOT NULL`, values) as Promise<Post[]>,
    // Each kind of ID through its own index; a single ID like readOne, which is cheaper.
    async readEach(viewer, ids, fields) {
      if (ids.length === 1 && ids[0]) return [await readOne(viewer, ids[0], fields)];
      const documentIds = ids.flatMap((id) => (id?.kind === 'document' ? [id.id] : []));
      const databaseIds = ids.flatMap((id) => (id?.kind === 'database' ? [id.id] : []));
      const [documentPosts, relationalPosts] = await Promise.all([
        documentIds.length > 0 ? readDocuments(fields, documentIds) : [],
        databaseIds.length > 0
          ? read(fields, 'p.id = ANY($1::bigint[]) AND p.workspace_id = $2', [
              databaseIds,
              viewer.workspace.id,
            ])
          : [],
      ]);
      const byDocumentId = new Map(documentPosts.map((post) => [post.id, post]));
      const byDatabaseId = new Map(relationalPosts.map((post) => [post.databaseId, post]));
      return ids.map((id) =>
        toLookup(
          viewer,
          id,
          id?.kind === 'document' ? byDocumentId.get(id.id) : byDatabaseId.get(id?.id ?? 0),
        ),
      );
    },
  };
}
