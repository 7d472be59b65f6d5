import type pg from 'pg';
import { growthOf, readTableSizes, type TableGrowth } from './storage.js';

const WORKSPACES = 5_000;
/** Records of a measured workspace. */
const MEMBERS = 3;
const ACCOUNTS = 5;
const LABELS = 10;

const each = (count: number): string => `generate_series(1, ${count}) AS k`;

/** A workspace with its owner, whose key and plan are its own, and the other records it has. */
const STATEMENTS = [
  `INSERT INTO app_user (id, name, email) SELECT 'usr_Scaling' || lpad(w::text, 9, '0'), 'Member ' || w, 'scaling' || w || '@bench.example' FROM generate_series(1, ${WORKSPACES}) w`,
  `INSERT INTO api_key (id, user_id, name, hash, prefix, scopes) SELECT 'key_Scaling' || lpad(w::text, 9, '0'), 'usr_Scaling' || lpad(w::text, 9, '0'), 'key', sha256(w::text::bytea), 'pg_key', '{posts}' FROM generate_series(1, ${WORKSPACES}) w`,
  `INSERT INTO workspace (id, name, time_zone) SELECT 'wks_Scaling' || lpad(w::text, 9, '0'), 'Workspace ' || w, 'Europe/Berlin' FROM generate_series(1, ${WORKSPACES}) w`,
  `INSERT INTO membership (workspace_id, user_id, role) SELECT 'wks_Scaling' || lpad(w::text, 9, '0'), 'usr_Scaling' || lpad((1 + (w + k * 37) % ${WORKSPACES})::text, 9, '0'), (CASE k WHEN 1 THEN 'owner' ELSE 'editor' END)::role FROM generate_series(1, ${WORKSPACES}) w, ${each(MEMBERS)}`,
  `INSERT INTO account (id, workspace_id, network, type, name, social_id, picture) SELECT 'acc_Scaling' || lpad((w * 10 + k)::text, 9, '0'), 'wks_Scaling' || lpad(w::text, 9, '0'), 'mastodon', 'profile', 'Account ' || k, 's' || w || '_' || k, 'https://bench.example/' || w || '/' || k || '.png' FROM generate_series(1, ${WORKSPACES}) w, ${each(ACCOUNTS)}`,
  `INSERT INTO label (id, workspace_id, name, name_key) SELECT 'lbl_Scaling' || lpad((w * 100 + k)::text, 9, '0'), 'wks_Scaling' || lpad(w::text, 9, '0'), 'Label ' || k, 'label ' || k FROM generate_series(1, ${WORKSPACES}) w, ${each(LABELS)}`,
];

/**
 * Measures the rows and bytes of a workspace with a few members, accounts and labels. The numbers in
 * the IDs begin with 1.
 */
export async function measureWorkspaces(pool: pg.Pool): Promise<TableGrowth[]> {
  const before = await readTableSizes(pool);
  for (const statement of STATEMENTS) await pool.query(statement);
  return growthOf(before, await readTableSizes(pool), WORKSPACES);
}
