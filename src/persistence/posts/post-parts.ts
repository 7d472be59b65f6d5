import { NARROW_FIELDS } from '../../domain/posts/post-query.js';
import type { Post } from '../../domain/posts/post.js';

/**
 * How a property of a post is read: an expression over `p` (post), or over `b` (post_body), which is then joined. One that
 * is a record of its own is read by the post's ids of it (readPostRows), in the epoch that comes with them.
 */
interface Part {
  readonly sql: string;
  readonly from?: 'body' | 'references';
}

const object = (pairs: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(pairs)
    .map(([key, sql]) => `'${key}', ${sql}`)
    .join(', ')})`;

const body = (column: string): Part => ({ sql: `b.${column}`, from: 'body' });

const ATTACHMENT = object({
  id: 'm.id',
  type: 'm.type',
  url: 'm.url',
  altText: 'pm.alt_text',
  title: 'pm.title',
  defaultThumbnail: 'pm.default_thumbnail',
  thumbnails: 'pm.thumbnails',
  userTags: 'pm.user_tags',
  collaboratorTags: 'pm.collaborator_tags',
  productTags: 'pm.product_tags',
});
const ANALYTICS = object({
  reach: 's.reach',
  engagement: 's.engagement',
  engagementRate: 's.engagement_rate',
  likes: 's.likes',
  comments: 's.comments',
  shares: 's.shares',
  saves: 's.saves',
  videoViews: 's.video_views',
  linkClicks: 's.link_clicks',
  postClicks: 's.post_clicks',
  clickThroughRate: 's.click_through_rate',
  reachRate: 's.reach_rate',
  updatedAt: 's.updated_at',
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
  user: { sql: 'NULL', from: 'references' }, // by creatorId: the column keeps the place for it
  account: { sql: 'NULL', from: 'references' }, // by accountId
  labels: {
    sql: '(SELECT array_agg(pl.label_id) FROM post_label pl WHERE pl.post_id = p.id)',
    from: 'references',
  },
  media: {
    sql: `(SELECT json_agg(${ATTACHMENT} ORDER BY pm.position) FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = p.id)`,
  },
  analytics: { sql: `(SELECT ${ANALYTICS} FROM post_analytics s WHERE s.post_id = p.id)` },
  networkSync: {
    sql: `(SELECT ${object({ status: 's.status', jobId: 's.job_id', liveText: "s.live->>'text'", error: 's.error', attemptedAt: 's.attempted_at' })} FROM post_sync s WHERE s.post_id = p.id)`,
  },
  // Not EXISTS: where the planner expects many posts, it would read all queued ones for it, by no index.
  hasQueuedChild: {
    sql: 'COALESCE((SELECT true FROM post c WHERE c.parent_id = p.id AND c.queued_at IS NOT NULL AND c.deleted_at IS NULL LIMIT 1), false)',
  },
};

export const ALL_FIELDS: ReadonlySet<keyof Post> = new Set(Object.keys(PARTS) as (keyof Post)[]);

/** What the parts come from beside `post`; each adds at most one row to a post's. */
const SOURCES = {
  body: { join: 'LEFT JOIN post_body b ON b.post_id = p.id', columns: [] },
  references: {
    join: 'LEFT JOIN workspace w ON w.id = p.workspace_id',
    // A subselect, not a join: nothing ever counts a table of one row, and the planner takes it for 1,770.
    columns: [
      'w.reference_epoch::text || (SELECT e.epoch::text FROM user_epoch e) AS "referenceEpoch"',
    ],
  },
} as const satisfies Record<
  NonNullable<Part['from']>,
  { readonly join: string; readonly columns: readonly string[] }
>;

/** What a statement needs for a set of properties: its select list, and what has to be joined to `p`. */
interface SelectedParts {
  readonly columns: string;
  readonly join: string;
}

/** A plan asks with the same set each time. */
const known = new WeakMap<ReadonlySet<keyof Post>, SelectedParts>();

export function selectParts(fields: ReadonlySet<keyof Post>): SelectedParts {
  const parts = known.get(fields) ?? partsOf(fields);
  known.set(fields, parts);
  return parts;
}

function partsOf(fields: ReadonlySet<keyof Post>): SelectedParts {
  const wanted = (Object.keys(PARTS) as (keyof Post)[]).filter(
    (field) => fields.has(field) || (NARROW_FIELDS as readonly string[]).includes(field),
  );
  const sources = [...new Set(wanted.flatMap((field) => PARTS[field].from ?? []))].map(
    (from) => SOURCES[from],
  );
  const columns = [
    ...wanted.map((field) => `${PARTS[field].sql} AS "${field}"`),
    ...sources.flatMap((source) => source.columns),
  ];
  return { columns: columns.join(', '), join: sources.map(({ join }) => join).join(' ') };
}
