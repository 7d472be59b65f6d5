import type pg from 'pg';

/** Bytes of a table with its TOAST table, and of its indexes. Partitions count for their table. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** Rows and bytes that one of the things measured adds to a table. */
export type TableGrowth = TableSize;

const SIZES = `
SELECT COALESCE(parent.relname, c.relname)::text AS table, sum(pg_table_size(c.oid))::float8 AS "tableBytes", sum(pg_indexes_size(c.oid))::float8 AS "indexBytes"
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
 WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace GROUP BY 1 ORDER BY 1`;

/** Reads rows and sizes of all tables. */
export async function readTableSizes(pool: pg.Pool): Promise<TableSize[]> {
  const { rows } = await pool.query<Omit<TableSize, 'rows'>>(SIZES);
  return Promise.all(
    rows.map(async (size) => {
      const counted = await pool.query<{ rows: number }>(
        `SELECT count(*)::float8 AS rows FROM "${size.table}"`,
      );
      return { ...size, rows: counted.rows[0]!.rows };
    }),
  );
}

/** What each of `count` things added, for the tables that grew. The sandbox's own tables are left out. */
export function growthOf(
  before: readonly TableSize[],
  after: readonly TableSize[],
  count: number,
): TableGrowth[] {
  const sizesBefore = new Map(before.map((size) => [size.table, size]));
  return after
    .filter(({ table }) => !table.startsWith('sandbox_') && !table.startsWith('bench_'))
    .map(({ table, rows, tableBytes, indexBytes }) => {
      const previous = sizesBefore.get(table);
      return {
        table,
        rows: (rows - (previous?.rows ?? 0)) / count,
        tableBytes: Math.max(0, (tableBytes - (previous?.tableBytes ?? 0)) / count),
        indexBytes: Math.max(0, (indexBytes - (previous?.indexBytes ?? 0)) / count),
      };
    })
    .filter(({ rows }) => rows > 0);
}

/** The write-ahead log: bytes, and the images of whole pages among them. */
export interface Wal {
  readonly bytes: number;
  readonly pages: number;
}

/** Idle backends report their statistics after a second. */
export const STATISTICS_MS = 1_500;

/** Reads the write-ahead log so far, with the page images that backends have reported. */
export async function readWal(pool: pg.Pool): Promise<Wal> {
  const { rows } = await pool.query<Wal>(
    "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes, wal_fpi::float8 AS pages FROM pg_stat_wal",
  );
  return rows[0]!;
}

/** The write-ahead log of each of `count` things. */
export const walOf = (before: Wal, after: Wal, count: number): Wal => ({
  bytes: (after.bytes - before.bytes) / count,
  pages: (after.pages - before.pages) / count,
});
