import type pg from 'pg';

/** How the tables of posts are stored: as they are, or with the workspace in every key. */
export interface Layout {
  readonly name: string;
  readonly schema: string;
  /** Whether all keys begin with the workspace. */
  readonly isKeyed: boolean;
  /** Number of hash partitions; null for ordinary tables. */
  readonly partitions: number | null;
}

const keyed = (partitions: number | null): Layout => ({
  name: partitions === null ? 'workspace in every key' : `${partitions} hash partitions`,
  schema: partitions === null ? 'keyed' : `hash_${partitions}`,
  isKeyed: true,
  partitions,
});

/** The layouts that are compared. The first is that of the service. */
export const LAYOUTS: readonly Layout[] = [
  { name: 'as it is', schema: 'public', isKeyed: false, partitions: null },
  keyed(null),
  keyed(8),
  keyed(32),
  keyed(128),
];

/** The tables that the measured statements use, with their keys below the workspace. */
const TABLES: Readonly<Record<string, string>> = {
  post: 'id',
  post_body: 'post_id',
  post_search: 'post_id',
  post_label: 'label_id, post_id',
  revision: 'post_id, version',
  event: 'transaction_id, sequence, at',
};

const COLUMNS = `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;
const INDEXES =
  'SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = $1::regclass AND NOT indisprimary';

/** The indexes of search tokens: changes that wait in their lists would be paid by later ones. */
const GIN_INDEXES =
  "SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'gin' AND c.relkind = 'i' AND c.relnamespace = $1::regnamespace";

/** The index of a table of the service, for the table of a layout, with the workspace first. */
const keyedIndex = (definition: string, table: string): string =>
  definition
    .replace(/INDEX \S+ ON (?:ONLY )?\S+/, `INDEX ON ${table}`)
    .replace(/USING btree \((?!workspace_id)/, 'USING btree (workspace_id, ');

async function createTable(pool: pg.Pool, layout: Layout, table: string): Promise<void> {
  const name = `${layout.schema}.${table}`;
  const hasWorkspace = table === 'post' || table === 'event';
  const column = hasWorkspace ? '' : ', workspace_id text NOT NULL';
  const partitioned = layout.partitions === null ? '' : 'PARTITION BY HASH (workspace_id)';
  await pool.query(
    `CREATE TABLE ${name} (LIKE public.${table} INCLUDING DEFAULTS INCLUDING GENERATED${column}) ${partitioned}`,
  );
  for (let part = 0; part < (layout.partitions ?? 0); part += 1)
    await pool.query(
      `CREATE TABLE ${name}_${part} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${layout.partitions}, REMAINDER ${part})`,
    );
  await pool.query(`ALTER TABLE ${name} ADD PRIMARY KEY (workspace_id, ${TABLES[table]})`);
  const { rows } = await pool.query<{ definition: string }>(INDEXES, [`public.${table}`]);
  for (const { definition } of rows) await pool.query(keyedIndex(definition, name));
  const columns = (await pool.query<{ columns: string }>(COLUMNS, [`public.${table}`])).rows[0]!
    .columns;
  await pool.query(
    hasWorkspace
      ? `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM public.${table}`
      : `INSERT INTO ${name} (${columns}, workspace_id) SELECT c.*, p.workspace_id FROM (SELECT ${columns} FROM public.${table}) c JOIN public.post p ON p.id = c.post_id`,
  );
}

/** Creates the tables of a layout in its schema, with the posts of the service's own tables. */
export async function createLayout(pool: pg.Pool, layout: Layout): Promise<void> {
  if (layout.isKeyed) {
    await pool.query(`CREATE SCHEMA ${layout.schema}`);
    for (const table of Object.keys(TABLES)) await createTable(pool, layout, table);
    const { schema } = layout;
    await pool.query(
      `ALTER TABLE ${schema}.revision ADD FOREIGN KEY (workspace_id, post_id) REFERENCES ${schema}.post (workspace_id, id), ADD FOREIGN KEY (user_id) REFERENCES public.app_user (id)`,
    );
    await pool.query(
      `CREATE TRIGGER post_count_updated AFTER UPDATE ON ${schema}.post REFERENCING OLD TABLE AS old_posts NEW TABLE AS new_posts FOR EACH STATEMENT EXECUTE FUNCTION public.count_posts()`,
    );
  }
  for (const { name } of (await pool.query<{ name: string }>(GIN_INDEXES, [layout.schema])).rows) {
    await pool.query(`ALTER INDEX ${name} SET (fastupdate = off)`);
    await pool.query(`SELECT gin_clean_pending_list('${name}'::regclass)`);
  }
  for (const table of Object.keys(TABLES))
    await pool.query(`VACUUM ANALYZE ${layout.schema}.${table}`);
}

/** The measured statements. Each names the workspace for every table if the layout has it there. */
export function statementsOf({ schema, isKeyed }: Layout) {
  const of = (alias: string): string => (isKeyed ? `${alias}.workspace_id = $1 AND ` : '');
  const [column, value] = isKeyed ? ['workspace_id, ', '$1, '] : ['', ''];
  const details = `LEFT JOIN ${schema}.post_body b ON ${of('b')}b.post_id = p.id`;
  const labels = `(SELECT array_agg(l.label_id) FROM ${schema}.post_label l WHERE ${of('l')}l.post_id = p.id) AS labels`;
  const fields = `p.id, p.doc_id, p.type, p.version, p.scheduled_at, p.account_id, b.text, b.link, ${labels}`;
  return {
    list: `SELECT ${fields} FROM (
        SELECT id, key FROM (SELECT p.id, p.sort_at AS key FROM ${schema}.post p WHERE p.workspace_id = $1 AND p.stored_state = 1 AND p.deleted_at IS NULL ORDER BY p.sort_at DESC, p.id DESC LIMIT 128) first LIMIT 25
      ) page LEFT JOIN ${schema}.post p ON ${of('p')}p.id = page.id ${details} ORDER BY page.key DESC, page.id DESC`,
    detail: `SELECT ${fields} FROM ${schema}.post p ${details} WHERE p.workspace_id = $1 AND p.doc_id = $2 AND p.deleted_at IS NULL`,
    change: `WITH target AS (
        UPDATE ${schema}.post p SET version = version + 1, updated_at = now() WHERE ${of('p')}p.id = $2 AND p.deleted_at IS NULL RETURNING p.id, p.doc_id, p.version, p.creator_id
      ),
      history AS (INSERT INTO ${schema}.revision (${column}post_id, version, user_id, at, changes) SELECT ${value}id, version, creator_id, now(), '{"text": {"from": "before"}}' FROM target),
      body AS (UPDATE ${schema}.post_body b SET text = $3 WHERE ${of('b')}b.post_id = $2),
      search AS (UPDATE ${schema}.post_search s SET normal = $4, tokens = $5 WHERE ${of('s')}s.post_id = $2)
      INSERT INTO ${schema}.event (workspace_id, at, type, post_id, doc_id, version, api, changed) SELECT $1, now(), 'post.updated', id, doc_id, version, 'graphql', '{text}' FROM target`,
  } as const;
}
export type MeasuredStatement = keyof ReturnType<typeof statementsOf>;
