import type pg from 'pg';
import { WORKSPACE_POSTS } from './seed.js';

interface PostTarget {
  readonly workspace: string;
  readonly id: string;
}

/**
 * What the operations read and change: workspaces that are only read, and posts to read, to update
 * and to delete.
 */
export interface Targets {
  readonly readers: readonly string[];
  readonly details: readonly PostTarget[];
  /** Scheduled posts without a title, with their current versions. */
  readonly updates: readonly (PostTarget & { readonly version: number })[];
  /** The 25 accounts of one creation, in a workspace that is not read. */
  readonly creations: readonly {
    readonly workspace: string;
    readonly accountIds: readonly string[];
  }[];
  /** The 25 posts of one deletion, in a workspace that no other operation uses. */
  readonly deletions: readonly { readonly workspace: string; readonly ids: readonly string[] }[];
}

const DETAILS = 20; // per workspace
const UPDATES = 320;
const POSTS_PER_DELETION = 25;
const TARGETS_PER_CREATION = 25;

/**
 * Assigns a part of the workspaces to each kind of operation, so that none finds changes of
 * another. With few workspaces, each kind gets all of them.
 */
function rolesOf(workspaces: readonly string[]) {
  const part = (from: number, to: number): string[] => {
    const some = workspaces.slice(
      Math.round(workspaces.length * from),
      Math.round(workspaces.length * to),
    );
    return some.length > 0 ? some : [...workspaces];
  };
  return { read: part(0, 0.5), updated: part(0.5, 0.66), deleted: part(0.66, 1) };
}

const MAX_WORKSPACES = 24; // per kind of operation
const docIds = async (
  pool: pg.Pool,
  workspace: string,
  condition: string,
  limit: number,
): Promise<{ id: string; version: number }[]> => {
  const text = `SELECT doc_id AS id, version FROM post p JOIN post_body b ON b.post_id = p.id WHERE workspace_id = $1 AND deleted_at IS NULL AND ${condition} ORDER BY md5(doc_id) LIMIT $2`;
  return (await pool.query<{ id: string; version: number }>(text, [workspace, limit])).rows;
};

/** Accounts that take scheduled posts, which those of the seed do not, created once. */
async function creationAccounts(pool: pg.Pool, workspace: string): Promise<string[]> {
  await pool.query(
    `INSERT INTO account (id, workspace_id, network, type, name, social_id, sandbox)
     SELECT 'acc_C1' || right($1, 10) || lpad(n::text, 4, '0'), $1, 'mastodon', 'profile', 'Target ' || n, 'c' || n, true
       FROM generate_series(1, ${TARGETS_PER_CREATION}) n ON CONFLICT DO NOTHING`,
    [workspace],
  );
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM account WHERE workspace_id = $1 AND id LIKE 'acc_C1%' ORDER BY id",
    [workspace],
  );
  return rows.map(({ id }) => id);
}

export async function readTargets(pool: pg.Pool): Promise<Targets> {
  const { rows } = await pool.query<{ id: string; private: boolean; posts: number }>(
    'SELECT id, private, posts FROM bench_workspace ORDER BY n',
  );
  const ordinary = rows
    .filter((row) => !row.private && row.posts < 2 * WORKSPACE_POSTS)
    .map(({ id }) => id);
  const roles = rolesOf(ordinary.length > 0 ? ordinary : rows.map(({ id }) => id));
  const readers = [
    ...rows.filter((row) => row.private).map(({ id }) => id),
    ...roles.read.slice(0, MAX_WORKSPACES),
  ];
  const each = async <T>(
    workspaces: readonly string[],
    read: (workspace: string) => Promise<T[]>,
  ): Promise<T[]> => (await Promise.all(workspaces.slice(0, MAX_WORKSPACES).map(read))).flat();
  return {
    readers,
    details: await each(readers, async (workspace) =>
      (await docIds(pool, workspace, 'stored_state IN (1, 10)', DETAILS)).map(({ id }) => ({
        workspace,
        id,
      })),
    ),
    updates: await each(roles.updated, async (workspace) =>
      (await docIds(pool, workspace, 'stored_state = 1 AND title IS NULL', UPDATES)).map(
        (post) => ({
          workspace,
          ...post,
        }),
      ),
    ),
    creations: await each(roles.updated, async (workspace) => [
      { workspace, accountIds: await creationAccounts(pool, workspace) },
    ]),
    deletions: await each(roles.deleted, async (workspace) => {
      const ids = (
        await docIds(pool, workspace, 'stored_state IN (1, 10, 30)', WORKSPACE_POSTS)
      ).map(({ id }) => id);
      return Array.from({ length: Math.floor(ids.length / POSTS_PER_DELETION) }, (_, index) => ({
        workspace,
        ids: ids.slice(index * POSTS_PER_DELETION, (index + 1) * POSTS_PER_DELETION),
      }));
    }),
  };
}

/** Reads the current versions of the posts to update. */
export async function refreshVersions(pool: pg.Pool, targets: Targets): Promise<Targets> {
  const { rows } = await pool.query<{ id: string; version: number }>(
    'SELECT doc_id AS id, version FROM post WHERE doc_id = ANY($1::char(24)[])',
    [targets.updates.map(({ id }) => id)],
  );
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return {
    ...targets,
    updates: targets.updates.map((post) => ({ ...post, version: versions.get(post.id)! })),
  };
}

/** Undoes creations and deletions, and removes dead rows so that the next measurement is not affected. */
export async function restore(pool: pg.Pool): Promise<void> {
  await pool.query(
    `WITH back AS (UPDATE post SET deleted_at = NULL WHERE deleted_at IS NOT NULL RETURNING id, account_id, scheduled_at, stored_state)
     INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM back WHERE stored_state BETWEEN 1 AND 12 ON CONFLICT DO NOTHING`,
  );
  await pool.query("DELETE FROM post WHERE account_id LIKE 'acc_C1%'");
  await pool.query('TRUNCATE event');
  await pool.query('TRUNCATE revision, idempotency');
  await pool.query('VACUUM post, post_body, post_search, cap_slot');
}
