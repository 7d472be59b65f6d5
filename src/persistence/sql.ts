import { createHash } from 'node:crypto';
import type pg from 'pg';
import { GatewayError, MAY_BE_SAVED } from '../domain/errors.js';

/**
 * Runs a prepared statement and returns its rows: `read`, `scan` or `change` of a database, or a
 * transaction.
 * @throws GatewayError UNAVAILABLE if the database is unavailable or too slow
 */
export type Sql = <Row = unknown>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Whether a table exists; a database may not be migrated yet. */
export async function hasTable(sql: Sql, name: string): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "exists"', [
    name,
  ]);
  return row!.exists;
}

/**
 * A statement with the values of its placeholders. `isSlow`: it may take milliseconds, so no other
 * statement may be pipelined behind it.
 */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly isSlow?: boolean;
}

/** Collects the parameters of a statement while its text is built. */
export class Parameters {
  readonly values: unknown[];

  /** `first`: the values of placeholders that the text already has. */
  constructor(...first: readonly unknown[]) {
    this.values = [...first];
  }

  /**
   * Adds a value and returns its placeholder. `type` is required where PostgreSQL cannot infer it.
   */
  add(value: unknown, type?: string): string {
    this.values.push(value);
    return `$${this.values.length}${type ? `::${type}` : ''}`;
  }
}

// bounds memory: each prepared statement uses some on every connection, and clients choose the
// selected fields
const MAX_STATEMENT_NAMES = 500;

/**
 * Assigns names to statements, under which they are prepared. A name is a hash of the text, so that
 * it means the same statement in every process: a connection pooler may pass sessions on. Returns
 * undefined once the limit is reached; such statements are not prepared.
 */
export function createStatementNames(prefix: string): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const assigned = names.get(text);
    if (assigned !== undefined || names.size >= MAX_STATEMENT_NAMES) return assigned;
    const name = `${prefix}_${createHash('sha256').update(text).digest('base64url')}`;
    names.set(text, name);
    return name;
  };
}
const statementName = createStatementNames('posts');

/** A connection, or several: a pool, pipelined connections. */
export interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Runs prepared statements on connections. */
export const sqlOn =
  (connections: Queryable): Sql =>
  async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const name = statementName(text);
    try {
      const { rows } = await connections.query({
        text,
        values: values as unknown[],
        ...(name ? { name } : {}),
      });
      return rows as Row[];
    } catch (error) {
      throw toUnavailableError(error);
    }
  };

/** Runs statements one after another: on one connection, they are sent together. */
export async function runEach(sql: Sql, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, values }) => sql(text, values)));
}

/** What else can be unavailable than the database itself, by code: the disk of the server, or descriptors of this process. */
const UNAVAILABLE_RESOURCES: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'The disk of the database is full. Retry later.'],
  [/^E[MN]FILE$/, 'The gateway has too many open files and connections. Retry later.'],
];

/**
 * Codes of an unavailable database: SQLSTATE classes and codes, Node's codes of a lost connection,
 * and Prisma's.
 */
const UNAVAILABLE_CODE =
  /^(08|28|3D|53|57|58)|^(25006|55P03|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|EMFILE|ENETUNREACH|ENFILE|ENOSPC|EPIPE|ENOTFOUND|ETIMEDOUT|P1001|P1002|P1008|P1017|P2024)$/;
const CONNECTION_LOST =
  /Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed)|the database system is|is not currently accepting connections/i;

/** Codes of a connection that was lost, or closed by an operator, while a statement ran on it. */
const LOST_CODE = /^(08|57P01$|57P02$|ECONNRESET$|EHOSTUNREACH$|ENETUNREACH$|EPIPE$|ETIMEDOUT$)/;

const unavailable = (message: string, cause: unknown): GatewayError =>
  Object.assign(new GatewayError('UNAVAILABLE', message), { cause });

/**
 * Converts errors of an unavailable database to UNAVAILABLE (503); returns any other error
 * unchanged.
 */
export function toUnavailableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = sqlState(error);
  if (!UNAVAILABLE_CODE.test(code) && !CONNECTION_LOST.test(error.message)) return error;
  const [, message] = UNAVAILABLE_RESOURCES.find(([codes]) => codes.test(code)) ?? [];
  return unavailable(message ?? 'The database is unavailable or busy. Retry later.', error);
}

/** Like `toUnavailableError`, for a statement that commits: it may have been executed. */
export function toCommitError(error: unknown): unknown {
  const cause = error instanceof GatewayError ? error.cause : error;
  const isLost =
    cause instanceof Error &&
    (LOST_CODE.test(sqlState(cause)) || cause.message.startsWith('Connection terminated'));
  return isLost
    ? unavailable(`The database did not confirm the change; ${MAY_BE_SAVED}`, cause)
    : toUnavailableError(error);
}

interface ErrorWithCode {
  readonly code?: unknown;
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } };
  };
}

/** The code of PostgreSQL or Node, including where Prisma wraps it. */
function sqlState({ code, meta }: Error & ErrorWithCode): string {
  return meta?.driverAdapterError?.cause?.originalCode ?? (typeof code === 'string' ? code : '');
}
