import type { Change, PostWrite } from '../../domain/changes/change.js';
import type { Event } from '../../domain/events/event.js';
import { eventsOf, updateEventOf } from '../../domain/events/events-of.js';
import { liveFields } from '../../domain/networks/live-fields.js';
import type { Post } from '../../domain/posts/post.js';
import { changesSearch } from '../../domain/search/searched-fields.js';
import { insertEvent } from '../events/insert-events.js';
import { writeSlots } from './cap-reservations.js';
import { writeLabels, writeMedia, writeSync } from './post-relations.js';
import { searchRow } from '../search/search-index.js';
import { POST_COLUMNS, type PostColumn } from '../post-columns.js';
import { Parameters, runEach, type Sql } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/** The update of one post of a change. */
export type UpdateWrite = Extract<PostWrite, { kind: 'update' }>;

const columnsOf = (table: PostColumn['table']): readonly PostColumn[] =>
  POST_COLUMNS.filter((column) => column.table === table);
const ROW_COLUMNS = columnsOf('post');
const BODY_COLUMNS = columnsOf('post_body');

/** Adds the value of a property of the post, and returns its placeholder. */
const addColumn = (parameters: Parameters, post: Post, { type, valueOf }: PostColumn): string =>
  parameters.add(valueOf(post), type);

/** What the statement of an update has of its event: see `updatePost`. */
const EVENT_OF_TARGET = {
  at: '$4::timestamptz',
  workspace_id: 'target.workspace_id',
  post_id: 'target.id',
  doc_id: 'target.doc_id',
  account_id: 'target.account_id',
  version: '$3::int',
} as const;

/** Fields that tell how far a publication, a series or an approval is: not part of the history. */
const PROGRESS_FIELDS: ReadonlySet<keyof Post> = new Set([
  'queuedAt',
  'armedAt',
  'retryAt',
  'extendAt',
  'pausedAfterApproval',
]);

/** The values of the changed fields before and after, as the history of the post keeps them. */
export const revisionChanges = ({
  before,
  after,
  changed,
}: UpdateWrite): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    changed
      .filter((field) => !PROGRESS_FIELDS.has(field))
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );

/**
 * Writes the changed columns of both tables, the search index and the revision in one statement,
 * guarded by the version; also `event`, if the post is all that the change writes.
 */
async function updatePost(
  sql: Sql,
  change: Change,
  { write, event }: { write: UpdateWrite; event?: Event | undefined },
): Promise<void> {
  const { before, after, changed } = write;
  const { actor, at } = change;
  const parameters = new Parameters(
    before.databaseId,
    before.version,
    after.version,
    at,
    before.queuedAt,
    before.armedAt,
  );
  const assign = (columns: readonly PostColumn[]): string[] =>
    columns
      .filter(({ field }) => changed.includes(field))
      .map((column) => `${column.column} = ${addColumn(parameters, after, column)}`);
  const postAssignments = assign(ROW_COLUMNS);
  const bodyAssignments = assign(BODY_COLUMNS);
  const revision = parameters.add(JSON.stringify(revisionChanges(write)), 'jsonb');
  const author = parameters.add(actor.userId, 'text');
  const type = parameters.add(updateEventOf(write), 'text');
  const api = parameters.add(actor.api, 'text');
  const note = write.note === undefined ? 'NULL' : parameters.add(write.note, 'text');
  const steps = [
    `target AS (UPDATE post SET ${['version = $3::int', 'updated_at = $4::timestamptz', ...(write.restores ? ['deleted_at = NULL'] : []), ...postAssignments].join(', ')} WHERE id = $1::bigint AND version = $2::int AND queued_at IS NOT DISTINCT FROM $5::timestamptz AND armed_at IS NOT DISTINCT FROM $6::timestamptz AND deleted_at IS ${write.restores || write.isDeleted ? 'NOT NULL' : 'NULL'} RETURNING id, doc_id, workspace_id, account_id)`,
    `history AS (INSERT INTO revision (post_id, version, user_id, at, changes, type, api, note) SELECT id, $3::int, ${author}, $4::timestamptz, ${revision}, ${type}, ${api}, ${note} FROM target)`,
  ];
  if (bodyAssignments.length > 0)
    steps.push(
      `body AS (UPDATE post_body SET ${bodyAssignments.join(', ')} FROM target WHERE post_id = target.id)`,
    );
  if (changesSearch(changed)) {
    const { normal, tokens } = searchRow(after.workspaceId, after);
    steps.push(
      `search_row AS (UPDATE post_search SET normal = ${parameters.add(normal, 'text')}, tokens = ${parameters.add(tokens, 'text[]')} FROM target WHERE post_id = target.id)`,
    );
  }
  if (event) {
    const known = { ...EVENT_OF_TARGET, user_id: author, type, api };
    steps.push(`event AS (${insertEvent(change, event, { parameters, known })} FROM target)`);
  }
  const rows = await sql(`WITH ${steps.join(', ')} SELECT id FROM target`, parameters.values);
  if (rows.length === 0) throw new RollbackError({ kind: 'conflict' });
}

/** Whether the write starts a network update. */
const startsNetworkUpdate = ({ before, after }: UpdateWrite): boolean =>
  after.networkSync !== null && after.networkSync !== before.networkSync;

/**
 * Whether a write is a single statement: it changes columns but no relations, slots or network
 * update.
 */
export const isSingleStatement = (write: UpdateWrite): boolean =>
  !write.changed.includes('labels') &&
  !write.changed.includes('media') &&
  write.slots === null &&
  !startsNetworkUpdate(write);

/**
 * Writes the only post of a change and its event, in one statement.
 * @throws RollbackError as `writePost`
 */
export const writeSinglePost = (sql: Sql, change: Change, write: UpdateWrite): Promise<void> =>
  updatePost(sql, change, { write, event: eventsOf(change)[0] });

/**
 * Updates one post of a change, with its relations, without its events.
 * @throws RollbackError if the row changed since it was read: another version, queued in the
 * meantime (D23), or deleted or restored
 */
export async function writePost(sql: Sql, change: Change, write: UpdateWrite): Promise<void> {
  const { after, before, changed, slots } = write;
  await updatePost(sql, change, { write });
  if (changed.includes('labels')) await writeLabels(sql, after);
  if (changed.includes('media')) await writeMedia(sql, after);
  if (slots) await writeSlots(sql, after.databaseId, slots);
  if (!startsNetworkUpdate(write)) return;
  const sync = after.networkSync!;
  const live = liveFields(sync.status === 'synced' ? after : before);
  await runEach(sql, [writeSync(after.databaseId, { sync, live })]);
}
