import {
  PATCH_FIELDS,
  fieldOf,
  type PatchField,
  type PostFields,
} from '../../domain/posts/post-fields.js';
import { METRIC_COLUMNS } from '../numbers/metric-columns.js';
import type { PostAnalytics } from '../../domain/numbers/numbers.js';
import type { Post, NetworkSync } from '../../domain/posts/post.js';
import {
  STORED_STATES,
  DECLINED_STATES,
  storedStateNumbers,
  storedStateByNumber,
} from '../../domain/posts/states.js';
import type { Media } from '../../domain/posts/post-content.js';
import type { Reader } from '../database.js';
import { atBaseUrl, toStoredMedia } from '../../domain/media/media-file.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import type { Post as StoredPost, PostBody as StoredPostBody, Prisma } from '../prisma/client.js';
import { ALWAYS_READ_FIELDS, type PostView } from '../../domain/posts/post-query.js';
import { publicationHold } from '../publishing/due-conditions.js';
import type { PublicationRecord } from '../../domain/publishing/publication-record.js';
import { createHash } from 'node:crypto';
import {
  toSearchDocument,
  searchedTexts,
  type SearchedPost,
} from '../../domain/search/search-document.js';

/** A property of a post that is a column of `post` or `post_body`. */
export interface PostColumn {
  readonly field: keyof Post;
  readonly table: 'post' | 'post_body';
  readonly column: string;
  /** PostgreSQL type. */
  readonly type: string;
  /** The value to store. */
  readonly valueOf: (post: Post) => unknown;
}

/** What a table returns for a column of a type, apart from enums. */
interface ColumnValues {
  text: string | null;
  'text[]': string[];
  boolean: boolean;
  int: number | null;
  timestamptz: Date | null;
  jsonb: Prisma.JsonValue | null;
}
type TableOf<F extends PatchField> = PostFields[F] extends { column: null }
  ? never
  : PostFields[F] extends { table: infer Table }
    ? Table
    : 'post_body';
type FieldsIn<Table> = {
  [F in PatchField]: Table extends TableOf<F> ? F : never;
}[PatchField];
type RowWith<F extends PatchField> = {
  [K in F]: PostFields[K]['column'] extends keyof ColumnValues
    ? ColumnValues[PostFields[K]['column']]
    : unknown;
};
/**
 * The compiler rejects a field whose column prisma/schema.prisma lacks, or has with another type.
 */
type ColumnsOf<F extends PatchField, Row extends RowWith<F>> = F & keyof Row;
type PatchColumn =
  ColumnsOf<FieldsIn<'post'>, StoredPost> | ColumnsOf<FieldsIn<'post_body'>, StoredPostBody>;

/** Columns that the service sets. */
const SERVICE_COLUMNS = {
  databaseId: { type: 'bigint', column: 'id' },
  id: { type: 'char(24)', column: 'doc_id' },
  workspaceId: { type: 'text' },
  accountId: { type: 'text' },
  creatorId: { type: 'text' },
  network: { type: 'network' },
  version: { type: 'int' },
  createdAt: { type: 'timestamptz' },
  updatedAt: { type: 'timestamptz' },
  queuedAt: { type: 'timestamptz' },
  armedAt: { type: 'timestamptz' },
  retryAt: { type: 'timestamptz' },
  postLink: { type: 'text' },
  remoteId: { type: 'text' },
  groupId: { type: 'text' },
  recycledFromId: { type: 'char(24)' },
  publishedCount: { type: 'int' },
  pausedAfterApproval: { type: 'boolean' },
  auto: { type: 'boolean' },
  origin: { type: 'post_origin' },
  storedState: {
    type: 'smallint',
    valueOf: ({ storedState }) => STORED_STATES[storedState].number,
  },
  hasMedia: { type: 'boolean' },
  reminder: { type: 'boolean' },
  parentId: { type: 'bigint' },
  occurrenceDate: { type: 'timestamptz' },
  extendAt: { type: 'timestamptz' },
  occurrenceState: {
    type: 'smallint',
    valueOf: ({ occurrenceState }) => occurrenceState && STORED_STATES[occurrenceState].number,
  },
  ownFields: { type: 'text[]', table: 'post_body' },
} as const satisfies {
  readonly [F in keyof Post]?: Pick<PostColumn, 'type'> & Partial<PostColumn>;
};

