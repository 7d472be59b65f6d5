import { fastify } from 'fastify';
import { createPool, createRun, HOST, PORT, VIEWER, workspaceOf } from './environment.js';
import { listSql } from './list-sql.js';
import { SHOWN } from './states.js';

/**
 * List and detail of v1 on Fastify: a response schema for its compiled serializer, and one prepared
 * statement each.
 */
const run = createRun(createPool());
const PER_PAGE = 10;

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const named = {
  type: 'object',
  properties: { id: text, name: text, picture: textOrNull },
} as const;
const SUMMARY = {
  id: text,
  text,
  state: text,
  type: text,
  account_id: textOrNull,
  user: named,
  scheduled_at: textOrNull,
  post_link: textOrNull,
} as const;
const LIST = {
  type: 'object',
  properties: {
    posts: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...SUMMARY,
          url: textOrNull,
          has_media: { type: 'boolean' },
          network: textOrNull,
        },
      },
    },
    total: { type: 'integer' },
    page: { type: 'integer' },
    per_page: { type: 'integer' },
    total_pages: { type: 'integer' },
  },
} as const;
const object = (properties: object) => ({ type: ['object', 'null'], properties, nullable: true });
const DETAIL = {
  type: 'object',
  properties: {
    ...SUMMARY,
    account: object({ id: text, type: text, name: text, picture: textOrNull }),
    created_at: text,
    updated_at: text,
    auto: { type: 'boolean' },
    media: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: text, type: text, url: text, alt_text: textOrNull },
      },
    },
    link: object({ url: text, title: textOrNull, description: textOrNull, image_url: textOrNull }),
    labels: {
      type: 'array',
      items: { type: 'object', properties: { id: text, name: text, color: text } },
    },
    recycling: { type: 'null' },
    recurring: { type: 'null' },
  },
} as const;

const SUMMARY_COLUMNS = `p.doc_id AS id, b.text, p.stored_state, p.type, p.account_id, p.scheduled_at, p.post_link, u.id AS user_id, u.name AS user_name, u.picture AS user_picture`;
const DETAIL_SQL = `SELECT ${SUMMARY_COLUMNS}, p.created_at, p.updated_at, p.auto, b.url, b.link,
    (SELECT json_build_object('id', a.id, 'type', a.type, 'name', a.name, 'picture', a.picture) FROM account a WHERE a.id = p.account_id) AS account,
    COALESCE((SELECT json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) ORDER BY l.name) FROM post_label pl JOIN label l ON l.id = pl.label_id WHERE pl.post_id = p.id), '[]') AS labels,
    COALESCE((SELECT json_agg(json_build_object('id', m.id, 'type', m.type, 'url', m.url, 'alt_text', pm.alt_text) ORDER BY pm.position) FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = p.id), '[]') AS media
  FROM post p JOIN post_body b ON b.post_id = p.id JOIN app_user u ON u.id = p.creator_id
 WHERE p.doc_id = $1 AND p.workspace_id = $2 AND p.deleted_at IS NULL AND (p.stored_state NOT IN (24, 25) OR p.creator_id = $3)`;

interface SummaryRow {
  stored_state: number;
  scheduled_at: Date | null;
  user_id: string;
  user_name: string;
  user_picture: string | null;
}
interface ListRow extends SummaryRow {
  total: number;
  id: string | null;
  type: string;
  url: string | null;
}
interface DetailRow extends SummaryRow {
  created_at: Date;
  updated_at: Date;
  url: string | null;
  link: Record<string, string> | null;
}

const timestamp = (date: Date | null): string | null =>
  date && `${date.toISOString().slice(0, 19)}+00:00`;
const summary = <Row extends SummaryRow>({ user_id, user_name, user_picture, ...row }: Row) => ({
  ...row,
  state: SHOWN[row.stored_state],
  scheduled_at: timestamp(row.scheduled_at),
  user: { id: user_id, name: user_name, picture: user_picture },
});

const app = fastify();

app.get<{ Querystring: { page?: string } }>(
  '/v1/posts',
  { schema: { response: { 200: LIST } } },
  async (request) => {
    const page = Number(request.query.page ?? 0);
    const { window, count, values } = listSql(
      { workspace: workspaceOf(request.headers), viewer: VIEWER },
      {},
      { limit: PER_PAGE, offset: page * PER_PAGE },
    );
    const rows = await run<ListRow>(
      `SELECT totals.total, ${SUMMARY_COLUMNS}, b.url, p.has_media, p.network FROM (SELECT (${count()})::int AS total) totals LEFT JOIN (${window()}) page ON true
       LEFT JOIN post p ON p.id = page.id LEFT JOIN post_body b ON b.post_id = p.id LEFT JOIN app_user u ON u.id = p.creator_id ORDER BY page.sort_at DESC, page.id DESC`,
      values,
    );
    const total = rows[0]!.total;
    const posts = rows
      .filter((row) => row.id !== null)
      .map((row) => ({ ...summary(row), url: row.type === 'link' ? row.url : null }));
    return { posts, total, page, per_page: PER_PAGE, total_pages: Math.ceil(total / PER_PAGE) };
  },
);

app.get<{ Params: { id: string } }>(
  '/v1/posts/:id',
  { schema: { response: { 200: DETAIL } } },
  async (request, reply) => {
    const [row] = await run<DetailRow>(DETAIL_SQL, [
      request.params.id,
      workspaceOf(request.headers),
      VIEWER,
    ]);
    if (!row) return reply.code(422).send();
    const { url, link } = row;
    return {
      ...summary(row),
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
      recycling: null,
      recurring: null,
      link: url && {
        url,
        title: link?.title ?? null,
        description: link?.description ?? null,
        image_url: link?.defaultImage ?? null,
      },
    };
  },
);

await app.listen({ port: PORT, host: HOST });
