import type pg from 'pg';
import { GatewayError } from '../domain/errors.js';

/** Anything that runs SQL: the pool, or one connection inside a transaction. */
export interface SqlRunner {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Whether a table is there: a database may not be migrated yet. */
export async function hasTable(sql: SqlRunner, name: string): Promise<boolean> {
  const { rows } = await sql.query({
    text: 'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
    values: [name],
  });
  return (rows[0] as { isThere: boolean }).isThere;
}

/** A statement with the values of its placeholders. `isLong`: it may take milliseconds, so nobody is to wait behind it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly isLong?: boolean;
}

/** Collects the parameters of a statement as it is written. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and gives its placeholder; `type` is needed where PostgreSQL cannot infer it. */
  add(value: unknown, type?: string): string {
    this.values.push(value);
    return `$${this.values.length}${type ? `::${type}` : ''}`;
  }
}

const MOST_NAMES = 500; // each prepared statement costs memory on every connection, and callers choose what they select

/** Gives statements the names they are prepared by, as many as there is room for: none is undefined, and not prepared. */
export function createStatementNames(prefix: string): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_NAMES) return known;
    const name = `${prefix}_${names.size}`;
    names.set(text, name);
    return name;
  };
}
const nameOf = createStatementNames('posts');

/**
 * Runs a prepared statement.
 * @throws GatewayError UNAVAILABLE where the database is away or too slow
 */
export async function run<Row>(
  sql: SqlRunner,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const name = nameOf(text);
  try {
    const { rows } = await sql.query({
      text,
      values: values as unknown[],
      ...(name ? { name } : {}),
    });
    return rows as Row[];
  } catch (error) {
    throw asOutage(error);
  }
}

/** SQLSTATE classes and codes that mean the database cannot do it now, or does not let us in; Node's codes for a lost connection beside them. */
const OUTAGE =
  /^(08|28|3D|53|57|58)|^(25006|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|P1001|P1002|P1008|P1017|P2024)$/;
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|the database system is|is not currently accepting connections/i;

/** An outage as the answer 503; anything else as it is. */
export function asOutage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOutage = OUTAGE.test(sqlState(error)) || LOST.test(error.message);
  return isOutage
    ? Object.assign(new GatewayError('UNAVAILABLE', 'The database is away or busy. Retry later.'), {
        cause: error,
      })
    : error;
}

interface WithCode {
  readonly code?: unknown;
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } };
  };
}

/** The code that PostgreSQL or Node gave, also where Prisma has put its own before it. */
function sqlState({ code, meta }: Error & WithCode): string {
  return meta?.driverAdapterError?.cause?.originalCode ?? (typeof code === 'string' ? code : '');
}

/** One transaction on one connection; a throw rolls it back. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (sql: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asOutage(error);
  });
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw asOutage(error);
  } finally {
    client.release(broken);
  }
}
