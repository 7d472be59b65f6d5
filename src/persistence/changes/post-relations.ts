import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { NetworkSync, Post, PostAnalytics } from '../../domain/posts/post.js';
import { runEach, type Sql, type Statement } from '../sql.js';

/** Replaces the labels of a post. */
export async function writeLabels(sql: Sql, post: Post): Promise<void> {
  await sql(
    'WITH deleted AS (DELETE FROM post_label WHERE post_id = $1::bigint AND label_id <> ALL($2::text[])) ' +
      'INSERT INTO post_label (post_id, label_id) SELECT $1::bigint, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [post.databaseId, post.labels.map((label) => label.id)],
  );
}

const INSERT_MEDIA =
  'INSERT INTO post_media (post_id, position, media_id, title, alt_text, default_thumbnail, thumbnails, user_tags, collaborator_tags, product_tags) ' +
  'SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(post_id bigint, position smallint, media_id text, title text, alt_text text, ' +
  'default_thumbnail text, thumbnails jsonb, user_tags jsonb, collaborator_tags jsonb, product_tags jsonb)';

/** Adds the attachments of posts that have none, in order; no statement if there are none. */
export function insertMedia(posts: readonly Post[]): Statement[] {
  const rows = posts.flatMap(({ databaseId, media }) =>
    media.map((attachment, position) => ({
      post_id: databaseId,
      position,
      media_id: attachment.id,
      title: attachment.title,
      alt_text: attachment.altText,
      default_thumbnail: attachment.defaultThumbnail,
      thumbnails: attachment.thumbnails,
      user_tags: attachment.userTags,
      collaborator_tags: attachment.collaboratorTags,
      product_tags: attachment.productTags,
    })),
  );
  return rows.length === 0 ? [] : [{ text: INSERT_MEDIA, values: [JSON.stringify(rows)] }];
}

/** Replaces the attachments of a post, in order. */
export async function writeMedia(sql: Sql, post: Post): Promise<void> {
  await sql('DELETE FROM post_media WHERE post_id = $1', [post.databaseId]);
  await runEach(sql, insertMedia([post]));
}

/** Adds the analytics of an imported post. */
export const insertAnalytics = (postId: number, analytics: PostAnalytics): Statement => ({
  text:
    'INSERT INTO post_analytics (post_id, reach, engagement, engagement_rate, likes, comments, shares, saves, video_views, link_clicks, post_clicks, click_through_rate, reach_rate, poll_votes, updated_at) ' +
    'VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)',
  values: [
    postId,
    analytics.reach,
    analytics.engagement,
    analytics.engagementRate,
    analytics.likes,
    analytics.comments,
    analytics.shares,
    analytics.saves,
    analytics.videoViews,
    analytics.linkClicks,
    analytics.postClicks,
    analytics.clickThroughRate,
    analytics.reachRate,
    analytics.pollVotes,
    analytics.updatedAt,
  ],
});

/**
 * Writes the status of the post's last network update (D22). `live` is stored with the first change
 * only: afterwards it is updated from the responses of the network.
 */
export const writeSync = (
  postId: number,
  { sync, live }: { sync: NetworkSync; live: LiveFields },
): Statement => ({
  text:
    'INSERT INTO post_sync (post_id, status, job_id, live, error, attempted_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (post_id) DO UPDATE ' +
    'SET status = excluded.status, job_id = excluded.job_id, error = excluded.error, attempted_at = excluded.attempted_at',
  values: [postId, sync.status, sync.jobId, JSON.stringify(live), sync.error, sync.attemptedAt],
});
