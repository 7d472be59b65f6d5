import type { RetentionKey } from '../../domain/jobs/retention.js';
import type { Database } from '../database.js';

/**
 * Each function deletes at most `max` records that expired before a time, oldest first, and returns
 * how many.
 */
export type PurgeStore = Readonly<
  Record<RetentionKey, (before: Date, max: number) => Promise<number>>
>;

/** No post uses the media item `m`, not even a deleted one, which can be restored. */
const IS_UNUSED =
  'NOT EXISTS (SELECT FROM post_media pm WHERE pm.media_id = m.id) AND ' +
  "NOT EXISTS (SELECT FROM post_body b WHERE b.featured_media->>'id' = m.id)";

const DELETE_EXPIRED = {
  // Checks the age again: a record may be taken over by a new request during the search.
  idempotencyRecords:
    'WITH deleted AS (DELETE FROM idempotency WHERE ctid = ANY(ARRAY(SELECT ctid FROM idempotency WHERE started_at < $1 ORDER BY started_at LIMIT $2)) AND started_at < $1 RETURNING 1)',
  deletedPosts:
    'WITH deleted AS (DELETE FROM post WHERE id = ANY(ARRAY(SELECT id FROM post WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2)) RETURNING id, parent_id, occurrence_date, workspace_id, import_key), ' +
    'exceptions AS (INSERT INTO series_exception (series_id, date) SELECT s.id, d.occurrence_date FROM deleted d JOIN post s ON s.id = d.parent_id ' +
    'WHERE d.occurrence_date > $1 AND NOT EXISTS (SELECT FROM deleted other WHERE other.id = s.id) ON CONFLICT DO NOTHING), ' +
    'stored_keys AS (INSERT INTO removed_import (workspace_id, import_key) SELECT workspace_id, import_key FROM deleted WHERE import_key IS NOT NULL ON CONFLICT DO NOTHING)',
  finishedJobs:
    "WITH deleted AS (DELETE FROM job WHERE id = ANY(ARRAY(SELECT id FROM job WHERE finished_at < $1 ORDER BY finished_at LIMIT $2)) AND status <> 'working' RETURNING 1)",
  unusedMedia:
    'WITH deleted AS (DELETE FROM media WHERE id = ANY(ARRAY(SELECT m.id FROM media m JOIN media_file f ON f.media_id = m.id ' +
    `WHERE NOT m.in_library AND m.created_at < $1 AND ${IS_UNUSED} ORDER BY m.created_at LIMIT $2)) RETURNING 1)`,
  expiredUploads:
    "WITH deleted AS (DELETE FROM media WHERE id = ANY(ARRAY(SELECT m.id FROM media_file f JOIN media m ON m.id = f.media_id WHERE f.status = 'waiting' " +
    `AND f.upload_expires_at < $1 AND ${IS_UNUSED} ORDER BY f.upload_expires_at LIMIT $2)) RETURNING 1)`,
  webhookDeliveries:
    "WITH deleted AS (DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(SELECT id FROM webhook_delivery WHERE created_at < $1 AND status <> 'pending' ORDER BY created_at LIMIT $2)) RETURNING 1)",
  analyticsReadings:
    'WITH deleted AS (DELETE FROM post_analytics_reading WHERE (post_id, read_at) IN (SELECT post_id, read_at FROM post_analytics_reading WHERE read_at < $1 ORDER BY read_at LIMIT $2) RETURNING 1)',
} as const satisfies Record<keyof PurgeStore, string>;

/** Deletes expired records in PostgreSQL. SQL: at most some rows in a statement, found in an index. */
export function createPurgeStore(database: Database): PurgeStore {
  const deleteExpired =
    (kind: keyof PurgeStore) =>
    async (before: Date, max: number): Promise<number> => {
      const [row] = await database.change<{ count: number }>(
        `${DELETE_EXPIRED[kind]} SELECT count(*)::int AS count FROM deleted`,
        [before, max],
      );
      return row!.count;
    };
  return {
    idempotencyRecords: deleteExpired('idempotencyRecords'),
    deletedPosts: deleteExpired('deletedPosts'),
    finishedJobs: deleteExpired('finishedJobs'),
    webhookDeliveries: deleteExpired('webhookDeliveries'),
    analyticsReadings: deleteExpired('analyticsReadings'),
    unusedMedia: deleteExpired('unusedMedia'),
    expiredUploads: deleteExpired('expiredUploads'),
  };
}
