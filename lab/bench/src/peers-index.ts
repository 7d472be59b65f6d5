import type pg from 'pg';
import type { Server } from './servers.js';

/**
 * The product reads a list without private drafts of other users in two index scans. An ORM sends
 * one condition, for which the product has no index: such servers get one while they are measured,
 * so that it does not affect the others.
 */
export async function setPeersIndex(pool: pg.Pool, { needsIndex }: Server): Promise<void> {
  if (!needsIndex) return void (await pool.query('DROP INDEX IF EXISTS bench_peers_idx'));
  await pool.query(
    'CREATE INDEX IF NOT EXISTS bench_peers_idx ON post (workspace_id, sort_at DESC, id DESC) INCLUDE (stored_state, creator_id) WHERE deleted_at IS NULL',
  );
  await pool.query('ANALYZE post');
}
