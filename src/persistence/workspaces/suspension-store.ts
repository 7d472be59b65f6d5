import type { AccountStatus } from '../../domain/changes/change.js';
import type { Actor } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import {
  type StoredState,
  storedStateByNumber,
  storedStateNumbers,
} from '../../domain/posts/states.js';
import { SUSPENDED_STATES, type SuspendedPost } from '../../domain/posts/transitions.js';
import type { AdminStore } from '../admin/admin-store.js';
import type { Database } from '../database.js';
import { announceEvents, ACCOUNT_COLUMNS, insertRecordEvents } from '../events/insert-events.js';
import { type PostRow, toPostView, ALL_FIELDS, toSelectList } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import { Parameters, type Statement } from '../sql.js';

/** A post of a workspace or an account, and what its state depends on if it is suspended. */
export interface SuspendedPostRecord extends Omit<SuspendedPost, 'storedState' | 'needsReauth'> {
  readonly post: Post;
}

/** What the state of a suspended post depends on, besides the row of the post. */
interface SuspensionRow {
  readonly suspension: {
    readonly previous: StoredState | null;
    /** Of the series of the post. */
    readonly occurrenceState: number | null;
    readonly requiresApproval: boolean;
    readonly isLocked: boolean;
  };
}

const SUSPENDED = SUSPENDED_STATES.map((state) => `'${state}'`).join(', ');

/**
 * The last state that was no suspension, from the history of the post; if it has none, the approval
 * of its series. `p` is the post, `w` its workspace.
 */
const SUSPENSION = `json_build_object(
  'previous', (SELECT r.changes->'storedState'->>'from' FROM revision r
     WHERE r.post_id = p.id AND r.changes->'storedState'->>'from' NOT IN (${SUSPENDED}) ORDER BY r.version DESC LIMIT 1),
  'occurrenceState', (SELECT s.occurrence_state FROM post s WHERE s.id = p.parent_id),
  'requiresApproval', w.requires_approval, 'isLocked', w.locked) AS suspension`;

function toSuspendedPost({ suspension, ...row }: PostRow & SuspensionRow): SuspendedPostRecord {
  const { previous, occurrenceState, ...circumstances } = suspension;
  const ofSeries = occurrenceState === null ? null : storedStateByNumber.get(occurrenceState)!;
  return {
    post: toPostView(row as PostRow) as Post,
    previous: previous ?? ofSeries,
    ...circumstances,
  };
}

const { columns, join } = toSelectList(ALL_FIELDS);
/** Uses the index on stored states, which finds the remaining posts however many were changed. */
const POSTS_OF_WORKSPACE =
  `SELECT ${columns}, ${SUSPENSION} FROM post p ${join} ` +
  'WHERE p.workspace_id = $1 AND w.locked = $2 AND p.stored_state = ANY($3::smallint[]) AND p.deleted_at IS NULL LIMIT $4';

/** The statement that finds the posts that a lock affects. */
export const lockedPostsStatement = (
  { id, isLocked }: { readonly id: string; readonly isLocked: boolean },
  storedStates: readonly StoredState[],
  max: number,
): Statement => ({
  text: POSTS_OF_WORKSPACE,
  values: [id, isLocked, storedStateNumbers(storedStates), max],
});

/**
 * Stores which workspaces are locked, and finds the posts that this affects. Grants contain the
 * locks, so the administration of workspaces stores them.
 */
export const createWorkspaceLockStore = (
  database: Database,
  admin: Pick<AdminStore, 'updateWorkspace'>,
) => ({
  async setLocked(workspaceId: string, isLocked: boolean): Promise<void> {
    await admin.updateWorkspace(workspaceId, { locked: isLocked });
  },
  /**
   * The first posts of the workspace in these stored states, with what their states depend on; none
   * if the lock of the workspace has changed since.
   */
  async postsOf(
    workspace: { readonly id: string; readonly isLocked: boolean },
    storedStates: readonly StoredState[],
    max: number,
  ): Promise<SuspendedPostRecord[]> {
    const rows = await readPostRows<PostRow & SuspensionRow>(
      database,
      lockedPostsStatement(workspace, storedStates, max),
      ALL_FIELDS,
    );
    return rows.map(toSuspendedPost);
  },
});
export type WorkspaceLockStore = ReturnType<typeof createWorkspaceLockStore>;

/** Stores the status of accounts, and finds the posts that a change of status affects. */
export function createAccountStatusStore(database: Database) {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const POSTS_OF_ACCOUNT =
    `SELECT ${columns}, ${SUSPENSION} ` +
    // Joins by workspace as well: its index on stored states finds the remaining posts, independent
    // of how many were already moved.
    `FROM account a JOIN post p ON p.workspace_id = a.workspace_id AND p.account_id = a.id ${join} ` +
    'WHERE a.id = $1 AND a.needs_reauth = $2 AND p.stored_state = ANY($3::smallint[]) AND p.deleted_at IS NULL LIMIT $4';
  return {
    /** Writes an event of the actor if the status changes. SQL: in the same statement. */
    async setStatus({ accountId, needsReauth }: AccountStatus, actor: Actor): Promise<void> {
      const parameters = new Parameters(accountId, needsReauth);
      const type = needsReauth ? 'account.needs_reauthorization' : 'account.connected';
      const events = insertRecordEvents({ type, rows: 'changed', actor }, parameters);
      await database.change(
        `WITH changed AS (UPDATE account SET needs_reauth = $2 WHERE id = $1 AND needs_reauth <> $2 RETURNING ${ACCOUNT_COLUMNS}) ${events}`,
        parameters.values,
      );
      announceEvents(database, null);
    },
    /**
     * The first posts of the account in these stored states; none if the account's status has
     * changed since.
     */
    async postsOf(
      { accountId, needsReauth }: AccountStatus,
      storedStates: readonly StoredState[],
      max: number,
    ): Promise<SuspendedPostRecord[]> {
      const rows = await readPostRows<PostRow & SuspensionRow>(
        database,
        {
          text: POSTS_OF_ACCOUNT,
          values: [accountId, needsReauth, storedStateNumbers(storedStates), max],
        },
        ALL_FIELDS,
      );
      return rows.map(toSuspendedPost);
    },
  };
}
export type AccountStatusStore = ReturnType<typeof createAccountStatusStore>;
