import { storedStateNumbers } from '../../domain/posts/states.js';
import { PUBLISHABLE_STATES } from '../../domain/publishing/publication.js';
import type {
  FollowedPost,
  FollowedPosts,
  FollowedPostsStore,
} from '../../services/jobs/follow-publications.js';
import type { Database } from '../database.js';

/** A reminder that was handed over waits for a person (D58). */
const IS_OPEN =
  `p.stored_state IN (${storedStateNumbers(PUBLISHABLE_STATES).join(', ')}) AND p.scheduled_at <= GREATEST(now(), j.created_at) ` +
  'AND NOT (p.reminder AND p.queued_at IS NOT NULL)';

const POSTS = `
SELECT COALESCE(json_agg(json_build_object(
         'databaseId', p.id, 'id', p.doc_id, 'accountId', p.account_id, 'isOpen', ${IS_OPEN},
         'error', CASE WHEN u.result <> 'published' THEN u.error END) ORDER BY listed.position), '[]')
  FROM jsonb_array_elements(j.result->'posts') WITH ORDINALITY AS listed(post, position)
  JOIN post p ON p.id = (listed.post->>'databaseId')::bigint AND p.deleted_at IS NULL
  LEFT JOIN publication u ON u.post_id = p.id`;

const PROGRESS = `
SELECT j.result, (${POSTS}) AS posts,
       GREATEST(0, EXTRACT(epoch FROM clock_timestamp() - j.created_at) * 1000)::float8 AS "ageMs"
  FROM job j WHERE j.id = $1 AND j.result IS NOT NULL`;

/** Reads the posts of jobs. */
export const createFollowedPostsStore = (database: Database): FollowedPostsStore => ({
  async progressOf(jobId) {
    const [row] = await database.scan<
      Pick<FollowedPosts, 'result' | 'ageMs'> & { posts: readonly FollowedPost[] }
    >(PROGRESS, [jobId]);
    return row ?? null;
  },
});
