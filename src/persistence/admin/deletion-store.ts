import { OPERATOR } from '../../domain/access/viewer.js';
import { storedStateNumbers, STATE_FILTERS } from '../../domain/posts/states.js';
import type { GrantsVersions } from '../../domain/access/cached-grants-lifetime.js';
import type { Database } from '../database.js';
import { insertPostEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';

/** What is deleted with a workspace. Includes deleted posts that wait for the purge. */
export interface WorkspaceContents {
  readonly id: string;
  readonly name: string;
  readonly posts: number;
  readonly accounts: number;
  readonly members: number;
}

/** What is deleted with a user, and what the user has in workspaces that remain. */
export interface UserContents {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** IDs of the workspaces that the user owns, which prevent the deletion. */
  readonly ownedWorkspaces: readonly string[];
  readonly keys: number;
  readonly memberships: number;
  /** Posts that the user created, in all workspaces, private drafts included. */
  readonly posts: number;
  readonly privateDrafts: number;
}

/** Called after each batch with the completed share of the posts, from 0 to 1. */
type ProgressListener = (done: number) => void;

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

/**
 * Deletes workspaces and users permanently, in batches of one transaction each, so that other users
 * never wait for long. Members lose access before the first batch. An interrupted deletion
 * continues when it is started again. SQL: many rows in a statement, and no time limit.
 */
export function createDeletionStore(database: Database, grantsVersions: GrantsVersions) {
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
    /** Null if there is no such workspace. */
    workspace: (id: string): Promise<WorkspaceContents | null> =>
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

    /** Null if there is no such user. */
    user: (id: string): Promise<UserContents | null> =>
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

    async deleteWorkspace(id: string, onProgress: ProgressListener): Promise<void> {
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

    /**
     * Deletes a user with all of their posts (`posts`), or only with their private drafts, which no
     * other user can see. `remaining` is true if records of a workspace still refer to the user:
     * the user is then kept without name and address.
     */
    async deleteUser(
      id: string,
      { posts }: { readonly posts: boolean },
      onProgress: ProgressListener,
    ): Promise<{ readonly remaining: boolean }> {
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
export type DeletionStore = ReturnType<typeof createDeletionStore>;
