import { storedStateNumbers } from '../../domain/posts/states.js';
import { PUBLISHABLE_STATES } from '../../domain/publishing/publication.js';

/**
 * Whether the post has a file that is like this. With OFFSET 0, PostgreSQL looks up the files of
 * one post, instead of joining those of all posts.
 */
const hasFile = (condition: string): string =>
  `EXISTS (SELECT FROM post_media pm JOIN media_file f ON f.media_id = pm.media_id WHERE pm.post_id = p.id AND ${condition} OFFSET 0)`;
const UPLOAD_ENDS_AT = "COALESCE(f.upload_expires_at, 'infinity')";
/** A file of the post has not arrived yet (D63). */
export const AWAITS_MEDIA = hasFile(`f.status = 'waiting' AND ${UPLOAD_ENDS_AT} > now()`);
/** A media file of the post is missing (D63). */
export const LACKS_MEDIA = hasFile(
  `(f.status = 'failed' OR (f.status = 'waiting' AND ${UPLOAD_ENDS_AT} <= now()))`,
);

/**
 * Posts that have not been handed over. The stored states are literals, so that the planner can use
 * the partial index post_due_idx.
 */
export const IS_AHEAD = `p.stored_state IN (${storedStateNumbers(PUBLISHABLE_STATES).join(', ')}) AND p.queued_at IS NULL AND p.deleted_at IS NULL`;
/** Those of them whose files have arrived. */
export const IS_WAITING = `${IS_AHEAD} AND NOT ${AWAITS_MEDIA}`;
/** The queue of the account is paused, and the post was given its time by the queue (D61). */
export const IS_QUEUE_PAUSED =
  'p.auto AND EXISTS (SELECT FROM posting_schedule s WHERE s.account_id = p.account_id AND s.paused)';
/** An operator locked the workspace (D57). */
export const IS_LOCKED = '(SELECT w.locked FROM workspace w WHERE w.id = p.workspace_id)';
/** Neither the account `a`, its queue nor the workspace keeps the post from being published. */
export const MAY_PUBLISH = `NOT a.needs_reauth AND NOT (${IS_QUEUE_PAUSED}) AND NOT ${IS_LOCKED}`;
/** When a post becomes due. */
export const DUE_AT = 'GREATEST(p.scheduled_at, p.retry_at)';

/** Publication is paused, or is about to be: the tables were restored from a dump (D56). */
export const IS_PUBLISHING_PAUSED =
  '(EXISTS (SELECT FROM publishing_pause WHERE resumed_at IS NULL) OR EXISTS (SELECT FROM database_home WHERE home <> tableoid))';

/** What waits to be handed over, of the first $1 posts. */
export const DUE_POSTS = `
SELECT count(*)::int AS "duePosts", min(due_at) AS "oldestDueAt" FROM (
  SELECT ${DUE_AT} AS due_at FROM post p JOIN account a ON a.id = p.account_id
   WHERE ${IS_WAITING} AND ${DUE_AT} <= now() AND ${MAY_PUBLISH}
   ORDER BY ${DUE_AT} LIMIT $1
) due`;
