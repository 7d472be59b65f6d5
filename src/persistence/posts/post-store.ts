import type pg from 'pg';
import { labelKey, type Label, type Media, type Post } from '../../domain/posts/post.js';
import type { PostId } from '../../domain/posts/post-id.js';
import type {
  PostFacets,
  PostListQuery,
  PostPage,
  PostView,
  PostWith,
} from '../../domain/posts/post-query.js';
import {
  STATE_FILTERS,
  cellNumbers,
  cellOfNumber,
  stateOfCell,
  type PostState,
} from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { isHidden } from '../../domain/posts/visibility.js';
import type { Found, PostStore } from '../../services/ports.js';
import { toSlicePage } from './keyset-slice.js';
import { ALL_FIELDS, selectParts } from './post-parts.js';
import {
  facetsStatement,
  listStatement,
  occurrenceFacetsStatement,
  occurrencesStatement,
} from './post-query.js';
import { readPostRows } from './related-rows.js';
import { toPostView, type PostRow } from './post-rows.js';
import { rehearseChange, saveChange } from '../changes/change-writer.js';
import { run } from '../sql.js';

type ListRow = PostRow & { total: number | null; series?: number };

/** Rows of a window, or of a numbered page, as a page. */
function toPage(rows: readonly ListRow[], { slice }: PostListQuery): PostPage {
  const found = rows.filter((row) => row.id); // a row without an id says only the total
  const total = rows[0]?.total ?? undefined;
  const count = total === undefined ? {} : { totalCount: total };
  if (slice.kind === 'page')
    return {
      posts: found.map(toPostView),
      hasNextPage: false,
      hasPreviousPage: slice.page > 0,
      ...count,
    };
  const { items: posts, ...sides } = toSlicePage(found, slice, toPostView);
  return { posts, ...sides, ...count };
}

interface FacetsRow {
  exact: boolean;
  cells: Record<string, number> | null;
  networks: Record<string, number> | null;
  types: Record<string, number> | null;
  labels: PostFacets['labels'] | null;
}

/** Most frequent first, then by name: the same order at every call. */
const ranked = <T>(items: T[], name: (item: T) => string, count: (item: T) => number): T[] =>
  items.sort((a, b) => count(b) - count(a) || (name(a) < name(b) ? -1 : 1));

/** Facets count the state that is shown, which several cells may share. */
function toFacets(row: FacetsRow): PostFacets {
  const states = new Map<PostState, number>();
  for (const [cell, count] of Object.entries(row.cells ?? {})) {
    const state = stateOfCell(cellOfNumber.get(Number(cell))!);
    states.set(state, (states.get(state) ?? 0) + count);
  }
  const counts = (record: Record<string, number> | null): [string, number][] =>
    ranked(
      Object.entries(record ?? {}),
      ([word]) => word,
      ([, count]) => count,
    );
  return {
    exact: row.exact,
    states: ranked(
      [...states].map(([state, count]) => ({ state, count })),
      (one) => one.state,
      (one) => one.count,
    ),
    networks: counts(row.networks).map(
      ([network, count]) => ({ network, count }) as PostFacets['networks'][number],
    ),
    types: counts(row.types).map(
      ([type, count]) => ({ type, count }) as PostFacets['types'][number],
    ),
    labels: ranked(
      row.labels ?? [],
      (one) => one.name,
      (one) => one.count,
    ),
  };
}

/** Whether a row read by an id is there for this viewer; a relational id never tells more than "unknown" (D3, D13). */
function verdict<T extends PostView>(
  viewer: Viewer,
  id: PostId | null,
  post: T | undefined,
): Found<T> {
  if (!id || !post) return { kind: 'unknown' };
  const isHere = post.workspaceId === viewer.workspace.id && !isHidden(post, viewer);
  if (isHere) return { kind: 'found', post };
  return id.kind === 'document' ? { kind: 'elsewhere' } : { kind: 'unknown' };
}

const isVisibleTo =
  (viewer: Viewer) =>
  (post: PostView): boolean =>
    verdict(viewer, { kind: 'document', id: post.id }, post).kind === 'found';

/** Those of deleted posts among them, whose rows may be gone (D32). */
const IMPORTED_KEYS = ['post', 'removed_import']
  .map(
    (table) =>
      `SELECT import_key AS key FROM ${table} WHERE workspace_id = $1 AND import_key = ANY($2::text[])`,
  )
  .join(' UNION ALL ');

