import type { Viewer } from '../../../src/domain/access/viewer.js';
import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import type { Sql } from '../../../src/persistence/sql.js';

// These drafts need neither account nor date, so a post can move between any two of them.
const DRAFTS: readonly StoredState[] = [
  'draft_undated',
  'draft_public_undated',
  'draft_private_undated',
];
const DRAFT_NUMBERS = `'{${DRAFTS.map((storedState) => STORED_STATES[storedState].number).join(',')}}'::smallint[]`;

/** A write within a transaction. */
export type Write = (
  sql: Sql,
  random: { viewer: Viewer; many: number; seed: number },
) => Promise<unknown>;
const query = (sql: Sql, text: string, ...values: unknown[]): Promise<unknown> => sql(text, values);
const someOf = (many: number, condition: string): string =>
  `id = ANY(ARRAY(SELECT id FROM post WHERE ${condition} ORDER BY md5(id::text || $1) LIMIT ${many}))`;

/** All kinds of writes to a row of `post`. */
export const WRITES: Readonly<Record<string, Write>> = {
  insert: (sql, { viewer, many, seed }) =>
    query(
      sql,
      `INSERT INTO post (doc_id, workspace_id, creator_id, stored_state, type, deleted_at) SELECT substr(md5(random()::text), 1, 24), $1, $2, (${DRAFT_NUMBERS})[1 + (n + $3::int) % 3], 'status', CASE WHEN n % 5 = 4 THEN now() END FROM generate_series(1, ${many}) n`,
      viewer.workspace.id,
      viewer.user.id,
      seed,
    ),
  move: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET stored_state = (${DRAFT_NUMBERS})[1 + (id + $1::int) % 3] WHERE ${someOf(many, 'true')}`,
      seed,
    ),
  delete: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET deleted_at = now() WHERE ${someOf(many, 'deleted_at IS NULL')}`,
      seed,
    ),
  restore: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET deleted_at = NULL WHERE ${someOf(many, 'deleted_at IS NOT NULL')}`,
      seed,
    ),
  purge: (sql, { many, seed }) =>
    query(sql, `DELETE FROM post WHERE ${someOf(many, 'true')}`, seed),
  changeCreator: (sql, { viewer, many, seed }) =>
    query(
      sql,
      `UPDATE post SET creator_id = $2 WHERE ${someOf(many, 'true')}`,
      seed,
      viewer.user.id,
    ),
  changeWorkspace: (sql, { viewer, many, seed }) =>
    query(
      sql,
      `UPDATE post SET workspace_id = $2, account_id = NULL, network = NULL WHERE ${someOf(many, 'true')}`,
      seed,
      viewer.workspace.id,
    ),
  changeAccount: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET (account_id, network) = (SELECT a.id, a.network FROM account a WHERE a.workspace_id = post.workspace_id ORDER BY md5(a.id || post.id || $1) LIMIT 1) WHERE ${someOf(many, 'true')}`,
      seed,
    ),
  removeAccount: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET account_id = NULL, network = NULL WHERE ${someOf(many, 'true')}`,
      seed,
    ),
  changeType: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET type = ('{status,link,photo}'::post_type[])[1 + (id + $1::int) % 3] WHERE ${someOf(many, 'true')}`,
      seed,
    ),
  fold: (sql) => query(sql, 'SELECT fold_post_counts(array_agg(id)) FROM workspace'),
  edit: (sql, { many, seed }) =>
    query(sql, `UPDATE post SET version = version + 1 WHERE ${someOf(many, 'true')}`, seed),
};
