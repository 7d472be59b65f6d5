import type pg from 'pg';
import type { PurgeStore } from '../../services/jobs/purge.js';
import { run } from '../sql.js';

const REMOVE = {
  // A record may be claimed anew while it is looked for.
  idempotencyRecords:
    'WITH gone AS (DELETE FROM idempotency WHERE ctid = ANY(ARRAY(SELECT ctid FROM idempotency WHERE claimed_at < $1 ORDER BY claimed_at LIMIT $2)) AND claimed_at < $1 RETURNING 1)',
  deletedPosts:
    'WITH gone AS (DELETE FROM post WHERE id = ANY(ARRAY(SELECT id FROM post WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2)) RETURNING workspace_id, import_key), ' +
    'kept AS (INSERT INTO removed_import (workspace_id, import_key) SELECT workspace_id, import_key FROM gone WHERE import_key IS NOT NULL ON CONFLICT DO NOTHING)',
  endedJobs:
    "WITH gone AS (DELETE FROM job WHERE id = ANY(ARRAY(SELECT id FROM job WHERE finished_at < $1 ORDER BY finished_at LIMIT $2)) AND status <> 'working' RETURNING 1)",
} as const satisfies Record<keyof PurgeStore, string>;

export function createPurgeStore(pool: pg.Pool): PurgeStore {
  const removing =
    (what: keyof PurgeStore) =>
    async (before: Date, most: number): Promise<number> => {
      const [row] = await run<{ count: number }>(
        pool,
        `${REMOVE[what]} SELECT count(*)::int AS count FROM gone`,
        [before, most],
      );
      return row!.count;
    };
  return {
    idempotencyRecords: removing('idempotencyRecords'),
    deletedPosts: removing('deletedPosts'),
    endedJobs: removing('endedJobs'),
  };
}
