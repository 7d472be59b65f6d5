import type { IncomingHttpHeaders } from 'node:http';
import pg from 'pg';

/** Where a peer listens and what its database is: the same for all of them. */
export const PORT = Number(process.env.PORT);
export const HOST = '127.0.0.1';
export const DATABASE_URL = process.env.DATABASE_URL ?? '';
/** Connections at most: the product's own default. */
export const POOL_SIZE = 10;
/** Who asks. Peers have no gate: nothing is looked up for it. */
export const VIEWER = process.env.VIEWER ?? '';

export const createPool = (): pg.Pool =>
  new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE });

/** Runs a prepared statement: its name is its own text's place in the program. */
export const createRun = (pool: pg.Pool) => {
  const names = new Map<string, string>();
  return async <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const name = names.get(text) ?? `peer_${names.size}`;
    names.set(text, name);
    return (await pool.query({ name, text, values: values as unknown[] })).rows as Row[];
  };
};

/** The workspace that a request is about. */
export const workspaceOf = (headers: IncomingHttpHeaders): string =>
  String(headers['service-workspace-id']);

/** A statement's name for Prisma, which prepares only what has one. */
export const createStatementNames = (): ((query: { sql: string }) => string) => {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const name = names.get(sql) ?? `prisma_${names.size}`;
    names.set(sql, name);
    return name;
  };
};
