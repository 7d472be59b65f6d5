import { ALWAYS_READ_FIELDS } from '../../domain/posts/post-query.js';
import {
  DECLINED_STATES,
  STATE_FILTERS,
  STORED_STATES,
  storedStateNumbers,
} from '../../domain/posts/states.js';
import type { Post } from '../../domain/posts/post.js';
import {
  AWAITS_MEDIA,
  IS_LOCKED,
  IS_PUBLISHING_PAUSED,
  IS_QUEUE_PAUSED,
  LACKS_MEDIA,
} from '../publishing/due-conditions.js';
import { POST_COLUMNS, type ColumnField, type PostColumn } from '../post-columns.js';

/**
 * How a property of a post is read: an SQL expression over `p` (post), or over `b` (post_body),
 * which is then joined. Related records (`relation`) are read separately by the IDs in the row
 * (readPostRows), with the version that the row contains.
 */
interface SelectExpression {
  readonly sql: string;
  readonly from?: 'body' | 'relation';
}

const jsonObject = (pairs: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(pairs)
    .map(([key, sql]) => `'${key}', ${sql}`)
    .join(', ')})`;

/**
 * An attachment as a row of a subquery, whose column names become the keys. Aggregating sorted rows
 * takes less time in PostgreSQL than objects with `ORDER BY`: it looks up no types of keys and sorts
 * nothing, since the primary key has the order.
 */
const ATTACHMENT = Object.entries({
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
})
  .map(([key, sql]) => `${sql} AS "${key}"`)
  .join(', ');
const ANALYTICS = jsonObject({
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
  pollVotes: 's.poll_votes',
  updatedAt: 's.updated_at',
});

/** SQL of the properties of a post that are in other tables. */
const RELATED_EXPRESSIONS: Readonly<Record<Exclude<keyof Post, ColumnField>, SelectExpression>> = {
  // filled in by creatorId; the column reserves the property
  user: { sql: 'NULL', from: 'relation' },
  account: { sql: 'NULL', from: 'relation' }, // filled in by accountId
  labels: {
    sql: '(SELECT array_agg(pl.label_id) FROM post_label pl WHERE pl.post_id = p.id)',
    from: 'relation',
  },
  media: {
    sql: `(SELECT json_agg(attachment) FROM (SELECT ${ATTACHMENT} FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = p.id ORDER BY pm.position) attachment)`,
  },
  analytics: { sql: `(SELECT ${ANALYTICS} FROM post_analytics s WHERE s.post_id = p.id)` },
  networkSync: {
    sql: `(SELECT ${jsonObject({ status: 's.status', jobId: 's.job_id', liveText: "s.live->>'text'", error: 's.error', attemptedAt: 's.attempted_at' })} FROM post_sync s WHERE s.post_id = p.id)`,
  },
  publicationRecord: {
    sql: `(SELECT ${jsonObject({
      attempts: 'u.attempts',
      result: 'u.result',
      error: 'u.error',
      publishedAt: 'u.published_at',
      openAttempt:
        "(SELECT CASE WHEN t.is_processing THEN 'processing' ELSE 'open' END FROM publication_attempt t WHERE t.post_id = p.id AND t.finished_at IS NULL)",
    })} FROM publication u WHERE u.post_id = p.id)`,
  },
  publicationHold: {
    sql: `CASE WHEN p.stored_state IN (${storedStateNumbers(STATE_FILTERS.published.storedStates).join(', ')}) THEN NULL
      WHEN ${LACKS_MEDIA} THEN 'media_failed' WHEN ${AWAITS_MEDIA} THEN 'media_waiting' WHEN ${IS_LOCKED} THEN 'workspace_locked'
      WHEN ${IS_QUEUE_PAUSED} THEN 'queue_paused' WHEN ${IS_PUBLISHING_PAUSED} THEN 'publishing_paused' END`,
  },
  review: {
    sql: `(SELECT ${jsonObject({ by: 'u.name', at: 'r.at', note: 'r.note' })} FROM revision r LEFT JOIN app_user u ON u.id = r.user_id
      WHERE r.post_id = p.id AND p.stored_state IN (${storedStateNumbers(DECLINED_STATES).join(', ')}) AND r.type = 'post.declined' ORDER BY r.version DESC LIMIT 1)`,
  },
  // Only series have occurrences: no other post needs the subquery. It uses neither EXISTS nor a
  // condition on queued_at: the planner would read all queued posts for it, with their index or
  // without one.
  hasQueuedChild: {
    sql: `(p.stored_state = ${STORED_STATES.recurring.number} AND COALESCE((SELECT bool_or(c.queued_at IS NOT NULL) FROM post c WHERE c.parent_id = p.id AND c.deleted_at IS NULL), false))`,
  },
};

const columnExpression = ({ table, column, type }: PostColumn): SelectExpression => {
  if (table === 'post_body') return { sql: `b.${column}`, from: 'body' };
  return { sql: type === 'bigint' ? `p.${column}::float8` : `p.${column}` };
};

/** SQL of every property of a post; a statement contains those that were selected. */
const SELECT_EXPRESSIONS = {
  ...Object.fromEntries(POST_COLUMNS.map((column) => [column.field, columnExpression(column)])),
  ...RELATED_EXPRESSIONS,
} as Readonly<Record<keyof Post, SelectExpression>>;

/** Every property of a post. */
export const ALL_FIELDS: ReadonlySet<keyof Post> = new Set(
  Object.keys(SELECT_EXPRESSIONS) as (keyof Post)[],
);

/** Joins besides `post`; each adds at most one row per post. */
const JOINS = {
  body: { join: 'LEFT JOIN post_body b ON b.post_id = p.id', columns: [] },
  relation: {
    join: 'LEFT JOIN workspace w ON w.id = p.workspace_id',
    // A subquery instead of a join: a table of one row is never analyzed, and the planner would
    // assume 1,770 rows.
    columns: [
      'w.related_version::text || (SELECT e.version::text FROM user_version e) AS "relatedVersion"',
    ],
  },
} as const satisfies Record<
  NonNullable<SelectExpression['from']>,
  { readonly join: string; readonly columns: readonly string[] }
>;

/** The select list of a statement, and the joins to `p` that it requires. */
interface SelectList {
  readonly columns: string;
  readonly join: string;
}

/** Cached by the set, which a compiled operation passes each time, and by the sort date. */
const selectLists = new WeakMap<ReadonlySet<keyof Post>, Map<keyof Post | null, SelectList>>();

/** The select list for these properties, ALWAYS_READ_FIELDS and the date that a list is sorted by. */
export function toSelectList(
  fields: ReadonlySet<keyof Post>,
  sortDate: keyof Post | null = null,
): SelectList {
  const known = selectLists.get(fields)?.get(sortDate);
  if (known) return known;
  const selectList = buildSelectList(fields, sortDate);
  const bySortDate = selectLists.get(fields) ?? new Map<keyof Post | null, SelectList>();
  selectLists.set(fields, bySortDate.set(sortDate, selectList));
  return selectList;
}

function buildSelectList(fields: ReadonlySet<keyof Post>, sortDate: keyof Post | null): SelectList {
  const selected = (Object.keys(SELECT_EXPRESSIONS) as (keyof Post)[]).filter(
    (field) =>
      fields.has(field) ||
      field === sortDate ||
      (ALWAYS_READ_FIELDS as readonly string[]).includes(field),
  );
  const joins = [...new Set(selected.flatMap((field) => SELECT_EXPRESSIONS[field].from ?? []))].map(
    (from) => JOINS[from],
  );
  const columns = [
    ...selected.map((field) => `${SELECT_EXPRESSIONS[field].sql} AS "${field}"`),
    ...joins.flatMap(({ columns: joinColumns }) => joinColumns),
  ];
  return { columns: columns.join(', '), join: joins.map(({ join }) => join).join(' ') };
}
