import type { ReadOnlyReason } from '../services/diagnostics/diagnostic-facts.js';
import type { Sql } from './sql.js';

const STATE = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Why the database accepts no changes; null if it accepts them. */
export async function readOnlyReason(sql: Sql): Promise<ReadOnlyReason | null> {
  const [row] = await sql<{ isStandby: boolean; isReadOnly: boolean }>(STATE);
  const { isStandby, isReadOnly } = row!;
  if (isStandby) return 'standby';
  return isReadOnly ? 'setting' : null;
}

const MESSAGES: Readonly<Record<ReadOnlyReason, string>> = {
  standby:
    'The database server is a standby, which accepts no changes: set DATABASE_URL to the primary server, or wait until this one is promoted',
  setting:
    'The database accepts no changes, because default_transaction_read_only is on: set DATABASE_URL to a database that does, or turn the setting off',
};

/** @throws Error of one line if the database accepts no changes */
export async function assertWritable(sql: Sql): Promise<void> {
  const reason = await readOnlyReason(sql);
  if (reason) throw new Error(MESSAGES[reason]);
}
