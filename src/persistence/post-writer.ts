import type pg from 'pg';
import { allowance } from '../domain/cap-allowance.js';
import type { CapClaim, CapSlot, Change, PostWrite } from '../domain/change.js';
import { labelKey, type Attachment, type Label, type Post } from '../domain/post.js';
import { CELLS } from '../domain/states.js';
import type { FulfilledClaim, SaveOutcome } from '../services/ports.js';
import { fulfilClaim } from './idempotency-store.js';
import { searchRow } from './search-index.js';
import { inTransaction, run, type SqlRunner } from './sql.js';

/** How a property of a post is written: its column, and its value for PostgreSQL where that differs. */
interface Column { readonly column: string; readonly type?: string; readonly value?: (post: Post) => unknown }

const json = (column: string, field: keyof Post): Column => ({ column, type: 'jsonb', value: (post) => (post[field] === null ? null : JSON.stringify(post[field])) });

const POST_COLUMNS: Partial<Record<keyof Post, Column>> = {
  type: { column: 'type', type: 'post_type' },
  cell: { column: 'cell', type: 'smallint', value: (post) => CELLS[post.cell].number },
  scheduledAt: { column: 'scheduled_at', type: 'timestamptz' },
  hasMedia: { column: 'has_media', type: 'boolean' },
  reminder: { column: 'reminder', type: 'boolean' },
  parentId: { column: 'parent_id', type: 'bigint' },
};

const BODY_COLUMNS: Partial<Record<keyof Post, Column>> = {
  text: { column: 'text', type: 'text' },
  title: { column: 'title', type: 'text' },
  excerpt: { column: 'excerpt', type: 'text' },
  question: { column: 'question', type: 'text' },
  duration: { column: 'duration', type: 'int' },
  url: { column: 'url', type: 'text' },
  featuredMedia: json('featured_media', 'featuredMedia'),
  link: json('link', 'link'),
  details: json('details', 'details'),
  recycling: json('recycling', 'recycling'),
  recurring: json('recurring', 'recurring'),
  content: json('content', 'content'),
  location: json('location', 'location'),
  options: { column: 'options', type: 'text[]' },
  tags: { column: 'tags', type: 'text[]' },
  categories: { column: 'categories', type: 'text[]' },
  sublinks: json('sublinks', 'sublinks'),
  ownFields: { column: 'own_fields', type: 'text[]' },
};

/** Columns that are set once, when the post is made. */
const FIXED_COLUMNS: Partial<Record<keyof Post, Column>> = {
  databaseId: { column: 'id', type: 'bigint' },
  id: { column: 'doc_id', type: 'char(24)' },
  workspaceId: { column: 'workspace_id', type: 'text' },
  accountId: { column: 'account_id', type: 'text' },
  creatorId: { column: 'creator_id', type: 'text' },
  network: { column: 'network', type: 'network' },
  version: { column: 'version', type: 'int' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
  queuedAt: { column: 'queued_at', type: 'timestamptz' },
  postLink: { column: 'post_link', type: 'text' },
  auto: { column: 'auto', type: 'boolean' },
  origin: { column: 'origin', type: 'post_origin' },
};

type ColumnTable = Partial<Record<keyof Post, Column>>;
const entriesOf = (table: ColumnTable): [keyof Post, Column][] => Object.entries(table) as [keyof Post, Column][];
const valueOf = (post: Post, field: keyof Post, { value }: Column): unknown => (value ? value(post) : post[field]);

/** Thrown inside a transaction to roll it back with an outcome. */
class Stop extends Error {
  constructor(readonly outcome: SaveOutcome) { super(outcome.kind); }
}

/** Adds to a statement's text and values as columns are written. */
class Assignments {
  readonly values: unknown[];
  constructor(...first: unknown[]) { this.values = first; }
  placeholder(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
  set(post: Post, fields: readonly [keyof Post, Column][]): string[] {
    return fields.map(([field, column]) => `${column.column} = ${this.placeholder(valueOf(post, field, column), column.type ?? 'text')}`);
  }
}

/** The changed columns of both halves, the search index and the revision in one statement, guarded by the version. */
async function updatePost(sql: SqlRunner, { userId, at }: Change, { before, after, changed }: Extract<PostWrite, { kind: 'update' }>): Promise<void> {
  const a = new Assignments(before.databaseId, before.version, after.version, at);
  const isChanged = ([field]: [keyof Post, Column]): boolean => changed.includes(field);
  const narrow = a.set(after, entriesOf(POST_COLUMNS).filter(isChanged));
  const wide = a.set(after, entriesOf(BODY_COLUMNS).filter(isChanged));
  const revision = a.placeholder(JSON.stringify(Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]))), 'jsonb');
  const author = a.placeholder(userId, 'text');
  const steps = [
    `target AS (UPDATE post SET ${['version = $3::int', 'updated_at = $4::timestamptz', ...narrow].join(', ')} WHERE id = $1::bigint AND version = $2::int AND deleted_at IS NULL RETURNING id)`,
    `history AS (INSERT INTO revision (post_id, version, user_id, at, changes) SELECT id, $3::int, ${author}, $4::timestamptz, ${revision} FROM target)`,
  ];
  if (wide.length > 0) steps.push(`body AS (UPDATE post_body SET ${wide.join(', ')} FROM target WHERE post_id = target.id)`);
  if (changed.includes('text') || changed.includes('title')) {
    const { normal, tokens } = searchRow(after.workspaceId, after);
    steps.push(`words AS (UPDATE post_search SET normal = ${a.placeholder(normal, 'text')}, tokens = ${a.placeholder(tokens, 'text[]')} FROM target WHERE post_id = target.id)`);
  }
  const rows = await run(sql, `WITH ${steps.join(', ')} SELECT id FROM target`, a.values);
  if (rows.length === 0) throw new Stop({ kind: 'conflict' });
}