/** A property that is a column; the others are in other tables. */
type ColumnField = keyof typeof SERVICE_COLUMNS | PatchColumn;

const toJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Fields whose values contain media items. */
export const MEDIA_FIELDS = ['media', 'featuredMedia'] as const satisfies readonly (keyof Post)[];

function convertMedia(field: string, value: unknown, convert: (media: Media) => Media): unknown {
  if (!value || !(MEDIA_FIELDS as readonly string[]).includes(field)) return value;
  return Array.isArray(value) ? value.map(convert) : convert(value as Media);
}

/** The value of a field as rows have it: files that the service keeps have a path. */
export const toStored = (field: string, value: unknown): unknown =>
  convertMedia(field, value, toStoredMedia);

/** A stored value of a field, with the URLs at which clients reach files now. */
export const fromStored = (
  field: string,
  value: unknown,
  { mediaBaseUrl }: Pick<Reader, 'mediaBaseUrl'>,
): unknown => convertMedia(field, value, (media) => atBaseUrl(media, mediaBaseUrl()));

/** The same for the values of several fields. */
export const allFromStored = <V extends object>(
  values: V,
  reader: Pick<Reader, 'mediaBaseUrl'>,
): V =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, fromStored(field, value, reader)]),
  ) as V;

const PATCH_COLUMNS = PATCH_FIELDS.flatMap((field): PostColumn[] => {
  const { column: type, table = 'post_body' } = fieldOf(field);
  if (type === null) return [];
  const valueOf: PostColumn['valueOf'] =
    type === 'jsonb' ? (post) => toJson(toStored(field, post[field])) : (post) => post[field];
  return [{ field, table, column: toSnakeCase(field), type, valueOf }];
});

