import type pg from 'pg';
import { cellNumbers, STATE_FILTERS } from '../../domain/posts/states.js';
import type { AccessEpochs } from '../../redis/grants-versions.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';

/** What goes with a workspace. Posts that were deleted and wait for the purge are counted too. */
export interface WorkspaceHoldings {
  readonly id: string;
  readonly name: string;
  readonly posts: number;
  readonly accounts: number;
  readonly members: number;
}

/** What goes with a user, and what is theirs in workspaces that stay. */
export interface UserHoldings {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Workspaces that they own: while there are any, the user stays. */
  readonly owned: readonly string[];
  readonly keys: number;
  readonly memberships: number;
  /** Posts that they made, in all workspaces; the private drafts among them are `privateDrafts`. */
  readonly posts: number;
  readonly privateDrafts: number;
}

/** Is told after each batch how much of the posts is done, from 0 to 1. */
export type Told = (done: number) => void;

/**
 * Removes workspaces and users for good. What is removed goes in batches, each a transaction of its own, so that nobody
 * waits for long; whoever was a member is out before the first one. A removal that was cut short goes on when it is
 * begun again.
 */
export interface Removals {
  /** Null where there is none. */
  workspace(id: string): Promise<WorkspaceHoldings | null>;
  user(id: string): Promise<UserHoldings | null>;
  removeWorkspace(id: string, told: Told): Promise<void>;
  /**
   * `posts`: whether their posts go too, or their private drafts alone, which nobody else can see. A user to whom
   * something in a workspace still refers stays as a nameless record: true where that is so.
   */
  removeUser(
    id: string,
    options: { readonly posts: boolean },
    told: Told,
  ): Promise<{ readonly remains: boolean }>;
}

/** Rows that go in one transaction. */
const BATCH = 500;
/** What a user is called who is gone, where a post or a notification still names one. */
export const DELETED_USER = 'Deleted user';
const PRIVATE_DRAFTS = cellNumbers(STATE_FILTERS.draft_private.cells);

/** What hangs on a workspace and may be many; jobs before notifications, posts before the media that they have. */
const OF_A_WORKSPACE = ['job', 'notification', 'post', 'media'] as const;

/** One transaction for as long as it takes: there may be a great many posts. */
const atLeisure = <T>(pool: pg.Pool, work: (sql: SqlRunner) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (sql) => {
    await sql.query('SET LOCAL statement_timeout = 0');
    return work(sql);
  });

export function createRemovals(pool: pg.Pool, epochs: AccessEpochs): Removals {
  /** Removes rows by their ids, a batch at a time. */
  async function removeRows(
    table: (typeof OF_A_WORKSPACE)[number],
    ids: readonly unknown[],
    told: Told = () => {},
  ): Promise<void> {
    for (let done = 0; done < ids.length; done += BATCH) {
      await run(pool, `DELETE FROM ${table} WHERE id = ANY($1)`, [ids.slice(done, done + BATCH)]);
      told(Math.min(1, (done + BATCH) / ids.length));
    }
  }
  const idsOf = async (
    sql: SqlRunner,
    text: string,
    values: readonly unknown[],
  ): Promise<unknown[]> => (await run<{ id: unknown }>(sql, text, values)).map(({ id }) => id);

  return {
    workspace: (id) =>
      atLeisure(
        pool,
        async (sql) =>
          (
            await run<WorkspaceHoldings>(
              sql,
              'SELECT id, name, (SELECT count(*)::int FROM post WHERE workspace_id = w.id) AS posts, (SELECT count(*)::int FROM account WHERE workspace_id = w.id) AS accounts, ' +
                '(SELECT count(*)::int FROM membership WHERE workspace_id = w.id) AS members FROM workspace w WHERE id = $1',
              [id],
            )
          )[0] ?? null,
      ),

    user: (id) =>
      atLeisure(
        pool,
        async (sql) =>
          (
            await run<UserHoldings>(
              sql,
              "SELECT id, name, email, ARRAY(SELECT workspace_id FROM membership WHERE user_id = u.id AND role = 'owner' ORDER BY workspace_id) AS owned, " +
                '(SELECT count(*)::int FROM api_key WHERE user_id = u.id) AS keys, (SELECT count(*)::int FROM membership WHERE user_id = u.id) AS memberships, ' +
                'p.posts, p."privateDrafts" FROM app_user u, LATERAL (SELECT count(*)::int AS posts, count(*) FILTER (WHERE cell = ANY($2))::int AS "privateDrafts" FROM post WHERE creator_id = u.id) p WHERE u.id = $1',
              [id, PRIVATE_DRAFTS],
            )
          )[0] ?? null,
      ),

    async removeWorkspace(id, told) {
      const members = await run<{ userId: string }>(
        pool,
        'DELETE FROM membership WHERE workspace_id = $1 RETURNING user_id AS "userId"',
        [id],
      );
      await epochs.end(members.map(({ userId }) => userId));
      for (const table of OF_A_WORKSPACE) {
        const ids = await atLeisure(pool, (sql) =>
          idsOf(sql, `SELECT id FROM ${table} WHERE workspace_id = $1`, [id]),
        );
        await removeRows(table, ids, table === 'post' ? told : undefined);
      }
      await atLeisure(pool, async (sql) => {
        await run(sql, 'SELECT 1 FROM workspace WHERE id = $1 FOR UPDATE', [id]); // from here on nothing more is put into it
        await run(sql, 'DELETE FROM post WHERE workspace_id = $1', [id]); // what an import that ran meanwhile has left
        await run(sql, 'DELETE FROM workspace WHERE id = $1', [id]);
      });
    },

    async removeUser(id, { posts }, told) {
      await atLeisure(pool, async (sql) => {
        await run(
          sql,
          "UPDATE notification n SET message = $2 || substr(n.message, length(u.name) + 1) FROM app_user u WHERE u.id = $1 AND n.user_id <> $1 AND starts_with(n.message, u.name || ' ') AND n.workspace_id IN " +
            '(SELECT workspace_id FROM membership WHERE user_id = $1 UNION SELECT p.workspace_id FROM revision r JOIN post p ON p.id = r.post_id WHERE r.user_id = $1)',
          [id, DELETED_USER],
        );
        for (const table of ['api_key', 'membership', 'notification', 'idempotency'])
          await run(sql, `DELETE FROM ${table} WHERE user_id = $1`, [id]);
      });
      await epochs.end([id]);
      const theirs = posts ? 'TRUE' : 'cell = ANY($2)';
      await removeRows(
        'post',
        await atLeisure(pool, (sql) =>
          idsOf(
            sql,
            `SELECT id FROM post WHERE creator_id = $1 AND ${theirs}`,
            posts ? [id] : [id, PRIVATE_DRAFTS],
          ),
        ),
        told,
      );
      return atLeisure(pool, async (sql) => {
        const gone = await run(
          sql,
          'DELETE FROM app_user WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM post WHERE creator_id = $1) AND NOT EXISTS (SELECT 1 FROM revision WHERE user_id = $1) RETURNING 1',
          [id],
        );
        if (gone.length > 0) return { remains: false };
        await run(
          sql,
          "UPDATE app_user SET name = $2, email = id || '@deleted.invalid', picture = NULL, plan = 'free', rate_limit_override = NULL WHERE id = $1",
          [id, DELETED_USER],
        );
        return { remains: true };
      });
    },
  };
}
