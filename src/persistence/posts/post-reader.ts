import type { Viewer } from '../../domain/access/viewer.js';
import type { Post, PostId } from '../../domain/posts/post.js';
import {
  withImpliedFilter,
  type PostView,
  type PostLookup,
  type PostFacets,
  type PostListQuery,
  type PostPage,
  type PostSelection,
} from '../../domain/posts/post-query.js';
import { isHidden } from '../../domain/rules/edit-rules.js';
import { MAX_PIPELINED_RECORDS } from '../connections/connection.js';
import type { Reader, Database } from '../database.js';
import type { Statement } from '../sql.js';
import { toPostView, ALL_FIELDS, toSelectList, type PostRow } from './post-rows.js';
import { readPostRows } from './related-rows.js';
import { byFrequency } from '../../domain/posts/post-facets.js';
import { type PostState, storedStateByNumber, toPostState } from '../../domain/posts/states.js';
import { toSlicePage } from '../keyset-pagination.js';
import { facetsStatement, occurrenceFacetsStatement } from './post-count.js';
import { listStatement, occurrencesStatement } from './list-statement.js';

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

/** A row of `listStatement` or `occurrencesStatement`; `series` is the ID of the parent post. */
type ListRow = PostRow & { total: number | null; series?: number };

/** Converts the rows of a window or numbered page. */
function toPage(rows: readonly ListRow[], { slice }: PostListQuery): PostPage {
  const postRows = rows.filter((row) => row.id); // a row without an ID contains only the total
  const total = rows[0]?.total ?? undefined;
  const count = total === undefined ? {} : { totalCount: total };
  if (slice.kind === 'page')
    return {
      posts: postRows.map(toPostView),
      hasNextPage: false,
      hasPreviousPage: slice.page > 0,
      ...count,
    };
  const { items: posts, ...pageInfo } = toSlicePage(postRows, slice, toPostView);
  return { posts, ...pageInfo, ...count };
}

/** A row of `facetsStatement` or `occurrenceFacetsStatement`. */
interface FacetsRow {
  exact: boolean;
  /** Counts by stored state number. */
  storedStates: Record<string, number> | null;
  networks: Record<string, number> | null;
  types: Record<string, number> | null;
  labels: PostFacets['labels'] | null;
}

/** Converts a row of counts. Several stored states may be shown as the same state. */
function toFacets(row: FacetsRow): PostFacets {
  const states = new Map<PostState, number>();
  for (const [number, count] of Object.entries(row.storedStates ?? {})) {
    const state = toPostState(storedStateByNumber.get(Number(number))!);
    states.set(state, (states.get(state) ?? 0) + count);
  }
  const sorted = <Name extends string>(counts: Record<string, number> | null, key: Name) =>
    byFrequency(
      Object.entries(counts ?? {}).map(([name, count]) => ({ name, count })),
      ({ name }) => name,
    ).map(({ name, count }) => ({ [key]: name, count }));
  return {
    exact: row.exact,
    states: byFrequency(
      [...states].map(([state, count]) => ({ state, count })),
      ({ state }) => state,
    ),
    networks: sorted(row.networks, 'network') as PostFacets['networks'],
    types: sorted(row.types, 'type') as PostFacets['types'],
    labels: byFrequency(row.labels ?? [], ({ name }) => name),
  };
}

/** The reads of posts that a viewer can see. */
export interface VisiblePosts {
  list(viewer: Viewer, query: PostListQuery, selection: PostSelection): Promise<PostPage>;
  /** One post by either ID, with the selected fields only. */
  find(viewer: Viewer, id: PostId, fields: ReadonlySet<keyof Post>): Promise<PostLookup<PostView>>;
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
}

/** The reads on one server. */
function readsOf(server: Reader): VisiblePosts {
  const { readOne, readComplete } = createPostReader(server);
  return {
    async list(viewer, given, selection) {
      const query = withImpliedFilter(given);
      const statement = listStatement(viewer, query, selection);
      const facets = selection.facets ? facetsStatement(viewer, query) : null;
      const [rows, facetsRows] = await Promise.all([
        selection.items || selection.totalCount
          ? readPostRows<ListRow>(server, statement, selection.fields)
          : [],
        facets ? server.scan<FacetsRow>(facets.text, facets.values) : [],
      ]);
      return {
        ...toPage(rows, query),
        ...(facetsRows[0] ? { facets: toFacets(facetsRows[0]) } : {}),
      };
    },

    find: readOne,

    async byDatabaseId(viewer, ids) {
      const posts = await readComplete('p.id = ANY($1::bigint[]) AND p.workspace_id = $2', [
        ids,
        viewer.workspace.id,
      ]);
      return new Map(posts.filter(isVisibleTo(viewer)).map((post) => [post.databaseId, post]));
    },

    async byDocumentId(viewer, ids) {
      const posts = await readComplete('p.doc_id = ANY($1::char(24)[]) AND p.workspace_id = $2', [
        ids,
        viewer.workspace.id,
      ]);
      return new Map(posts.filter(isVisibleTo(viewer)).map((post) => [post.id, post]));
    },

    async occurrences(viewer, parentIds, given, selection) {
      const query = withImpliedFilter(given);
      const statement = occurrencesStatement(viewer, parentIds, query, selection);
      const facets = selection.facets ? occurrenceFacetsStatement(viewer, parentIds, query) : null;
      const [rows, facetsRows] = await Promise.all([
        readPostRows<ListRow>(server, statement, selection.fields),
        facets ? server.scan<FacetsRow & { series: number }>(facets.text, facets.values) : [],
      ]);
      const pageOf = (id: number) => ({
        ...toPage(
          rows.filter((row) => row.series === id),
          query,
        ),
        ...(selection.facets && {
          facets: toFacets(facetsRows.find(({ series }) => series === id)!),
        }),
      });
      return new Map(parentIds.map((id) => [id, pageOf(id)]));
    },
  };
}

/**
 * The reads of posts that a viewer can see, each on any server that has what the user has changed. Related
 * rows are then read from the same server, and no other server shares its statements.
 */
export function createVisiblePosts({ anywhere }: Database): VisiblePosts {
  const readsByServer = new Map<Reader['read'], VisiblePosts>();
  const on = <T>(work: (reads: VisiblePosts) => Promise<T>): Promise<T> =>
    anywhere((server) => {
      const reads = readsByServer.get(server.read) ?? readsOf(server);
      readsByServer.set(server.read, reads);
      return work(reads);
    });
  return {
    list: (...given) => on((reads) => reads.list(...given)),
    find: (...given) => on((reads) => reads.find(...given)),
    byDatabaseId: (...given) => on((reads) => reads.byDatabaseId(...given)),
    byDocumentId: (...given) => on((reads) => reads.byDocumentId(...given)),
    occurrences: (...given) => on((reads) => reads.occurrences(...given)),
  };
}
