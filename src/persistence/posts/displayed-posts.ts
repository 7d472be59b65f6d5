import { byFrequency } from '../../domain/posts/post-facets.js';
import type { PostFacets, PostListQuery, PostPage } from '../../domain/posts/post-query.js';
import { type PostState, storedStateByNumber, toPostState } from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type { PostLookup, PostSelection, PostView } from '../../domain/posts/post-query.js';
import type { Post } from '../../domain/posts/post.js';
import type { Database, Reader } from '../database.js';
import { toSlicePage } from '../keyset-pagination.js';
import { facetsStatement, occurrenceFacetsStatement } from './post-count.js';
import { listStatement, occurrencesStatement } from './list-statement.js';
import { createPostReader, isVisibleTo } from './post-reader.js';
import { type PostRow, toPostView } from './post-rows.js';
import { readPostRows } from './related-rows.js';

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

/** The reads of posts that users see. */
interface DisplayedPosts {
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
function readsOf(server: Reader): DisplayedPosts {
  const { readOne, readComplete } = createPostReader(server);
  return {
    async list(viewer, query, selection) {
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

    async occurrences(viewer, parentIds, query, selection) {
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
 * The reads of posts that users see, each on any server that has what the user has changed. Related
 * rows are then read from the same server, and no other server shares its statements.
 */
export function createDisplayedPosts({ anywhere }: Database): DisplayedPosts {
  const readsByServer = new Map<Reader['read'], DisplayedPosts>();
  const on = <T>(work: (reads: DisplayedPosts) => Promise<T>): Promise<T> =>
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
