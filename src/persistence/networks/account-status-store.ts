import { storedStateNumbers, type StoredState } from '../../domain/posts/states.js';
import type { AccountStatusStore } from '../../services/accounts/account-ports.js';
import type { Database } from '../database.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import type { PostRow } from '../posts/post-rows.js';
import { SUSPENSION, toSuspendedPost, type SuspensionRow } from '../workspaces/suspended-posts.js';
import { announceEvents } from '../events/event-wakeups.js';
import { ACCOUNT_COLUMNS, insertRecordEvents } from '../events/insert-events.js';
import { Parameters } from '../sql.js';

/** Stores the status of accounts, and finds the posts that a change of status affects. */
export function createAccountStatusStore(database: Database): AccountStatusStore {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const POSTS =
    `SELECT ${columns}, ${SUSPENSION} ` +
    // Joins by workspace as well: its index on stored states finds the remaining posts, independent
    // of how many were already moved.
    `FROM account a JOIN post p ON p.workspace_id = a.workspace_id AND p.account_id = a.id ${join} ` +
    'WHERE a.id = $1 AND a.needs_reauth = $2 AND p.stored_state = ANY($3::smallint[]) AND p.deleted_at IS NULL LIMIT $4';
  return {
    async setStatus({ accountId, needsReauth }, actor) {
      const parameters = new Parameters(accountId, needsReauth);
      const type = needsReauth ? 'account.needs_reauthorization' : 'account.connected';
      const events = insertRecordEvents({ type, rows: 'changed', actor }, parameters);
      await database.change(
        `WITH changed AS (UPDATE account SET needs_reauth = $2 WHERE id = $1 AND needs_reauth <> $2 RETURNING ${ACCOUNT_COLUMNS}) ${events}`,
        parameters.values,
      );
      announceEvents(database, null);
    },
    async postsOf({ accountId, needsReauth }, storedStates: readonly StoredState[], max) {
      const rows = await readPostRows<PostRow & SuspensionRow>(
        database,
        { text: POSTS, values: [accountId, needsReauth, storedStateNumbers(storedStates), max] },
        ALL_FIELDS,
      );
      return rows.map(toSuspendedPost);
    },
  };
}
