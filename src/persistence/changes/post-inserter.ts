import type { CapSlot, Change, InsertWrite } from '../../domain/changes/change.js';
import { liveFields, type LiveFields } from '../../domain/networks/live-fields.js';
import { enumKeys } from '../../domain/enums.js';
import { METRIC_COLUMNS } from '../numbers/metric-columns.js';
import type { PostAnalytics } from '../../domain/numbers/numbers.js';
import type { Post, NetworkSync } from '../../domain/posts/post.js';
import { searchRow, POST_COLUMNS, type PostColumn } from '../posts/post-rows.js';
import { type Sql, type Statement, runEach } from '../sql.js';

/** Fields that differ between posts with the same content, such as those of one `createPosts`. */
const OWN_FIELDS: ReadonlySet<keyof Post> = new Set([
  'databaseId',
  'id',
  'accountId',
  'network',
  'scheduledAt',
  'parentId',
  'occurrenceDate',
]);
const OWN_COLUMNS = POST_COLUMNS.filter(({ field }) => OWN_FIELDS.has(field));
const CONTENT_COLUMNS = POST_COLUMNS.filter(({ field }) => !OWN_FIELDS.has(field));

const namesIn = (columns: readonly PostColumn[], table?: PostColumn['table']): string =>
  columns
    .filter((column) => table === undefined || column.table === table)
    .map(({ column }) => column)
    .join(', ');
const recordOf = (columns: readonly PostColumn[]): string =>
  columns.map(({ column, type }) => `${column} ${type}`).join(', ');
const ROW = `${namesIn(POST_COLUMNS, 'post')}, import_key`;
const BODY = namesIn(POST_COLUMNS, 'post_body');

/**
 * Inserts posts with their bodies and search rows, regardless of their number. $1: contents, $2:
 * posts, each with the number of its content, which several posts may have in common.
 */
const INSERT_POSTS =
  `WITH contents AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS c(content_number int, ${recordOf(CONTENT_COLUMNS)}, normal text, tokens text[])), ` +
  `r AS MATERIALIZED (SELECT * FROM json_to_recordset($2::json) AS r(content_number int, ${recordOf(OWN_COLUMNS)}, import_key text) JOIN contents USING (content_number)), ` +
  `inserted AS (INSERT INTO post (${ROW}) SELECT ${ROW} FROM r), ` +
  `bodies AS (INSERT INTO post_body (post_id, created_api, ${BODY}) SELECT id, $3::text, ${BODY} FROM r) ` +
  'INSERT INTO post_search (post_id, normal, tokens) SELECT id, normal, tokens FROM r';
const INSERT_LABELS =
  'INSERT INTO post_label (post_id, label_id) SELECT * FROM unnest($1::bigint[], $2::text[])';
const INSERT_SLOTS =
  'INSERT INTO cap_slot (post_id, account_id, post_kind, at) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) ON CONFLICT DO NOTHING';

/**
 * The members of columns in a JSON object. Strings are concatenated, not joined: an article of
 * several megabytes is then copied once, when the statement is sent.
 */
function membersOf(columns: readonly PostColumn[], post: Post): string {
  let members = '';
  for (const { column, type, valueOf } of columns) {
    const value = valueOf(post);
    if (value === null || value === undefined) continue;
    // A value of jsonb is JSON already.
    members += `,"${column}":${type === 'jsonb' ? (value as string) : JSON.stringify(value)}`;
  }
  return members;
}

/** Records of one statement, as lists of JSON objects. */
interface Records {
  contents: string;
  posts: string;
  /** The number of contents. */
  count: number;
  /** By text: the last post whose content was added, and the number of the content. */
  readonly added: Map<string, { readonly post: Post; readonly number: number }>;
}

const altTextsOf = ({ media }: Post): string => JSON.stringify(media.map(({ altText }) => altText));

/** Media are not among the columns, but their alternative texts are in the search row. */
const hasContentOf = (post: Post, other: Post): boolean =>
  (post.media === other.media || altTextsOf(post) === altTextsOf(other)) &&
  CONTENT_COLUMNS.every(({ valueOf }) => {
    const [value, otherValue] = [valueOf(post), valueOf(other)];
    const isEqual = value === otherValue;
    return isEqual || typeof value !== 'object'
      ? isEqual
      : JSON.stringify(value) === JSON.stringify(otherValue);
  });