/** The columns of several tables' rows as one INSERT each. */
async function insertInto(sql: SqlRunner, table: string, columns: readonly [keyof Post, Column][], post: Post, more: Readonly<Record<string, [unknown, string]>> = {}): Promise<void> {
  const a = new Assignments();
  const names = [...columns.map(([, { column }]) => column), ...Object.keys(more)];
  const values = [
    ...columns.map(([field, column]) => a.placeholder(valueOf(post, field, column), column.type ?? 'text')),
    ...Object.values(more).map(([value, type]) => a.placeholder(value, type)),
  ];
  await run(sql, `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`, a.values);
}

async function insertPost(sql: SqlRunner, { after, importKey }: Extract<PostWrite, { kind: 'insert' }>): Promise<void> {
  const { normal, tokens } = searchRow(after.workspaceId, after);
  await insertInto(sql, 'post', [...entriesOf(FIXED_COLUMNS), ...entriesOf(POST_COLUMNS)], after, { import_key: [importKey ?? null, 'text'] });
  await insertInto(sql, 'post_body', entriesOf(BODY_COLUMNS), after, { post_id: [after.databaseId, 'bigint'] });
  await run(sql, 'INSERT INTO post_search (post_id, normal, tokens) VALUES ($1, $2, $3)', [after.databaseId, normal, tokens]);
  if (after.analytics) {
    const s = after.analytics;
    await run(
      sql,
      'INSERT INTO post_analytics (post_id, reach, engagement, engagement_rate, likes, comments, shares, saves, video_views, link_clicks, post_clicks, click_through_rate, reach_rate, updated_at) ' +
        'VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
      [after.databaseId, s.reach, s.engagement, s.engagementRate, s.likes, s.comments, s.shares, s.saves, s.videoViews, s.linkClicks, s.postClicks, s.clickThroughRate, s.reachRate, s.updatedAt],
    );
  }
}

async function removePost(sql: SqlRunner, { at }: Change, before: Pick<Post, 'databaseId' | 'version'>): Promise<void> {
  const rows = await run(
    sql,
    'WITH target AS (UPDATE post SET deleted_at = $3 WHERE id = $1 AND version = $2 AND deleted_at IS NULL RETURNING id), ' +
      // What is published of a series stays, on its own (D23); slots of a removed post are free again (D39).
      'orphans AS (UPDATE post c SET parent_id = NULL FROM target WHERE c.parent_id = target.id AND c.deleted_at IS NULL AND c.cell BETWEEN 10 AND 12), ' +
      'freed AS (DELETE FROM cap_slot USING target WHERE post_id = target.id) SELECT id FROM target',
    [before.databaseId, before.version, at],
  );
  if (rows.length === 0) throw new Stop({ kind: 'conflict' });
}

