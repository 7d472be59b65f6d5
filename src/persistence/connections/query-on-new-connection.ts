import { Connection, type ConnectionOptions } from './connection.js';
import { KEEP_ALIVE } from './session.js';

/** Longer than a connection to a healthy database and a short statement take. */
const TIMEOUT_MS = 2_000;

/**
 * Runs a statement on a new connection, which leads to the server that the address leads to now, or
 * to the one of several that accepts changes now. Undefined if the statement fails or is not
 * answered within 2 s.
 */
export async function askOnce<Row>(
  options: ConnectionOptions,
  text: string,
  values: readonly unknown[],
): Promise<Row[] | undefined> {
  options.servers?.forget();
  const connection = new Connection({ ...options, ...KEEP_ALIVE, pipeline: false });
  connection.on('error', () => undefined); // the statement reports it
  const timer = setTimeout(() => connection.abandon(), TIMEOUT_MS);
  try {
    await connection.connect();
    const { rows } = await connection.query(text, values as unknown[]);
    return rows as Row[];
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    void connection.end().catch(() => undefined);
  }
}
