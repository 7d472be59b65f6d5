import { storedStateNumbers } from '../../domain/posts/states.js';
import type { AdminStore } from '../../services/admin/admin-ports.js';
import type { WorkspaceLockStore } from '../../services/workspaces/workspace-lock.js';
import type { Database } from '../database.js';
import type { PostRow } from '../posts/post-rows.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import { SUSPENSION, toSuspendedPost, type SuspensionRow } from './suspended-posts.js';
import type { Statement } from '../sql.js';

const { columns, join } = toSelectList(ALL_FIELDS);
/** Uses the index on stored states, which finds the remaining posts however many were changed. */
const POSTS =
  `SELECT ${columns}, ${SUSPENSION} FROM post p ${join} ` +
  'WHERE p.workspace_id = $1 AND w.locked = $2 AND p.stored_state = ANY($3::smallint[]) AND p.deleted_at IS NULL LIMIT $4';

/** The statement that finds the posts that a lock affects. */
export const lockedPostsStatement = (
  ...[{ id, isLocked }, storedStates, max]: Parameters<WorkspaceLockStore['postsOf']>
): Statement => ({
  text: POSTS,
  values: [id, isLocked, storedStateNumbers(storedStates), max],
});

/**
 * Stores the locks of workspaces. Grants contain them, so the administration of workspaces does.
 */
export const createWorkspaceLockStore = (
  database: Database,
  admin: Pick<AdminStore, 'updateWorkspace'>,
): WorkspaceLockStore => ({
  async setLocked(workspaceId, isLocked) {
    await admin.updateWorkspace(workspaceId, { locked: isLocked });
  },
  async postsOf(...given) {
    const rows = await readPostRows<PostRow & SuspensionRow>(
      database,
      lockedPostsStatement(...given),
      ALL_FIELDS,
    );
    return rows.map(toSuspendedPost);
  },
});
