import { fastify } from 'fastify';
import { GraphQLScalarType } from 'graphql';
import mercurius, {
  type IResolvers,
  type MercuriusContext,
  type MercuriusLoaders,
} from 'mercurius';
import { SDL } from './contract-sdl.js';
import { writeCursor } from './cursors.js';
import { createPool, createRun, HOST, PORT, VIEWER, workspaceOf } from './environment.js';
import { listSql, type ListArguments } from './list-sql.js';
import { STATES } from './states.js';
import { CREATE_SQL, createValues, DELETE_SQL, UPDATE_SQL, updateValues } from './write-sql.js';

declare module 'mercurius' {
  interface MercuriusContext {
    readonly workspace: string;
  }
}

/**
 * Mercurius as its documentation recommends for speed: jit, batched loaders, prepared statements.
 */
const run = createRun(createPool());

/** Columns of a post; loaders read the relations. */
interface PostRow {
  id: string;
  number: number;
  stored_state: number;
  scheduledAt: Date | null;
  accountId: string | null;
  creatorId: string;
  network: string | null;
  type: string;
  url: string | null;
  link: Record<string, string> | null;
}
const COLUMNS = `p.doc_id AS id, p.id::int AS number, p.version, p.stored_state, p.type, p.network, p.account_id AS "accountId", p.creator_id AS "creatorId", p.scheduled_at AS "scheduledAt",
  p.created_at AS "createdAt", p.updated_at AS "updatedAt", p.has_media AS "hasMedia", p.auto, p.post_link AS "postLink", b.text, b.title, b.url, b.link, b.tags`;
const READ_ONE = `SELECT ${COLUMNS} FROM post p JOIN post_body b ON b.post_id = p.id WHERE p.doc_id = $1 AND p.workspace_id = $2 AND p.deleted_at IS NULL AND (p.stored_state NOT IN (24, 25) OR p.creator_id = $3)`;

type Context = MercuriusContext;
interface ConnectionArguments extends ListArguments {
  readonly first?: number;
}
interface Connection {
  readonly args: ConnectionArguments;
  readonly rows: Promise<PostRow[]>;
}
const FIRST = 25;

const readPosts = (workspace: string, args: ConnectionArguments): Promise<PostRow[]> => {
  const { prelude, window, values } = listSql({ workspace, viewer: VIEWER }, args, {
    limit: (args.first ?? FIRST) + 1,
  });
  return run<PostRow>(
    `${prelude}SELECT ${COLUMNS} FROM (${window()}) page JOIN post p ON p.id = page.id JOIN post_body b ON b.post_id = p.id ORDER BY page.sort_at DESC, page.id DESC`,
    values,
  );
};

