import { createServer, type IncomingMessage } from 'node:http';
import { createPool, createRun, HOST, PORT, VIEWER, workspaceOf } from './environment.js';
import { readBody } from './read-body.js';
import { listSql, type ListArguments } from './list-sql.js';
import { STATES } from './states.js';
import { CREATE_SQL, createValues, DELETE_SQL, UPDATE_SQL, updateValues } from './write-sql.js';

/**
 * The floor: node:http and one hand-written statement per operation, whose JSON is built in
 * PostgreSQL. It parses no GraphQL: it identifies the documents by their operation names, and
 * validates nothing.
 */
const pool = createPool();
const run = createRun(pool);
const sharedState = `('{${Array.from({ length: 51 }, (_, storedState) => STATES[storedState] ?? '')
  .map((state) => `"${state}"`)
  .join(',')}}'::text[])[p.stored_state + 1]`;

const LISTED = `'id', p.doc_id, 'text', b.text, 'state', ${sharedState}, 'type', upper(p.type::text), 'network', upper(p.network::text),
  'scheduledAt', p.scheduled_at, 'createdAt', p.created_at, 'hasMedia', p.has_media,
  'account', (SELECT json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'picture', a.picture) FROM account a WHERE a.id = p.account_id),
  'user', (SELECT json_build_object('id', u.id, 'name', u.name, 'picture', u.picture) FROM app_user u WHERE u.id = p.creator_id),
  'labels', COALESCE((SELECT json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) ORDER BY l.name) FROM post_label pl JOIN label l ON l.id = pl.label_id WHERE pl.post_id = p.id), '[]'),
  'media', COALESCE((SELECT json_agg(json_build_object('id', m.id, 'type', m.type, 'url', m.url, 'altText', pm.alt_text) ORDER BY pm.position) FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = p.id), '[]')`;

const FIRST = 25;

function listStatement(
  workspace: string,
  args: ListArguments,
  withTotal: boolean,
): { text: string; values: unknown[] } {
  const { prelude, window, count, values } = listSql({ workspace, viewer: VIEWER }, args, {
    limit: FIRST + 1,
  });
  const total = withTotal ? `'totalCount', ${count()},` : '';
  const cursor = `translate(encode(convert_to(json_build_array(p.scheduled_at, p.id)::text, 'utf8'), 'base64'), E'+/=\\n', '-_')`;
  const text = `${prelude}SELECT json_build_object('data', json_build_object('posts', json_build_object(${total}
      'pageInfo', json_build_object('hasNextPage', count(*) > ${FIRST}, 'endCursor', max(cursor) FILTER (WHERE row_no = ${FIRST})),
      'nodes', COALESCE(json_agg(node ORDER BY row_no) FILTER (WHERE row_no <= ${FIRST}), '[]'))))::text AS body
    FROM (SELECT row_number() OVER (ORDER BY page.sort_at DESC, page.id DESC) AS row_no, json_build_object(${LISTED}) AS node, ${cursor} AS cursor
            FROM (${window()}) page JOIN post p ON p.id = page.id JOIN post_body b ON b.post_id = p.id) page_posts`;
  return { text, values };
}

const DETAIL = `SELECT json_build_object('data', json_build_object('post', json_build_object(${LISTED},
    'version', p.version, 'title', b.title, 'updatedAt', p.updated_at, 'postLink', p.post_link, 'auto', p.auto, 'tags', b.tags,
    'link', CASE WHEN b.url IS NOT NULL THEN json_build_object('url', b.url, 'title', b.link->'title', 'description', b.link->'description', 'imageUrl', b.link->'defaultImage') END)))::text AS body
  FROM post p JOIN post_body b ON b.post_id = p.id WHERE p.doc_id = $1 AND p.workspace_id = $2 AND p.deleted_at IS NULL AND (p.stored_state NOT IN (24, 25) OR p.creator_id = $3)`;

interface GraphqlBody {
  readonly operationName: string;
  readonly variables: Record<string, never>;
}
type Handler = (workspace: string, variables: Record<string, any>) => Promise<string>;

const listHandler =
  (withTotal: boolean): Handler =>
  async (workspace, { filter, after }) => {
    const { text, values } = listStatement(workspace, { ...filter, after }, withTotal);
    return (await run<{ body: string }>(text, values))[0]!.body;
  };

const HANDLERS: Readonly<Record<string, Handler>> = {
  Posts: listHandler(true),
  PostsUncounted: listHandler(false),
  Post: async (workspace, { id }) =>
    (await run<{ body: string }>(DETAIL, [id, workspace, VIEWER]))[0]!.body,
  Typename: () => Promise.resolve('{"data":{"__typename":"Query"}}'),
  Update: async (
    workspace,
    {
      input: {
        id,
        expectedVersion,
        post: { text },
      },
    },
  ) => {
    const [row] = await run<{ version: number; updatedAt: Date }>(
      UPDATE_SQL,
      updateValues(workspace, VIEWER, { id, text, expectedVersion }),
    );
    const updatePost = row
      ? { post: { id, ...row, text }, userErrors: [] }
      : { post: null, userErrors: [{ code: 'CONFLICT' }] };
    return JSON.stringify({ data: { updatePost } });
  },
  Create: async (
    workspace,
    {
      input: {
        targets,
        post: { text },
      },
    },
  ) => {
    const posts = await run(CREATE_SQL, createValues(workspace, VIEWER, { text, targets }));
    return JSON.stringify({ data: { createPosts: { posts, userErrors: [] } } });
  },
  Delete: async (workspace, { input: { ids } }) => {
    const deleted = new Set(
      (await run<{ id: string }>(DELETE_SQL, [ids, workspace, VIEWER])).map(({ id }) => id),
    );
    return JSON.stringify({
      data: {
        deletePosts: { deletedIds: ids.filter((id: string) => deleted.has(id)), userErrors: [] },
      },
    });
  },
};

async function handle(request: IncomingMessage): Promise<string> {
  const { operationName, variables } = JSON.parse(await readBody(request)) as GraphqlBody;
  return HANDLERS[operationName]!(workspaceOf(request.headers), variables);
}

createServer((request, response) => {
  handle(request).then(
    (body) =>
      response
        .writeHead(200, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
        })
        .end(body),
    (error: Error) =>
      response
        .writeHead(500, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ errors: [{ message: error.message }] })),
  );
}).listen(PORT, HOST);
