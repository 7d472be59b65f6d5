import type pg from 'pg';
import { WORKSPACE_POSTS } from './seed.js';

interface Place {
  readonly workspace: string;
  readonly id: string;
}

/** What the operations are about: workspaces that are only read, and posts to read, to change and to delete. */
export interface Facts {
  readonly readers: readonly string[];
  readonly details: readonly Place[];
  /** Scheduled posts without a title, and the version each has now. */
  readonly updates: readonly (Place & { readonly version: number })[];
  /** What one deletion takes: 25 posts of a workspace that nothing else uses. */
  readonly deletions: readonly { readonly workspace: string; readonly ids: readonly string[] }[];
}

const DETAILS = 20; // of each workspace
const UPDATES = 320;
const DELETED_AT_ONCE = 25;

/** A part of the workspaces for each kind of work, so that no operation meets what another has left; all of them where there are few. */
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

const MOST_WORKSPACES = 24; // of each role: more would tell nothing new
const docIds = async (
  pool: pg.Pool,
  workspace: string,
  condition: string,
  limit: number,
): Promise<{ id: string; version: number }[]> => {
  const text = `SELECT doc_id AS id, version FROM post p JOIN post_body b ON b.post_id = p.id WHERE workspace_id = $1 AND deleted_at IS NULL AND ${condition} ORDER BY md5(doc_id) LIMIT $2`;
  return (await pool.query<{ id: string; version: number }>(text, [workspace, limit])).rows;
};

export async function readFacts(pool: pg.Pool): Promise<Facts> {
  const { rows } = await pool.query<{ id: string; private: boolean; posts: number }>(
    'SELECT id, private, posts FROM bench_workspace ORDER BY n',
  );
  const ordinary = rows
    .filter((row) => !row.private && row.posts < 2 * WORKSPACE_POSTS)
    .map(({ id }) => id);
  const roles = rolesOf(ordinary.length > 0 ? ordinary : rows.map(({ id }) => id));
  const readers = [
    ...rows.filter((row) => row.private).map(({ id }) => id),
    ...roles.read.slice(0, MOST_WORKSPACES),
  ];
  const each = async <T>(
    workspaces: readonly string[],
    read: (workspace: string) => Promise<T[]>,
  ): Promise<T[]> => (await Promise.all(workspaces.slice(0, MOST_WORKSPACES).map(read))).flat();
  return {
    readers,
    details: await each(readers, async (workspace) =>
      (await docIds(pool, workspace, 'cell IN (1, 10)', DETAILS)).map(({ id }) => ({
        workspace,
        id,
      })),
    ),
    updates: await each(roles.updated, async (workspace) =>
      (await docIds(pool, workspace, 'cell = 1 AND title IS NULL', UPDATES)).map((post) => ({
        workspace,
        ...post,
      })),
    ),
    deletions: await each(roles.deleted, async (workspace) => {
      const ids = (await docIds(pool, workspace, 'cell IN (1, 10, 30)', WORKSPACE_POSTS)).map(
        ({ id }) => id,
      );
      return Array.from({ length: Math.floor(ids.length / DELETED_AT_ONCE) }, (_, index) => ({
        workspace,
        ids: ids.slice(index * DELETED_AT_ONCE, (index + 1) * DELETED_AT_ONCE),
      }));
    }),
  };
}

/** The versions that the posts to change have now. */
export async function refreshVersions(pool: pg.Pool, facts: Facts): Promise<Facts> {
  const { rows } = await pool.query<{ id: string; version: number }>(
    'SELECT doc_id AS id, version FROM post WHERE doc_id = ANY($1::char(24)[])',
    [facts.updates.map(({ id }) => id)],
  );
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return {
    ...facts,
    updates: facts.updates.map((post) => ({ ...post, version: versions.get(post.id)! })),
  };
}

/** Takes back what was deleted, and leaves no dead rows to whoever is measured next. */
export async function restore(pool: pg.Pool): Promise<void> {
  await pool.query(
    `WITH back AS (UPDATE post SET deleted_at = NULL WHERE deleted_at IS NOT NULL RETURNING id, account_id, scheduled_at, cell)
     INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM back WHERE cell BETWEEN 1 AND 12 ON CONFLICT DO NOTHING`,
  );
  await pool.query('TRUNCATE revision');
  await pool.query('VACUUM post, post_body, post_search, cap_slot');
}
