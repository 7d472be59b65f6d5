import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import { PUBLISHABLE_STATES } from '../../domain/publishing/publication.js';

/** SQL of the files `f` of a post that is saved, and of one with `media_ids` that is only planned. */
const FILES_OF_SAVED =
  'post_media pm JOIN media_file f ON f.media_id = pm.media_id WHERE pm.post_id = p.id';
export const FILES_OF_PLANNED = 'media_file f WHERE f.media_id = ANY(p.media_ids)';

/**
 * Whether the post has a file that is like this. With OFFSET 0, PostgreSQL looks up the files of
 * one post, instead of joining those of all posts.
 */
const hasFile = (files: string, condition: string): string =>
  `EXISTS (SELECT FROM ${files} AND ${condition} OFFSET 0)`;
const UPLOAD_ENDS_AT = "COALESCE(f.upload_expires_at, 'infinity')";
const IS_AWAITED = `f.status = 'waiting' AND ${UPLOAD_ENDS_AT} > now()`;
const IS_LACKING = `(f.status = 'failed' OR (f.status = 'waiting' AND ${UPLOAD_ENDS_AT} <= now()))`;
/** A file of the post has not arrived yet (D63). */
const AWAITS_MEDIA = hasFile(FILES_OF_SAVED, IS_AWAITED);

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

const PUBLISHED_STATES = storedStateNumbers(STATE_FILTERS.published.storedStates).join(', ');

/** Why the post is not published when its time comes; null if it is, or already was. */
export const publicationHold = (files = FILES_OF_SAVED): string =>
  `CASE WHEN p.stored_state IN (${PUBLISHED_STATES}) THEN NULL
      WHEN ${hasFile(files, IS_LACKING)} THEN 'media_failed' WHEN ${hasFile(files, IS_AWAITED)} THEN 'media_waiting' WHEN ${IS_LOCKED} THEN 'workspace_locked'
      WHEN ${IS_QUEUE_PAUSED} THEN 'queue_paused' WHEN ${IS_PUBLISHING_PAUSED} THEN 'publishing_paused' END`;

const WAITING_POSTS = `
  SELECT ${DUE_AT} AS due_at FROM post p JOIN account a ON a.id = p.account_id
   WHERE ${IS_WAITING} AND ${DUE_AT} <= now() AND ${MAY_PUBLISH}
   ORDER BY ${DUE_AT}`;

/** What waits to be handed over, of the first $1 posts. */
export const DUE_POSTS = `
SELECT count(*)::int AS "duePosts", min(due_at) AS "oldestDueAt" FROM (${WAITING_POSTS} LIMIT $1) due`;

/**
 * Seconds since the first due post could have been published that is not: it waits to be handed
 * over, or its job is due. The job keeps the time at which it became due while it runs, and has a
 * later one while it waits for the pace of its network. 0 if there is none.
 */
export const OLDEST_DUE_SECONDS = `
SELECT COALESCE(GREATEST(0, EXTRACT(epoch FROM now() - LEAST(
  (${WAITING_POSTS} LIMIT 1),
  (SELECT min(due_at) FROM job WHERE status = 'working' AND kind = 'publish' AND due_at <= now())
))), 0)::float8 AS seconds`;