async function writeLabels(sql: SqlRunner, post: Post, ids: ReadonlyMap<string, string>): Promise<void> {
  const wanted = post.labels.map((label) => ids.get(label.id) ?? label.id);
  await run(
    sql,
    'WITH gone AS (DELETE FROM post_label WHERE post_id = $1::bigint AND label_id <> ALL($2::text[])) ' +
      'INSERT INTO post_label (post_id, label_id) SELECT $1::bigint, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [post.databaseId, wanted],
  );
}

async function writeMedia(sql: SqlRunner, post: Post): Promise<void> {
  const rows = post.media.map((one: Attachment, position) => ({
    position, media_id: one.id, title: one.title, alt_text: one.altText, default_thumbnail: one.defaultThumbnail, thumbnails: one.thumbnails,
    user_tags: one.userTags, collaborator_tags: one.collaboratorTags, product_tags: one.productTags,
  }));
  await run(sql, 'DELETE FROM post_media WHERE post_id = $1', [post.databaseId]);
  await run(
    sql,
    'INSERT INTO post_media SELECT $1::bigint, r.* FROM jsonb_to_recordset($2::jsonb) AS r(position smallint, media_id text, title text, alt_text text, ' +
      'default_thumbnail text, thumbnails jsonb, user_tags jsonb, collaborator_tags jsonb, product_tags jsonb)',
    [post.databaseId, JSON.stringify(rows)],
  );
}

async function writeSlots(sql: SqlRunner, postId: number, slots: readonly CapSlot[]): Promise<void> {
  await run(sql, 'DELETE FROM cap_slot WHERE post_id = $1', [postId]);
  if (slots.length === 0) return;
  await run(
    sql,
    'INSERT INTO cap_slot (post_id, account_id, post_kind, at) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[]) ON CONFLICT DO NOTHING',
    [postId, slots.map((slot) => slot.accountId), slots.map((slot) => slot.postKind), slots.map((slot) => slot.at)],
  );
}

/** Makes the labels that are missing; a twin made meanwhile is taken instead, so the ids may differ from those asked for. */
async function makeLabels(sql: SqlRunner, { workspaceId, newLabels }: Change): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const label of [...newLabels].sort((a, b) => (labelKey(a.name) < labelKey(b.name) ? -1 : 1))) { // one order for all: no deadlock
    const [row] = await run<Label>(
      sql,
      'INSERT INTO label (id, workspace_id, name, name_key, color) VALUES ($1, $2, $3, $4, $5) ' +
        'ON CONFLICT (workspace_id, name_key) DO UPDATE SET name_key = excluded.name_key RETURNING id',
      [label.id, workspaceId, label.name, labelKey(label.name), label.color],
    );
    ids.set(label.id, row!.id);
  }
  return ids;
}

/** Holds each cap's place in line, then sees whether its new slots fit between what is there (D39). */
async function takeCaps(sql: SqlRunner, claims: readonly CapClaim[], postIds: readonly number[]): Promise<void> {
  const ordered = [...claims].sort((a, b) => (`${a.accountId} ${a.postKind}` < `${b.accountId} ${b.postKind}` ? -1 : 1));
  for (const { accountId, postKind, limit, add } of ordered) {
    await run(sql, "SELECT pg_advisory_xact_lock(hashtextextended('cap ' || $1 || ' ' || $2, 0))", [accountId, postKind]);
    const earliest = new Date(Math.min(...add.map((at) => at.getTime())) - 86_400_000);
    const rows = await run<{ at: Date }>(
      sql, 'SELECT at FROM cap_slot WHERE account_id = $1 AND post_kind = $2 AND at > $3 AND post_id <> ALL($4::bigint[])', [accountId, postKind, earliest, postIds],
    );
    const taken = rows.map((row) => row.at.getTime());
    for (const at of add) {
      const { fits, nextFreeAt } = allowance(limit, taken, at.getTime());
      if (!fits) throw new Stop({ kind: 'full', postKind, limit, at, nextFreeAt: new Date(nextFreeAt) });
      taken.push(at.getTime());
    }
  }
}

