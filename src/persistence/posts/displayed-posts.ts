import type { PostStore } from '../../services/posts/post-ports.js';
import type { Database, Reader } from '../database.js';
import { facetsStatement, occurrenceFacetsStatement } from './facets-query.js';
import { listStatement, occurrencesStatement } from './list-statement.js';
import { toFacets, toPage, type FacetsRow, type ListRow } from './post-pages.js';
import { createPostReader, isVisibleTo } from './post-reader.js';
import { readPostRows } from './related-rows.js';

/** The reads of posts that users see. */
type DisplayedPosts = Pick<
  PostStore,
  'list' | 'find' | 'byDatabaseId' | 'byDocumentId' | 'occurrences'
>;

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