const resolvers: IResolvers = {
  DateTime: new GraphQLScalarType<Date, string>({
    name: 'DateTime',
    serialize: (value) => (value as Date).toISOString(),
  }),
  Query: {
    posts: (_root: unknown, { filter, ...rest }: any, { workspace }: Context): Connection => {
      const args = { ...filter, ...rest } as ConnectionArguments;
      return { args, rows: readPosts(workspace, args) };
    },
    post: async (_root: unknown, { id }: { id: string }, { workspace }: Context) =>
      (await run<PostRow>(READ_ONE, [id, workspace, VIEWER]))[0] ?? null,
  },
  PostConnection: {
    nodes: async ({ args, rows }: Connection) => (await rows).slice(0, args.first ?? FIRST),
    pageInfo: async ({ args, rows }: Connection) => {
      const first = args.first ?? FIRST;
      const foundRows = await rows;
      const last = foundRows[Math.min(first, foundRows.length) - 1];
      return {
        hasNextPage: foundRows.length > first,
        endCursor: last ? writeCursor({ at: last.scheduledAt, id: last.number }) : null,
      };
    },
    totalCount: async ({ args }: Connection, _args: unknown, { workspace }: Context) => {
      const { prelude, count, values } = listSql(
        { workspace, viewer: VIEWER },
        { ...args, after: null },
        { limit: 1 },
      );
      return (
        await run<{ total: number }>(`${prelude}SELECT (${count()})::int AS total`, values)
      )[0]!.total;
    },
  },
  Post: {
    state: ({ stored_state: storedState }: PostRow) => STATES[storedState],
    type: ({ type }: PostRow) => type.toUpperCase(),
    network: ({ network }: PostRow) => network?.toUpperCase() ?? null,
    link: ({ url, link }: PostRow) =>
      url && {
        url,
        title: link?.title ?? null,
        description: link?.description ?? null,
        imageUrl: link?.defaultImage ?? null,
      },
  },
  Mutation: {
    updatePost: async (
      _root: unknown,
      {
        input: {
          id,
          expectedVersion,
          post: { text },
        },
      }: any,
      { workspace }: Context,
    ) => {
      const [row] = await run<object>(
        UPDATE_SQL,
        updateValues(workspace, VIEWER, { id, text, expectedVersion }),
      );
      return row
        ? { post: { id, text, ...row }, userErrors: [] }
        : { post: null, userErrors: [{ code: 'CONFLICT' }] };
    },
    createPosts: async (
      _root: unknown,
      {
        input: {
          targets,
          post: { text },
        },
      }: any,
      { workspace }: Context,
    ) => ({
      posts: await run(CREATE_SQL, createValues(workspace, VIEWER, { text, targets })),
      userErrors: [],
    }),
    deletePosts: async (_root: unknown, { input: { ids } }: any, { workspace }: Context) => {
      const deleted = new Set(
        (await run<{ id: string }>(DELETE_SQL, [ids, workspace, VIEWER])).map(({ id }) => id),
      );
      return { deletedIds: ids.filter((id: string) => deleted.has(id)), userErrors: [] };
    },
  },
};

type Queries = readonly { readonly obj: PostRow }[];
const grouped = <Row extends { post: number }>(queries: Queries, rows: readonly Row[]): Row[][] => {
  const byPost = new Map<number, Row[]>(queries.map(({ obj }) => [obj.number, []]));
  for (const row of rows) byPost.get(row.post)!.push(row);
  return queries.map(({ obj }) => byPost.get(obj.number)!);
};
const byId = async (text: string, ids: readonly (string | null)[]): Promise<unknown[]> => {
  const rows = new Map(
    (await run<{ id: string }>(text, [[...new Set(ids.filter((id) => id !== null))]])).map(
      (row) => [row.id, row],
    ),
  );
  return ids.map((id) => (id === null ? null : rows.get(id)));
};
const numbers = (queries: Queries): number[] => queries.map(({ obj }) => obj.number);

/**
 * A loader without the per-request cache of Mercurius, which serializes each row to JSON for its
 * key. Its documentation recommends this.
 */
const uncached = (loader: (queries: Queries) => Promise<unknown[]>) => ({
  loader,
  opts: { cache: false },
});

const loaders = {
  Post: {
    account: uncached((queries) =>
      byId(
        'SELECT id, name, type, picture FROM account WHERE id = ANY($1::text[])',
        queries.map(({ obj }) => obj.accountId),
      ),
    ),
    user: uncached((queries) =>
      byId(
        'SELECT id, name, picture FROM app_user WHERE id = ANY($1::text[])',
        queries.map(({ obj }) => obj.creatorId),
      ),
    ),
    labels: uncached(async (queries) =>
      grouped(
        queries,
        await run<{ post: number }>(
          'SELECT pl.post_id::int AS post, l.id, l.name, l.color FROM post_label pl JOIN label l ON l.id = pl.label_id WHERE pl.post_id = ANY($1::bigint[]) ORDER BY l.name',
          [numbers(queries)],
        ),
      ),
    ),
    media: uncached(async (queries) =>
      grouped(
        queries,
        await run<{ post: number }>(
          'SELECT pm.post_id::int AS post, m.id, m.type, m.url, pm.alt_text AS "altText" FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = ANY($1::bigint[]) ORDER BY pm.position',
          [numbers(queries)],
        ),
      ),
    ),
  },
} as unknown as MercuriusLoaders;

const app = fastify();
await app.register(mercurius, {
  schema: SDL,
  resolvers,
  loaders,
  jit: 1,
  context: (request) => ({ workspace: workspaceOf(request.headers) }),
});
await app.listen({ port: PORT, host: HOST });
