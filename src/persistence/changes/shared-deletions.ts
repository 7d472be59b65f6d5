import type pg from 'pg';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { shareStatements } from '../shared-statements/statement-sharing.js';
import { toCommitError } from '../sql.js';
import { deletePosts, deleteRows, type Deletion } from './post-deletion.js';

/** Maximum number of deletions in a statement: it bounds how long their rows are locked. */
const MAX_DELETIONS = 8;
/**
 * A deletion takes PostgreSQL longer than the gateway: while one statement runs, the deletions that
 * wait already fill the next one.
 */
const MAX_RUNNING = 2;

const throwCommitError = (error: unknown): never => {
  throw toCommitError(error);
};

async function saveAlone(pool: pg.Pool, deletion: Deletion): Promise<true> {
  const sql = changeConnectionsOf(pool);
  await deletePosts(sql, deletion, { withEvents: true }).catch(throwCommitError);
  return true;
}

/** The deletions whose posts no earlier one deletes. */
function withoutCommonPosts(all: readonly Deletion[]): ReadonlySet<Deletion> {
  const postIds = new Set<number>();
  const chosen = new Set<Deletion>();
  for (const deletion of all) {
    const ids = deletion.deletions.map(({ before }) => before.databaseId);
    if (ids.some((id) => postIds.has(id))) continue;
    chosen.add(deletion);
    for (const id of ids) postIds.add(id);
  }
  return chosen;
}

/** Returns whether each deletion was saved; undefined for those that need their own statement. */
async function saveTogether(
  pool: pg.Pool,
  all: readonly Deletion[],
): Promise<(true | undefined)[]> {
  const chosen = [...withoutCommonPosts(all)];
  const sql = changeConnectionsOf(pool);
  const made = await deleteRows(sql, chosen, { withEvents: true, skipsLocked: true }).catch(
    throwCommitError,
  );
  const saved = new Set(chosen.filter((_, index) => made[index]));
  return all.map((deletion) => saved.has(deletion) || undefined);
}

type SaveDeletion = (deletion: Deletion) => Promise<true>;
const savesByPool = new WeakMap<pg.Pool, SaveDeletion>();

const createSave = (pool: pg.Pool): SaveDeletion =>
  shareStatements<Deletion, true>({
    maxCalls: MAX_DELETIONS,
    maxRunning: MAX_RUNNING,
    groupOf: ({ change }) => change.workspaceId,
    together: (all) => saveTogether(pool, all),
    alone: (deletion) => saveAlone(pool, deletion),
  });

/**
 * Saves a change that only deletes posts, in one statement with those that are saved at the same
 * time.
 * @throws RollbackError as `deletePosts`
 */
export function saveDeletion(pool: pg.Pool, deletion: Deletion): Promise<true> {
  const save = savesByPool.get(pool) ?? createSave(pool);
  savesByPool.set(pool, save);
  return save(deletion);
}
