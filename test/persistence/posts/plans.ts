import pg from 'pg';
import type { Statement } from '../../fixtures/statements.js';

/** A node of an executed plan. `rows`: rows returned and rows filtered out, over all loops. */
export interface PlanNode {
  readonly type: string;
  readonly relation: string | null;
  readonly index: string | null;
  readonly rows: number;
}

/** Counts of rows that a node read and did not return. */
const REMOVED_ROWS = [
  'Rows Removed by Filter',
  'Rows Removed by Index Recheck',
  'Rows Removed by Join Filter',
] as const;

interface Explained extends Partial<Record<(typeof REMOVED_ROWS)[number], number>> {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Explained[];
}

const toText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
const element = (value: unknown): string =>
  value === null ? 'NULL' : `"${toText(value).replace(/["\\]/g, '\\$&')}"`;
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  return pg.escapeLiteral(
    Array.isArray(value) ? `{${value.map(element).join(',')}}` : toText(value),
  );
};

const nodesOf = (plan: Explained): PlanNode[] => [
  {
    type: plan['Node Type'],
    relation: plan['Relation Name'] ?? null,
    index: plan['Index Name'] ?? null,
    rows:
      REMOVED_ROWS.reduce((rows, kind) => rows + (plan[kind] ?? 0), plan['Actual Rows']) *
      plan['Actual Loops'],
  },
  ...(plan.Plans ?? []).flatMap(nodesOf),
];

/** Executes a statement with its generic plan, and rolls it back. */
export async function planOf(pool: pg.Pool, { text, values }: Statement): Promise<PlanNode[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`PREPARE planned AS ${text}`);
    const call =
      values.length > 0 ? `EXECUTE planned(${values.map(literal).join(', ')})` : 'EXECUTE planned';
    const {
      rows: [row],
    } = await client.query<{ 'QUERY PLAN': { Plan: Explained }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${call}`,
    );
    return nodesOf(row!['QUERY PLAN'][0]!.Plan);
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE planned').catch(() => undefined); // PREPARE may have failed
    client.release();
  }
}
