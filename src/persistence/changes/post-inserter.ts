import type { Change, InsertWrite } from '../../domain/changes/change.js';
import { liveFields } from '../../domain/networks/live-fields.js';
import type { Post } from '../../domain/posts/post.js';
import { searchRow } from '../posts/search-index.js';
import { POST_COLUMNS, type PostColumn } from '../post-columns.js';
import { run, type SqlRunner } from '../sql.js';
import { insertAnalytics, insertMedia, writeSync } from './post-relations.js';

/** A column of the records that a statement inserts from; `json` is its value as JSON. */
interface InsertColumn {
  readonly table: 'post' | 'post_body' | 'post_search';
  readonly column: string;
  readonly type: string;
  readonly json: (write: InsertWrite) => string;
}

const toColumn = ({ table, column, type, valueOf }: PostColumn): InsertColumn => ({
  table,
  column,
  type,
  json: ({ after }) => {
    const value = valueOf(after);
    // A value of jsonb is JSON already.
    return type === 'jsonb' ? ((value as string | null) ?? 'null') : JSON.stringify(value ?? null);
  },
});

const COLUMNS: readonly InsertColumn[] = [
  ...POST_COLUMNS.map(toColumn),
  {
    table: 'post',
    column: 'import_key',
    type: 'text',
    json: ({ importKey }) => JSON.stringify(importKey ?? null),
  },
];
const namesOf = (table: InsertColumn['table']): string =>
  COLUMNS.filter((column) => column.table === table)
    .map(({ column }) => column)
    .join(', ');

/** Inserts posts with their bodies and search rows, whatever the number of posts. */
const INSERT_POSTS =
  `WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS r(${COLUMNS.map(({ column, type }) => `${column} ${type}`).join(', ')}, normal text, tokens text[])), ` +
  `inserted AS (INSERT INTO post (${namesOf('post')}) SELECT ${namesOf('post')} FROM r), ` +
  `bodies AS (INSERT INTO post_body (post_id, created_api, ${namesOf('post_body')}) SELECT id, $2::text, ${namesOf('post_body')} FROM r) ` +
  'INSERT INTO post_search (post_id, normal, tokens) SELECT id, normal, tokens FROM r';

/**
 * A write as a JSON object. Strings are concatenated, not joined: an article of several megabytes
 * is then copied once, when the statement is sent.
 */
function recordOf(write: InsertWrite): string {
  const { normal, tokens } = searchRow(write.after.workspaceId, write.after);
  let record = `{"normal":${JSON.stringify(normal)},"tokens":${JSON.stringify(tokens)}`;
  for (const { column, json } of COLUMNS) record += `,"${column}":${json(write)}`;
  return `${record}}`;
}

async function insertLabels(sql: SqlRunner, posts: readonly Post[]): Promise<void> {
  const rows = posts.flatMap(({ databaseId, labels }) =>
    labels.map((label) => ({ databaseId, labelId: label.id })),
  );
  if (rows.length === 0) return;
  await run(
    sql,
    'INSERT INTO post_label (post_id, label_id) SELECT * FROM unnest($1::bigint[], $2::text[])',
    [rows.map(({ databaseId }) => databaseId), rows.map(({ labelId }) => labelId)],
  );
}

async function insertSlots(sql: SqlRunner, writes: readonly InsertWrite[]): Promise<void> {
  const rows = writes.flatMap(({ after, slots }) =>
    slots.map((slot) => ({ postId: after.databaseId, ...slot })),
  );
  if (rows.length === 0) return;
  await run(
    sql,
    'INSERT INTO cap_slot (post_id, account_id, post_kind, at) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) ON CONFLICT DO NOTHING',
    [
      rows.map(({ postId }) => postId),
      rows.map(({ accountId }) => accountId),
      rows.map(({ postKind }) => postKind),
      rows.map(({ at }) => at),
    ],
  );
}

/** Characters of the records of one statement: more would multiply the memory of an import. */
const MAX_RECORD_CHARACTERS = 128 * 1024;

/** The records of the statements that insert posts, as JSON arrays. Short posts need one. */
function* recordArrays(writes: readonly InsertWrite[]): Generator<string> {
  let records = '';
  for (const write of writes) {
    const record = recordOf(write);
    if (records !== '' && records.length + record.length > MAX_RECORD_CHARACTERS) {
      yield `[${records}]`;
      records = '';
    }
    records += records === '' ? record : `,${record}`;
  }
  if (records !== '') yield `[${records}]`;
}

/** Inserts posts with their relations: one statement for each table, more only for long articles. */
export async function insertPosts(
  sql: SqlRunner,
  { actor }: Pick<Change, 'actor'>,
  writes: readonly InsertWrite[],
): Promise<void> {
  const posts = writes.map(({ after }) => after);
  for (const records of recordArrays(writes)) await run(sql, INSERT_POSTS, [records, actor.api]);
  await insertLabels(sql, posts);
  await insertMedia(sql, posts);
  await insertSlots(sql, writes);
  for (const post of posts) {
    if (post.analytics) await insertAnalytics(sql, post.databaseId, post.analytics);
    if (post.networkSync)
      await writeSync(sql, post.databaseId, { sync: post.networkSync, live: liveFields(post) });
  }
}
