import { OPERATOR } from '../../domain/events/actor.js';
import { storedStateNumbers, STATE_FILTERS } from '../../domain/posts/states.js';
import type { GrantsVersions } from '../../services/access/grants-versions.js';
import type {
  DeletionStore,
  ProgressListener,
  UserContents,
  WorkspaceContents,
} from '../../services/admin/deletion-ports.js';
import type { Database } from '../database.js';
import { insertPostEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';

/** Rows deleted per transaction. */
const BATCH_SIZE = 500;
/** Name of a deleted user where posts or notifications still refer to one. */
export const DELETED_USER = 'Deleted user';
const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates);

/**
 * Large tables of a workspace, in the order of deletion: jobs before notifications, posts before
 * their media.
 */
const WORKSPACE_TABLES = ['job', 'notification', 'post', 'media'] as const;

/** A transaction without statement timeout: there may be a large number of posts. */
const withoutTimeout = <T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> =>
  database.transaction(async (sql) => {
    await sql('SET LOCAL statement_timeout = 0');
    return work(sql);
  });

/** The posts are in workspaces that stay: their members learn of it. */
async function deletePostsOfUser(database: Database, ids: readonly unknown[]): Promise<void> {
  const parameters = new Parameters(ids);
  const events = insertPostEvents(
    { type: 'post.deleted', rows: 'visible', actor: OPERATOR, changed: [], isDeleted: true },
    parameters,
  );
  await database.change(
    `WITH removed AS (DELETE FROM post WHERE id = ANY($1) RETURNING *), visible AS (SELECT * FROM removed WHERE deleted_at IS NULL) ${events}`,
    parameters.values,
  );
}

/** Deletes workspaces and users. */
export function createDeletionStore(
  database: Database,
  grantsVersions: GrantsVersions,
): DeletionStore {
  /** Deletes rows by ID in batches. */
  async function deleteRows(
    deleteBatch: (batch: readonly unknown[]) => Promise<unknown>,
    ids: readonly unknown[],
    onProgress: ProgressListener = () => {},
  ): Promise<void> {
    for (let done = 0; done < ids.length; done += BATCH_SIZE) {
      await deleteBatch(ids.slice(done, done + BATCH_SIZE));
      onProgress(Math.min(1, (done + BATCH_SIZE) / ids.length));
    }
  }
  const idsOf = async (sql: Sql, text: string, values: readonly unknown[]): Promise<unknown[]> =>
    (await sql<{ id: unknown }>(text, values)).map(({ id }) => id);

  return {
    workspace: (id) =>
      withoutTimeout(
        database,
        async (sql) =>
          (
            await sql<WorkspaceContents>(
              'SELECT id, name, (SELECT count(*)::int FROM post WHERE workspace_id = w.id) AS posts, (SELECT count(*)::int FROM account WHERE workspace_id = w.id) AS accounts, ' +
                '(SELECT count(*)::int FROM membership WHERE workspace_id = w.id) AS members FROM workspace w WHERE id = $1',
              [id],
            )
          )[0] ?? null,
      ),

    user: (id) =>
      withoutTimeout(
        database,
        async (sql) =>
          (
            await sql<UserContents>(
              'SELECT id, name, email, ARRAY(SELECT workspace_id FROM membership WHERE user_id = u.id AND role = \'owner\' ORDER BY workspace_id) AS "ownedWorkspaces", ' +
                '(SELECT count(*)::int FROM api_key WHERE user_id = u.id) AS keys, (SELECT count(*)::int FROM membership WHERE user_id = u.id) AS memberships, ' +
                'p.posts, p."privateDrafts" FROM app_user u, LATERAL (SELECT count(*)::int AS posts, count(*) FILTER (WHERE stored_state = ANY($2))::int AS "privateDrafts" FROM post WHERE creator_id = u.id) p WHERE u.id = $1',
              [id, PRIVATE_DRAFTS],
            )
          )[0] ?? null,
      ),

    async deleteWorkspace(id, onProgress) {
      const members = await database.change<{ userId: string }>(
        'DELETE FROM membership WHERE workspace_id = $1 RETURNING user_id AS "userId"',
        [id],
      );
      await grantsVersions.renew(members.map(({ userId }) => userId));
      for (const table of WORKSPACE_TABLES) {
        const ids = await withoutTimeout(database, (sql) =>
          idsOf(sql, `SELECT id FROM ${table} WHERE workspace_id = $1`, [id]),
        );
        await deleteRows(
          (batch) => database.change(`DELETE FROM ${table} WHERE id = ANY($1)`, [batch]),
          ids,
          table === 'post' ? onProgress : undefined,
        );
      }
      await withoutTimeout(database, async (sql) => {
        // blocks further inserts into the workspace
        await sql('SELECT 1 FROM workspace WHERE id = $1 FOR UPDATE', [id]);
        // posts of an import that ran in the meantime
        await sql('DELETE FROM post WHERE workspace_id = $1', [id]);
        await sql('DELETE FROM event WHERE workspace_id = $1', [id]);
        await sql('DELETE FROM workspace WHERE id = $1', [id]);
      });
    },

    async deleteUser(id, { posts }, onProgress) {
      await withoutTimeout(database, async (sql) => {
        await sql(
          "UPDATE notification n SET message = $2 || substr(n.message, length(u.name) + 1) FROM app_user u WHERE u.id = $1 AND n.user_id <> $1 AND starts_with(n.message, u.name || ' ') AND n.workspace_id IN " +
            '(SELECT workspace_id FROM membership WHERE user_id = $1 UNION SELECT p.workspace_id FROM revision r JOIN post p ON p.id = r.post_id WHERE r.user_id = $1)',
          [id, DELETED_USER],
        );
        for (const table of ['api_key', 'membership', 'notification', 'idempotency'])
          await sql(`DELETE FROM ${table} WHERE user_id = $1`, [id]);
      });
      await grantsVersions.renew([id]);
      const condition = posts ? 'TRUE' : 'stored_state = ANY($2)';
      await deleteRows(
        (batch) => deletePostsOfUser(database, batch),
        await withoutTimeout(database, (sql) =>
          idsOf(
            sql,
            `SELECT id FROM post WHERE creator_id = $1 AND ${condition}`,
            posts ? [id] : [id, PRIVATE_DRAFTS],
          ),
        ),
        onProgress,
      );
      return withoutTimeout(database, async (sql) => {
        const deleted = await sql(
          'DELETE FROM app_user WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM post WHERE creator_id = $1) AND NOT EXISTS (SELECT 1 FROM revision WHERE user_id = $1) RETURNING 1',
          [id],
        );
        if (deleted.length > 0) return { remaining: false };
        await sql(
          "UPDATE app_user SET name = $2, email = id || '@deleted.invalid', picture = NULL, plan = 'free', rate_limit_override = NULL WHERE id = $1",
          [id, DELETED_USER],
        );
        return { remaining: true };
      });
    },
  };
}