/** Posts in PostgreSQL: every read is one prepared statement that reads what was selected. `areDelivered`: notifications go to a webhook too. */
export function createPostStore(pool: pg.Pool, { areDelivered = false } = {}): PostStore {
  const read = async (
    fields: ReadonlySet<keyof Post>,
    condition: string,
    values: readonly unknown[],
    order = '',
  ): Promise<PostView[]> => {
    const { columns, join } = selectParts(fields);
    const rows = await readPostRows(
      pool,
      {
        text: `SELECT ${columns} FROM post p ${join} WHERE ${condition} AND p.deleted_at IS NULL ${order}`,
        values,
      },
      fields,
    );
    return rows.map(toPostView);
  };
  const readWhole = (
    condition: string,
    values: readonly unknown[],
    order?: string,
  ): Promise<Post[]> => read(ALL_FIELDS, condition, values, order) as Promise<Post[]>;

  const readOne = async (
    viewer: Viewer,
    id: PostId,
    fields: ReadonlySet<keyof Post>,
  ): Promise<Found<PostView>> => {
    const [post] =
      id.kind === 'document'
        ? await read(fields, 'p.doc_id = $1', [id.id])
        : await read(fields, 'p.id = $1 AND p.workspace_id = $2', [id.id, viewer.workspace.id]);
    return verdict(viewer, id, post);
  };
  /** Those of each kind by the index on it; one alone as `find` does, which costs less. */
  const readEach = async (
    viewer: Viewer,
    ids: readonly (PostId | null)[],
    fields: ReadonlySet<keyof Post>,
  ): Promise<Found<PostView>[]> => {
    if (ids.length === 1 && ids[0]) return [await readOne(viewer, ids[0], fields)];
    const documents = ids.flatMap((id) => (id?.kind === 'document' ? [id.id] : []));
    const relational = ids.flatMap((id) => (id?.kind === 'relational' ? [id.id] : []));
    const [byDocument, byNumber] = await Promise.all([
      documents.length > 0 ? read(fields, 'p.doc_id = ANY($1::char(24)[])', [documents]) : [],
      relational.length > 0
        ? read(fields, 'p.id = ANY($1::bigint[]) AND p.workspace_id = $2', [
            relational,
            viewer.workspace.id,
          ])
        : [],
    ]);
    const documentsById = new Map(byDocument.map((post) => [post.id, post]));
    const postsByNumber = new Map(byNumber.map((post) => [post.databaseId, post]));
    return ids.map((id) =>
      verdict(
        viewer,
        id,
        id?.kind === 'document' ? documentsById.get(id.id) : postsByNumber.get(id?.id ?? 0),
      ),
    );
  };

  return {
    async list(viewer, query, selection) {
      const statement = listStatement(viewer, query, selection);
      const facets = selection.facets ? facetsStatement(viewer, query) : null;
      const [rows, counted] = await Promise.all([
        selection.items || selection.totalCount
          ? readPostRows<ListRow>(pool, statement, selection.fields)
          : [],
        facets ? run<FacetsRow>(pool, facets.text, facets.values) : [],
      ]);
      return { ...toPage(rows, query), ...(counted[0] ? { facets: toFacets(counted[0]) } : {}) };
    },

    find: readOne,

    findAll: (viewer, ids) => readEach(viewer, ids, ALL_FIELDS) as Promise<Found<Post>[]>,
    findEach: <F extends keyof Post>(
      viewer: Viewer,
      ids: readonly (PostId | null)[],
      fields: readonly F[],
    ) => readEach(viewer, ids, new Set(fields)) as unknown as Promise<Found<PostWith<F>>[]>,

    async byDatabaseId(viewer, ids) {
      const posts = await readWhole('p.id = ANY($1::bigint[]) AND p.workspace_id = $2', [
        ids,
        viewer.workspace.id,
      ]);
      return new Map(posts.filter(isVisibleTo(viewer)).map((post) => [post.databaseId, post]));
    },

    async byDocumentId(viewer, ids) {
      const posts = await readWhole('p.doc_id = ANY($1::char(24)[]) AND p.workspace_id = $2', [
        ids,
        viewer.workspace.id,
      ]);
      return new Map(posts.filter(isVisibleTo(viewer)).map((post) => [post.id, post]));
    },

    async occurrences(viewer, parentIds, query, selection) {
      const statement = occurrencesStatement(viewer, parentIds, query, selection);
      const facets = selection.facets ? occurrenceFacetsStatement(viewer, parentIds, query) : null;
      const [rows, counted] = await Promise.all([
        readPostRows<ListRow>(pool, statement, selection.fields),
        facets ? run<FacetsRow & { series: number }>(pool, facets.text, facets.values) : [],
      ]);
      return new Map(
        parentIds.map((id) => [
          id,
          {
            ...toPage(
              rows.filter((row) => row.series === id),
              query,
            ),
            ...(selection.facets && {
              facets: toFacets(counted.find(({ series }) => series === id)!),
            }),
          },
        ]),
      );
    },

    futureChildren: (parentId, now) =>
      readWhole(
        'p.parent_id = $1 AND p.scheduled_at > $2 AND p.cell = ANY($3::smallint[])',
        [parentId, now, cellNumbers(STATE_FILTERS.scheduled.cells)],
        'ORDER BY p.scheduled_at, p.id',
      ),

    async reserveIds(count) {
      const rows = await run<{ id: number }>(
        pool,
        "SELECT nextval(pg_get_serial_sequence('post', 'id'))::int AS id FROM generate_series(1, $1)",
        [count],
      );
      return rows.map((row) => row.id);
    },

    labelsNamed: (workspaceId, names) =>
      run<Label>(
        pool,
        'SELECT id, name, color FROM label WHERE workspace_id = $1 AND name_key = ANY($2::text[])',
        [workspaceId, names.map(labelKey)],
      ),

    async importedKeys(workspaceId, keys) {
      const rows = await run<{ key: string }>(pool, IMPORTED_KEYS, [workspaceId, keys]);
      return rows.map(({ key }) => key);
    },

    mediaOf: (workspaceId, ids, urls) =>
      run<Media>(
        pool,
        'SELECT id, type, url, alt_text AS "altText", title FROM media WHERE workspace_id = $1 AND (id = ANY($2::text[]) OR url = ANY($3::text[])) ORDER BY created_at DESC, id DESC',
        [workspaceId, ids, urls],
      ),

    save: (change, record) => saveChange(pool, change, { record, areDelivered }),
    rehearse: (change) => rehearseChange(pool, change, { areDelivered }),
  };
}
