import type pg from 'pg';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type { PostView } from '../../domain/posts/post-query.js';
import { isHidden } from '../../domain/posts/visibility.js';
import type { PostLookup } from '../../services/posts/post-ports.js';
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

  const readOne: PostReader['readOne'] = async (viewer, id, fields) => {
    const [post] =
      id.kind === 'document'
        ? await read(fields, 'p.doc_id = $1', [id.id])
        : await read(fields, 'p.id = $1 AND p.workspace_id = $2', [id.id, viewer.workspace.id]);
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
        documentIds.length > 0 ? read(fields, 'p.doc_id = ANY($1::char(24)[])', [documentIds]) : [],
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
