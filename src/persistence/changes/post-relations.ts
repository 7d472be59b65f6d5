import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { NetworkSync, Post } from '../../domain/posts/post.js';
import { run, type SqlRunner } from '../sql.js';

/** Replaces the labels of a post. */
export async function writeLabels(sql: SqlRunner, post: Post): Promise<void> {
  await run(
    sql,
    'WITH deleted AS (DELETE FROM post_label WHERE post_id = $1::bigint AND label_id <> ALL($2::text[])) ' +
      'INSERT INTO post_label (post_id, label_id) SELECT $1::bigint, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [post.databaseId, post.labels.map((label) => label.id)],
  );
}

/** Replaces the attachments of a post, in order. */
export async function writeMedia(sql: SqlRunner, post: Post): Promise<void> {
  const rows = post.media.map((attachment, position) => ({
    position,
    media_id: attachment.id,
    title: attachment.title,
    alt_text: attachment.altText,
    default_thumbnail: attachment.defaultThumbnail,
    thumbnails: attachment.thumbnails,
    user_tags: attachment.userTags,
    collaborator_tags: attachment.collaboratorTags,
    product_tags: attachment.productTags,
  }));
  await run(sql, 'DELETE FROM post_media WHERE post_id = $1', [post.databaseId]);
  await run(
    sql,
    'INSERT INTO post_media (post_id, position, media_id, title, alt_text, default_thumbnail, thumbnails, user_tags, collaborator_tags, product_tags) ' +
      'SELECT $1::bigint, r.* FROM jsonb_to_recordset($2::jsonb) AS r(position smallint, media_id text, title text, alt_text text, ' +
      'default_thumbnail text, thumbnails jsonb, user_tags jsonb, collaborator_tags jsonb, product_tags jsonb)',
    [post.databaseId, JSON.stringify(rows)],
  );
}

/**
 * Writes the status of the post's last network update (D22). `live` is stored with the first change
 * only: afterwards it is updated from the responses of the network.
 */
export async function writeSync(
  sql: SqlRunner,
  postId: number,
  { sync, live }: { sync: NetworkSync; live: LiveFields },
): Promise<void> {
  await run(
    sql,
    'INSERT INTO post_sync (post_id, status, job_id, live, error, attempted_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (post_id) DO UPDATE ' +
      'SET status = excluded.status, job_id = excluded.job_id, error = excluded.error, attempted_at = excluded.attempted_at',
    [postId, sync.status, sync.jobId, JSON.stringify(live), sync.error, sync.attemptedAt],
  );
}
