import pg from 'pg';
import type { BackupTable } from './backup-format.js';

type Sql = Pick<pg.ClientBase, 'query'>;
type TableShape = Omit<BackupTable, 'rows'>;

/** What comes by itself: Prisma's own record from the migrations, the counts from the posts. */
const NOT_OURS = ['_prisma_migrations', 'post_count'];
/** What has a row from its migration on: it does not tell that a database was used. */
export const NEVER_EMPTY: readonly string[] = ['user_epoch'];

/** The tables with the columns that are stored, not generated. */
const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT IN (${NOT_OURS.map((name) => `'${name}'`).join(', ')}) GROUP BY 1 ORDER BY 1`;
/** Which table refers to which other one. */
const REFERENCES = `SELECT DISTINCT f.relname AS "from", t.relname AS "to" FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
  WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND f.relnamespace = current_schema()::regnamespace`;
const SEQUENCES =
  'SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1';

export const quoted = (name: string): string => pg.escapeIdentifier(name);
export const listOf = (names: readonly string[]): string => names.map(quoted).join(', ');

/** All tables, each after those it refers to: rows of a table that are put back at once may refer to one another. */
export async function readTables(sql: Sql): Promise<TableShape[]> {
  const { rows: tables } = await sql.query<TableShape>(TABLES);
  const { rows: references } = await sql.query<{ from: string; to: string }>(REFERENCES);
  const ordered = new Set<TableShape>();
  const place = (table: TableShape): void => {
    if (ordered.has(table)) return;
    for (const { to } of references.filter(({ from }) => from === table.name))
      tables.filter(({ name }) => name === to).forEach(place);
    ordered.add(table);
  };
  tables.forEach(place);
  return [...ordered];
}

export async function readSequences(sql: Sql): Promise<{ name: string; last: string | null }[]> {
  return (await sql.query<{ name: string; last: string | null }>(SEQUENCES)).rows;
}

export async function countRows(sql: Sql, table: string): Promise<number> {
  return Number(
    (await sql.query<{ count: string }>(`SELECT count(*) AS count FROM ${quoted(table)}`)).rows[0]!
      .count,
  );
}
