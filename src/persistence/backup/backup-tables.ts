import pg from 'pg';
import type { BackupTable } from './backup-format.js';

type Sql = Pick<pg.ClientBase, 'query'>;
type TableShape = Omit<BackupTable, 'rows'>;

/**
 * Tables that backups do not contain: migrations fill the first, triggers fill those of counts, and
 * each database has its own identity and home.
 */
const EXCLUDED_TABLES = [
  '_prisma_migrations',
  'post_count',
  'post_count_detail',
  'post_count_change',
  'database_identity',
  'database_home',
];
/**
 * Columns that backups do not contain: numbers of transactions mean nothing in another database.
 * Restored events get that of the restoring transaction, and keep the order of their sequence.
 * Restored webhooks have no position: they begin with the events after the restore, and their
 * pending messages are not sent.
 */
const EXCLUDED_COLUMNS = [
  'event.transaction_id',
  'webhook.read_database',
  'webhook.read_transaction',
  'webhook.read_sequence',
];
/**
 * Tables in which the migrations insert a row. All other tables of an unused database are empty.
 */
export const INITIALLY_FILLED_TABLES: readonly string[] = ['user_version'];

const quoteTexts = (texts: readonly string[]): string =>
  texts.map((text) => pg.escapeLiteral(text)).join(', ');

/** The tables with their stored (not generated) columns; partitions are parts of their tables. */
const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN (${quoteTexts(EXCLUDED_TABLES)}) AND c.relname || '.' || a.attname NOT IN (${quoteTexts(EXCLUDED_COLUMNS)}) GROUP BY 1 ORDER BY 1`;
/** Foreign keys between tables. */
const REFERENCES = `SELECT DISTINCT f.relname AS "from", t.relname AS "to" FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
  WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND f.relnamespace = current_schema()::regnamespace`;
// Without that of a table that backups do not contain: restoring would reuse its numbers.
const SEQUENCES =
  "SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema() AND sequencename <> 'post_count_change_id_seq' ORDER BY 1";

/** A name as a quoted SQL identifier. */
export const quoteName = (name: string): string => pg.escapeIdentifier(name);
/** Names as a comma-separated list of quoted SQL identifiers. */
export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/**
 * All tables, each after those that it references. Rows of one table may reference each other: they
 * are restored in one statement.
 */
export async function readTables(sql: Sql): Promise<TableShape[]> {
  const { rows: tables } = await sql.query<TableShape>(TABLES);
  const { rows: references } = await sql.query<{ from: string; to: string }>(REFERENCES);
  const ordered = new Set<TableShape>();
  const add = (table: TableShape): void => {
    if (ordered.has(table)) return;
    for (const { to } of references.filter(({ from }) => from === table.name))
      tables.filter(({ name }) => name === to).forEach(add);
    ordered.add(table);
  };
  tables.forEach(add);
  return [...ordered];
}

/** All sequences with their last value; null if a sequence was never used. */
export async function readSequences(sql: Sql): Promise<{ name: string; last: string | null }[]> {
  return (await sql.query<{ name: string; last: string | null }>(SEQUENCES)).rows;
}

/** Number of rows of a table. */
export async function countRows(sql: Sql, table: string): Promise<number> {
  return Number(
    (await sql.query<{ count: string }>(`SELECT count(*) AS count FROM ${quoteName(table)}`))
      .rows[0]!.count,
  );
}
