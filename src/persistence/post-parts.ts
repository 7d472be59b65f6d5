import { NARROW_FIELDS } from '../domain/post-query.js';
import type { Post } from '../domain/post.js';

/** How a property of a post is read: an expression over `p` (post), or over `b` (post_body), which is then joined. */
interface Part { readonly sql: string; readonly from?: 'body' }

const object = (pairs: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(pairs).map(([key, sql]) => `'${key}', ${sql}`).join(', ')})`;

const body = (column: string): Part => ({ sql: `b.${column}`, from: 'body' });

const ATTACHMENT = object({
  id: 'm.id', type: 'm.type', url: 'm.url', altText: 'pm.alt_text', title: 'pm.title', defaultThumbnail: 'pm.default_thumbnail',
  thumbnails: 'pm.thumbnails', userTags: 'pm.user_tags', collaboratorTags: 'pm.collaborator_tags', productTags: 'pm.product_tags',
});
const ANALYTICS = object({
  reach: 's.reach', engagement: 's.engagement', engagementRate: 's.engagement_rate', likes: 's.likes', comments: 's.comments',
  shares: 's.shares', saves: 's.saves', videoViews: 's.video_views', linkClicks: 's.link_clicks', postClicks: 's.post_clicks',
  clickThroughRate: 's.click_through_rate', reachRate: 's.reach_rate', updatedAt: 's.updated_at',
});

/** Every property of a post and the SQL that reads it: a list's statement is put together from the parts that were selected. */
const PARTS: Readonly<Record<keyof Post, Part>> = {
  id: { sql: 'p.doc_id' },
  databaseId: { sql: 'p.id::int' },
  workspaceId: { sql: 'p.workspace_id' },
  version: { sql: 'p.version' },
  cell: { sql: 'p.cell' },
  type: { sql: 'p.type' },
  network: { sql: 'p.network' },
  accountId: { sql: 'p.account_id' },
  creatorId: { sql: 'p.creator_id' },
  scheduledAt: { sql: 'p.scheduled_at' },
  createdAt: { sql: 'p.created_at' },
  updatedAt: { sql: 'p.updated_at' },
  postLink: { sql: 'p.post_link' },
  remoteId: { sql: 'p.remote_id' },
  auto: { sql: 'p.auto' },
  queuedAt: { sql: 'p.queued_at' },
  parentId: { sql: 'p.parent_id::int' },
  origin: { sql: 'p.origin' },
  hasMedia: { sql: 'p.has_media' },
  reminder: { sql: 'p.reminder' },
  text: body('text'),
  title: body('title'),
  excerpt: body('excerpt'),
  question: body('question'),
  duration: body('duration'),
  url: body('url'),
  featuredMedia: body('featured_media'),
  link: body('link'),
  details: body('details'),
  recycling: body('recycling'),
  recurring: body('recurring'),
  content: body('content'),
  location: body('location'),
  options: body('options'),
  tags: body('tags'),
  categories: body('categories'),
  sublinks: body('sublinks'),
  ownFields: body('own_fields'),
  user: { sql: `(SELECT ${object({ id: 'u.id', name: 'u.name', picture: 'u.picture' })} FROM app_user u WHERE u.id = p.creator_id)` },
  account: {
    sql: `(SELECT ${object({ id: 'a.id', type: 'a.type', name: 'a.name', picture: 'a.picture', network: 'a.network', socialId: 'a.social_id', needsReauth: 'a.needs_reauth', sandbox: 'a.sandbox' })} FROM account a WHERE a.id = p.account_id)`,
  },
  labels: { sql: `(SELECT json_agg(${object({ id: 'l.id', name: 'l.name', color: 'l.color' })}) FROM post_label pl JOIN label l ON l.id = pl.label_id WHERE pl.post_id = p.id)` },
  media: { sql: `(SELECT json_agg(${ATTACHMENT} ORDER BY pm.position) FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = p.id)` },
  analytics: { sql: `(SELECT ${ANALYTICS} FROM post_analytics s WHERE s.post_id = p.id)` },
  networkSync: {
    sql: `(SELECT ${object({ status: 's.status', jobId: 's.job_id', liveText: "s.live->>'text'", error: 's.error', attemptedAt: 's.attempted_at' })} FROM post_sync s WHERE s.post_id = p.id)`,
  },
  hasQueuedChild: { sql: 'EXISTS (SELECT 1 FROM post c WHERE c.parent_id = p.id AND c.queued_at IS NOT NULL AND c.deleted_at IS NULL)' },
};

export const ALL_FIELDS: ReadonlySet<keyof Post> = new Set(Object.keys(PARTS) as (keyof Post)[]);

/** The select list for a set of properties, and whether the wide table is needed for it. */
export function selectParts(fields: ReadonlySet<keyof Post>): { columns: string; join: string } {
  const wanted = (Object.keys(PARTS) as (keyof Post)[]).filter((field) => fields.has(field) || (NARROW_FIELDS as readonly string[]).includes(field));
  const columns = wanted.map((field) => `${PARTS[field].sql} AS "${field}"`).join(', ');
  const join = wanted.some((field) => PARTS[field].from === 'body') ? 'LEFT JOIN post_body b ON b.post_id = p.id' : '';
  return { columns, join };
}
