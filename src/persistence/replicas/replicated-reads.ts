import type { Viewer } from '../../domain/access/viewer.js';
import type { PostStore } from '../../services/posts/post-ports.js';
import type { Reader } from '../database.js';
import type { Replicas } from './replicas.js';
import { facetsStatement, occurrenceFacetsStatement } from '../posts/facets-query.js';
import { listStatement, occurrencesStatement } from '../posts/list-statement.js';
import { toFacets, toPage, type FacetsRow, type ListRow } from '../posts/post-pages.js';
import { createPostReader, isVisibleTo, type PostReader } from '../posts/post-reader.js';
import { readPostRows } from '../posts/related-rows.js';

/** The reads of posts that replicas may answer. */
type ReplicatedReads = Pick<
  PostStore,
  'list' | 'find' | 'byDatabaseId' | 'byDocumentId' | 'occurrences'
>;

/** The reads on one server. */
function readsOf(server: Reader, { readOne, readComplete }: PostReader): ReplicatedReads {
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
 * Reads of posts. A replica that has the position of the viewer may answer each of them; related
 * rows are then read from the same server, and no other server shares its statements.
 */
export function createReplicatedReads(
  primary: Reader,
  reader: PostReader,
  replicas: Replicas,
): ReplicatedReads {
  const readsByServer = new Map([[primary, readsOf(primary, reader)]]);
  function on(server: Reader): ReplicatedReads {
    const reads = readsByServer.get(server) ?? readsOf(server, createPostReader(server));
    readsByServer.set(server, reads);
    return reads;
  }
  const read = <T>(
    { readPosition }: Viewer,
    work: (reads: ReplicatedReads) => Promise<T>,
  ): Promise<T> => replicas.read(readPosition, (server) => work(on(server)));

  return {
    list: (viewer, query, selection) =>
      read(viewer, (reads) => reads.list(viewer, query, selection)),
    find: (viewer, id, fields) => read(viewer, (reads) => reads.find(viewer, id, fields)),
    byDatabaseId: (viewer, ids) => read(viewer, (reads) => reads.byDatabaseId(viewer, ids)),
    byDocumentId: (viewer, ids) => read(viewer, (reads) => reads.byDocumentId(viewer, ids)),
    occurrences: (viewer, parentIds, query, selection) =>
      read(viewer, (reads) => reads.occurrences(viewer, parentIds, query, selection)),
  };
}