/** All columns of posts. */
export const POST_COLUMNS: readonly PostColumn[] = [
  ...(Object.entries(SERVICE_COLUMNS) as [keyof Post, Pick<PostColumn, 'type'>][]).map(
    ([field, column]): PostColumn => ({
      field,
      table: 'post',
      column: toSnakeCase(field),
      valueOf: (post) => post[field],
      ...column,
    }),
  ),
  ...PATCH_COLUMNS,
];

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
/** The content of a file as a row of a subquery, as above. */
export const ATTACHED_FILE = `f.media_id AS "mediaId", f.content_type AS "contentType", f.bytes, CASE WHEN f.width IS NULL THEN NULL ELSE json_build_object('width', f.width, 'height', f.height) END AS size, CASE WHEN f.content_type LIKE 'video/%' THEN json_build_object('durationMs', f.duration_ms, 'videoCodec', f.video_codec, 'audioCodec', f.audio_codec, 'frameRate', f.frame_rate) END AS video`;
/** The numbers as a row of a subquery, as above. */
const ANALYTICS = [
  ...Object.entries(METRIC_COLUMNS).map(([metric, { column }]) => `s.${column} AS "${metric}"`),
  's.updated_at AS "updatedAt"',
].join(', ');

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
  analytics: {
    sql: `(SELECT row_to_json(numbers) FROM (SELECT ${ANALYTICS} FROM post_analytics s WHERE s.post_id = p.id) numbers)`,
  },
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
  publicationHold: { sql: publicationHold() },
  review: {
    sql: `(SELECT ${jsonObject({ by: 'u.name', at: 'r.at', note: 'r.note' })} FROM revision r LEFT JOIN app_user u ON u.id = r.user_id
      WHERE r.post_id = p.id AND p.stored_state IN (${storedStateNumbers(DECLINED_STATES).join(', ')}) AND r.type = 'post.declined' ORDER BY r.version DESC LIMIT 1)`,
  },
  // Most posts have no media, and every change reads all fields: they do not run the subquery.
  missingFiles: {
    sql: `(CASE WHEN p.has_media THEN (SELECT json_agg(COALESCE(m.title, m.id) ORDER BY pm.position) FROM post_media pm JOIN media_file f ON f.media_id = pm.media_id JOIN media m ON m.id = pm.media_id WHERE pm.post_id = p.id AND f.status <> 'ready') END)`,
  },
  mediaFiles: {
    sql: `(CASE WHEN p.has_media THEN (SELECT json_agg(file) FROM (SELECT ${ATTACHED_FILE} FROM post_media pm JOIN media_file f ON f.media_id = pm.media_id WHERE pm.post_id = p.id AND f.status = 'ready' ORDER BY pm.position) file) END)`,
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

/** Cached by the set, which a compiled operation passes each time, and by the sort field. */
const selectLists = new WeakMap<ReadonlySet<keyof Post>, Map<keyof Post | null, SelectList>>();

/** The select list for these properties, ALWAYS_READ_FIELDS and the property that a list is sorted by. */
export function toSelectList(
  fields: ReadonlySet<keyof Post>,
  sortField: keyof Post | null = null,
): SelectList {
  const known = selectLists.get(fields)?.get(sortField);
  if (known) return known;
  const selectList = buildSelectList(fields, sortField);
  const bySortField = selectLists.get(fields) ?? new Map<keyof Post | null, SelectList>();
  selectLists.set(fields, bySortField.set(sortField, selectList));
  return selectList;
}

function buildSelectList(
  fields: ReadonlySet<keyof Post>,
  sortField: keyof Post | null,
): SelectList {
  const selected = (Object.keys(SELECT_EXPRESSIONS) as (keyof Post)[]).filter(
    (field) =>
      fields.has(field) ||
      field === sortField ||
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

/** A row as PostgreSQL returns it: times inside JSON are strings, empty aggregates are null. */
export type PostRow = Omit<PostView, 'storedState' | 'occurrenceState'> & {
  storedState: number;
  occurrenceState?: number | null;
};

type FieldReader = (row: Record<string, unknown>) => void;
const readDate = (container: unknown, key: string): void => {
  const record = container as Record<string, unknown> | null;
  if (record && typeof record[key] === 'string') record[key] = new Date(record[key]);
};
const emptyList =
  (key: keyof Post): FieldReader =>
  (row) => {
    if (row[key] === null) row[key] = [];
  };

/** Converts the properties that differ between row and domain. */
const FIELD_READERS: Partial<Record<keyof Post, FieldReader>> = {
  storedState: (row) => {
    row.storedState = storedStateByNumber.get(row.storedState as number);
  },
  occurrenceState: (row) => {
    row.occurrenceState = storedStateByNumber.get(row.occurrenceState as number) ?? null;
  },
  media: emptyList('media'),
  mediaFiles: emptyList('mediaFiles'),
  missingFiles: emptyList('missingFiles'),
  tags: emptyList('tags'),
  categories: emptyList('categories'),
  analytics: (row) => readDate(row.analytics as PostAnalytics | null, 'updatedAt'),
  publicationRecord: (row) =>
    readDate(row.publicationRecord as PublicationRecord | null, 'publishedAt'),
  review: (row) => readDate(row.review as Post['review'], 'at'),
  networkSync: (row) => readDate(row.networkSync as NetworkSync | null, 'attemptedAt'),
};
const FIELD_READER_ENTRIES = Object.entries(FIELD_READERS) as [keyof Post, FieldReader][];

/** Converts the selected properties of a row. Changes the row in place: it is not shared. */
export function toPostView(row: PostRow): PostView {
  const record = row as unknown as Record<string, unknown>;
  for (const [field, read] of FIELD_READER_ENTRIES) if (record[field] !== undefined) read(record);
  return row as unknown as PostView;
}

const PREFIX_LENGTH = 5;

/**
 * Prefixes tokens with a short hash of the workspace, so that the index entry of a common word is
 * not shared by all workspaces.
 */
export function workspaceTokens(workspaceId: string, tokens: readonly string[]): string[] {
  const prefix = createHash('sha256')
    .update(workspaceId)
    .digest('base64url')
    .slice(0, PREFIX_LENGTH);
  return tokens.map((token) => `${prefix}${token}`);
}

/** The row of a post in the search index (D16). */
export function searchRow(
  workspaceId: string,
  post: SearchedPost,
): { normal: string; tokens: string[] } {
  const { normal, tokens } = toSearchDocument(searchedTexts(post));
  return { normal, tokens: workspaceTokens(workspaceId, tokens) };
}
