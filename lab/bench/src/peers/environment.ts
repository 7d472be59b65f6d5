import type { IncomingHttpHeaders } from 'node:http';
import pg from 'pg';

/** Address and database of a peer. */
export const PORT = Number(process.env.PORT);
export const HOST = '127.0.0.1';
export const DATABASE_URL = process.env.DATABASE_URL ?? '';
/** Maximum number of connections: the default of the product. */
export const POOL_SIZE = 10;
/** The user of all requests. Peers have no authentication and look nothing up for it. */
export const VIEWER = process.env.VIEWER ?? '';

export const createPool = (): pg.Pool =>
  new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE });

/** Runs a statement as a prepared one; each text gets a name. */
export const createRun = (pool: pg.Pool) => {
  const names = new Map<string, string>();
  return async <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const name = names.get(text) ?? `peer_${names.size}`;
    names.set(text, name);
    return (await pool.query({ name, text, values: values as unknown[] })).rows as Row[];
  };
};

/** The workspace of a request. */
export const workspaceOf = (headers: IncomingHttpHeaders): string =>
  String(headers['service-workspace-id']);

/** Names of statements for Prisma, which prepares only named ones. */
export const createStatementNames = (): ((query: { sql: string }) => string) => {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const name = names.get(sql) ?? `prisma_${names.size}`;
    names.set(sql, name);
    return name;
  };
};
