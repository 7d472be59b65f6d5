import type { Viewer } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type { PostView } from '../../domain/posts/post-query.js';
import { isHidden } from '../../domain/rules/edit-rights.js';
import type { PostLookup } from '../../domain/posts/post-query.js';
import { MAX_PIPELINED_RECORDS } from '../connections/pipelined-connections.js';
import type { Reader } from '../database.js';
import type { Statement } from '../sql.js';
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
  post: T | null | undefined,
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

/** Clients choose the fields. Reads of further selections have a statement each. */
const MAX_SELECTIONS = 200;

/**
 * Creates a reader of single posts. Reads of the same fields that are made at the same time share a
 * statement, also those of different viewers: the caller decides who sees the posts.
 */
function createSharedReads(
  server: Reader,
  readAll: (fields: Fields, documentIds: readonly string[]) => Promise<PostView[]>,
): (fields: Fields, documentId: string) => Promise<PostView | null> {
  type Read = (documentId: string) => Promise<PostView | null>;
  const readers = new Map<string, Read>();

  const createReader = (fields: Fields): Read => {
    async function together(ids: readonly string[]): Promise<(PostView | null)[]> {
      const posts = await readAll(fields, [...new Set(ids)]);
      const byId = new Map(posts.map((post) => [post.id, post]));
      return ids.map((id) => byId.get(id) ?? null);
    }
    return server.share({ together, alone: async (id) => (await together([id]))[0]! });
  };

  return (fields, documentId) => {
    const key = [...fields].sort().join();
    const reader = readers.get(key) ?? createReader(fields);
    if (readers.size < MAX_SELECTIONS) readers.set(key, reader);
    return reader(documentId);
  };
}

/** Creates a reader of a database. */
export function createPostReader(server: Reader): PostReader {
  /** Posts that match a condition over `p`. */
  const readWhere = async (fields: Fields, condition: Statement): Promise<PostView[]> => {
    const { columns, join } = toSelectList(fields);
    const text = `SELECT ${columns} FROM post p ${join} WHERE ${condition.text}`;
    return (await readPostRows(server, { ...condition, text }, fields)).map(toPostView);
  };
  const read = (fields: Fields, condition: Statement, order = ''): Promise<PostView[]> =>
    readWhere(fields, {
      ...condition,
      text: `${condition.text} AND p.deleted_at IS NULL ${order}`,
    });

  const readDocuments = (fields: Fields, ids: readonly string[]): Promise<PostView[]> =>
    read(fields, {
      text: 'p.doc_id = ANY($1::char(24)[])',
      values: [ids],
      isSlow: ids.length > MAX_PIPELINED_RECORDS,
    });
  const readSingle = createSharedReads(server, readDocuments);

  const readOne: PostReader['readOne'] = async (viewer, id, fields) => {
    if (id.kind === 'document') return toLookup(viewer, id, await readSingle(fields, id.id));
    const [post] = await read(fields, {
      text: 'p.id = $1 AND p.workspace_id = $2',
      values: [id.id, viewer.workspace.id],
    });
    return toLookup(viewer, id, post);
  };

  return {
    readOne,
    readComplete: (text, values, order) =>
      read(ALL_FIELDS, { text, values }, order) as Promise<Post[]>,
    readDeleted: (text, values) =>
      readWhere(ALL_FIELDS, { text: `${text} AND p.deleted_at IS NOT NULL`, values }) as Promise<
        Post[]
      >,
    // Each kind of ID through its own index; a single ID like readOne, which is cheaper.
    async readEach(viewer, ids, fields) {
      if (ids.length === 1 && ids[0]) return [await readOne(viewer, ids[0], fields)];
      const documentIds = ids.flatMap((id) => (id?.kind === 'document' ? [id.id] : []));
      const databaseIds = ids.flatMap((id) => (id?.kind === 'database' ? [id.id] : []));
      const [documents, relationalPosts] = await Promise.all([
        documentIds.length > 0 ? readDocuments(fields, documentIds) : [],
        databaseIds.length > 0
          ? read(fields, {
              text: 'p.id = ANY($1::bigint[]) AND p.workspace_id = $2',
              values: [databaseIds, viewer.workspace.id],
            })
          : [],
      ]);
      const byDocumentId = new Map(documents.map((post) => [post.id, post]));
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
