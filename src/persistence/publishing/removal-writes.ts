import type { Change, RemovalWrite } from '../../domain/changes/change.js';
import type { Sql } from '../sql.js';

const START =
  'INSERT INTO post_removal (job_id, post_id, sent_id, deletes_post, key_id, api) VALUES ($1, $2, $3, $4, $5, $6)';
const END =
  'UPDATE post_removal SET ended_at = $3, failure = $4::jsonb WHERE job_id = $1 AND post_id = $2 AND ended_at IS NULL';

const writeRemoval = (sql: Sql, { actor, at }: Change, write: RemovalWrite) =>
  write.kind === 'start'
    ? sql(START, [
        write.jobId,
        write.postId,
        write.sentId,
        write.deletesPost,
        actor.keyId,
        actor.api,
      ])
    : sql(END, [write.jobId, write.postId, at, write.failure && JSON.stringify(write.failure)]);

/** Starts and ends removals of posts from their networks. */
export async function writeRemovals(sql: Sql, change: Change): Promise<void> {
  for (const write of change.removals) await writeRemoval(sql, change, write);
}