/** The number of the content of a post, which is added unless another post has the same. */
function contentNumber(records: Records, post: Post): number {
  const known = records.added.get(post.text);
  if (known && hasContentOf(post, known.post)) return known.number;
  const number = records.count++;
  const { normal, tokens } = searchRow(post.workspaceId, post);
  const members = `"normal":${JSON.stringify(normal)},"tokens":${JSON.stringify(tokens)}${membersOf(CONTENT_COLUMNS, post)}`;
  records.contents += `${number > 0 ? ',' : ''}{"content_number":${number},${members}}`;
  records.added.set(post.text, { post, number });
  return number;
}

/** Characters of the records of one statement: more would multiply the memory of an import. */
const MAX_RECORD_CHARACTERS = 128 * 1024;

/** The statements that insert posts. Short posts need one. */
function* postStatements(writes: readonly InsertWrite[], api: string): Generator<Statement> {
  const newRecords = (): Records => ({ contents: '', posts: '', count: 0, added: new Map() });
  const statementOf = ({ contents, posts }: Records): Statement => ({
    text: INSERT_POSTS,
    values: [`[${contents}]`, `[${posts}]`, api],
  });
  let records = newRecords();
  for (const { after, importKey } of writes) {
    if (records.contents.length + records.posts.length > MAX_RECORD_CHARACTERS) {
      yield statementOf(records);
      records = newRecords();
    }
    const content = `{"content_number":${contentNumber(records, after)}`;
    const key = importKey === undefined ? '' : `,"import_key":${JSON.stringify(importKey)}`;
    records.posts += `${records.posts === '' ? '' : ','}${content}${membersOf(OWN_COLUMNS, after)}${key}}`;
  }
  yield statementOf(records);
}

function insertLabels(posts: readonly Post[]): Statement[] {
  const rows = posts.flatMap(({ databaseId, labels }) =>
    labels.map((label) => ({ databaseId, labelId: label.id })),
  );
  const values = [rows.map(({ databaseId }) => databaseId), rows.map(({ labelId }) => labelId)];
  return rows.length === 0 ? [] : [{ text: INSERT_LABELS, values }];
}

function insertSlots(writes: readonly InsertWrite[]): Statement[] {
  const rows = writes.flatMap(({ after, slots }) =>
    slots.map((slot: CapSlot) => ({ postId: after.databaseId, ...slot })),
  );
  const values = [
    rows.map(({ postId }) => postId),
    rows.map(({ accountId }) => accountId),
    rows.map(({ postKind }) => postKind),
    rows.map(({ at }) => at),
  ];
  return rows.length === 0 ? [] : [{ text: INSERT_SLOTS, values }];
}

/**
 * Inserts posts with their relations: one statement for each table, more only for long articles.
 * @returns the last statements, which the caller runs: for short posts, all
 */
export async function insertPosts(
  sql: Sql,
  { actor }: Pick<Change, 'actor'>,
  writes: readonly InsertWrite[],
): Promise<Statement[]> {
  const posts = writes.map(({ after }) => after);
  let last: Statement | undefined;
  for (const statement of postStatements(writes, actor.api)) {
    if (last) await sql(last.text, last.values);
    last = statement;
  }
  return [
    last!,
    ...insertLabels(posts),
    ...insertMedia(posts),
    ...insertSlots(writes),
    ...posts.flatMap(({ databaseId, analytics }) =>
      analytics ? [insertAnalytics(databaseId, analytics)] : [],
    ),
    ...posts.flatMap((post) =>
      post.networkSync
        ? [writeSync(post.databaseId, { sync: post.networkSync, live: liveFields(post) })]
        : [],
    ),
  ];
}

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
function insertMedia(posts: readonly Post[]): Statement[] {
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

const METRICS = enumKeys(METRIC_COLUMNS);

/** Adds the analytics of an imported post. */
const insertAnalytics = (postId: number, analytics: PostAnalytics): Statement => ({
  text:
    `INSERT INTO post_analytics (post_id, updated_at, ${METRICS.map((metric) => METRIC_COLUMNS[metric].column).join(', ')}) ` +
    `VALUES ($1, $2, ${METRICS.map((_, index) => `$${index + 3}`).join(', ')})`,
  values: [postId, analytics.updatedAt, ...METRICS.map((metric) => analytics[metric])],
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
