import type pg from 'pg';
import type { Server } from './servers.js';

/**
 * The product reads a workspace's list without others' private drafts as two walks, each with its index. What an ORM asks
 * in one condition no index of the product serves: those servers get one, for as long as they are measured, so that it
 * neither costs nor helps the others.
 */
export async function setPeersIndex(pool: pg.Pool, { wantsIndex }: Server): Promise<void> {
  if (!wantsIndex) return void (await pool.query('DROP INDEX IF EXISTS bench_peers_idx'));
  await pool.query(
    'CREATE INDEX IF NOT EXISTS bench_peers_idx ON post (workspace_id, sort_at DESC, id DESC) INCLUDE (cell, creator_id) WHERE deleted_at IS NULL',
  );
  await pool.query('ANALYZE post');
}
