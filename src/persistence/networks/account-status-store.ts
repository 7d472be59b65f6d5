import type pg from 'pg';
import type { Post } from '../../domain/posts/post.js';
import { cellNumbers, type Cell } from '../../domain/posts/states.js';
import type { StandingPost, StandingStore } from '../../services/accounts/account-status.js';
import { ALL_FIELDS, selectParts } from '../posts/post-parts.js';
import { readPostRows } from '../posts/related-rows.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { run } from '../sql.js';

type StandingRow = PostRow & Pick<StandingPost, 'cameFrom' | 'requiresApproval'>;

/** How accounts stand to their networks, and the posts that this concerns. */
export function createStandingStore(pool: pg.Pool): StandingStore {
  const { columns, join } = selectParts(ALL_FIELDS);
  const POSTS =
    `SELECT ${columns}, ` +
    "(SELECT r.changes->'cell'->>'from' FROM revision r WHERE r.post_id = p.id AND r.changes->'cell' IS NOT NULL ORDER BY r.version DESC LIMIT 1) AS \"cameFrom\", " +
    '(SELECT w.requires_approval FROM workspace w WHERE w.id = p.workspace_id) AS "requiresApproval" ' +
    // By the workspace too: its index on cells finds what is left to move, however many were moved before.
    `FROM account a JOIN post p ON p.workspace_id = a.workspace_id AND p.account_id = a.id ${join} ` +
    'WHERE a.id = $1 AND a.needs_reauth = $2 AND p.cell = ANY($3::smallint[]) AND p.deleted_at IS NULL LIMIT $4';
  return {
    async setStanding({ accountId, needsReauth }) {
      await run(pool, 'UPDATE account SET needs_reauth = $2 WHERE id = $1', [
        accountId,
        needsReauth,
      ]);
    },
    async postsOf({ accountId, needsReauth }, cells: readonly Cell[], most) {
      const rows = await readPostRows<StandingRow>(
        pool,
        { text: POSTS, values: [accountId, needsReauth, cellNumbers(cells), most] },
        ALL_FIELDS,
      );
      return rows.map(({ cameFrom, requiresApproval, ...post }) => ({
        post: toPostView(post as PostRow) as Post,
        cameFrom,
        requiresApproval,
      }));
    },
  };
}