async function writePost(sql: SqlRunner, change: Change, write: PostWrite, labelIds: ReadonlyMap<string, string>): Promise<void> {
  if (write.kind === 'remove') return removePost(sql, change, write.before);
  const { after } = write;
  const touches = (field: keyof Post): boolean => write.kind === 'insert' ? (after[field] as unknown[]).length > 0 : write.changed.includes(field);
  await (write.kind === 'insert' ? insertPost(sql, write) : updatePost(sql, change, write));
  if (touches('labels')) await writeLabels(sql, after, labelIds);
  if (touches('media')) await writeMedia(sql, after);
  if (write.slots) await writeSlots(sql, after.databaseId, write.slots);
  const sync = after.networkSync;
  if (sync && (write.kind === 'insert' || sync !== write.before.networkSync)) {
    await run(
      sql,
      'INSERT INTO post_sync (post_id, status, job_id, live_text, error, attempted_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (post_id) DO UPDATE ' +
        'SET status = excluded.status, job_id = excluded.job_id, live_text = excluded.live_text, error = excluded.error, attempted_at = excluded.attempted_at',
      [after.databaseId, sync.status, sync.jobId, sync.liveText, sync.error, sync.attemptedAt],
    );
  }
}

async function writeAll(sql: pg.PoolClient, change: Change): Promise<void> {
  const labelIds = await makeLabels(sql, change);
  for (const one of change.newMedia) {
    await run(
      sql, 'INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [one.id, change.workspaceId, one.type, one.url, one.title, one.altText, one.inLibrary],
    );
  }
  if (change.intoLibrary.length > 0) await run(sql, 'UPDATE media SET in_library = true WHERE workspace_id = $1 AND id = ANY($2::text[])', [change.workspaceId, change.intoLibrary]);
  for (const job of change.jobs) {
    await run(
      sql, 'INSERT INTO job (id, workspace_id, user_id, kind, status, progress, failures, post_id, post_version, created_at, finished_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
      [job.id, change.workspaceId, change.userId, job.kind, job.status, job.progress, JSON.stringify(job.failures), job.postId, job.postVersion, job.createdAt, job.finishedAt],
    );
  }
  for (const write of change.posts) await writePost(sql, change, write, labelIds);
  for (const parentId of change.unqueuedSeries) {
    const queued = await run(sql, 'SELECT 1 FROM post WHERE parent_id = $1 AND queued_at IS NOT NULL AND deleted_at IS NULL LIMIT 1', [parentId]);
    if (queued.length > 0) throw new Stop({ kind: 'conflict' });
  }
  for (const note of change.notifications) {
    await run(
      sql, 'INSERT INTO notification (id, user_id, workspace_id, kind, message, post_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [note.id, note.userId, change.workspaceId, note.kind, note.message, note.postId, change.at],
    );
  }
}

/** SQLSTATEs of a transaction that another one got in the way of: decided again on what is there now. */
const RETRYABLE = new Set(['40001', '40P01']);

const DECIDES_SLOTS = (write: PostWrite): boolean => write.kind === 'remove' || write.slots !== null;

async function writeChange(sql: pg.PoolClient, change: Change, record?: FulfilledClaim): Promise<SaveOutcome> {
  const replaced = change.posts.filter(DECIDES_SLOTS).map((write) => (write.kind === 'remove' ? write.before : write.after).databaseId);
  if (record) await fulfilClaim(sql, record);
  await takeCaps(sql, change.claims.filter((claim) => claim.add.length > 0), replaced);
  await writeAll(sql, change);
  return { kind: 'saved' };
}

async function attempt(work: () => Promise<SaveOutcome>): Promise<SaveOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stop) return error.outcome;
    if (RETRYABLE.has((error as { code?: string }).code ?? '')) return { kind: 'conflict' };
    throw error;
  }
}

/** Saves a change in one transaction: every row or none, within every cap, and the idempotency record with it. */
export const saveChange = (pool: pg.Pool, change: Change, record?: FulfilledClaim): Promise<SaveOutcome> =>
  attempt(() => inTransaction(pool, (sql) => writeChange(sql, change, record)));

/** The same, taken back at its end: every rule and constraint speaks, nothing stays (D28). */
export const rehearseChange = (pool: pg.Pool, change: Change): Promise<SaveOutcome> =>
  attempt(() => inTransaction(pool, async (sql) => { throw new Stop(await writeChange(sql, change)); }));
