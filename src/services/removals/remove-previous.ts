import type { Change } from '../../domain/changes/change.js';
import type { Post } from '../../domain/posts/post.js';
import { removalRefusal } from '../../domain/rules/removal-rules.js';
import type { Ids } from '../ids.js';
import { createRemovalJob, toRemovalWrites } from './removal-job.js';

/** The removal of a publication, or why there is none, for the history of the recycling post. */
interface PreviousRemoval extends Pick<Change, 'jobs' | 'removals'> {
  readonly note: string | null;
}

/**
 * Removes the previous publication of a recycling post, after the new one is live (D59). A job does
 * it: the new publication does not wait for that.
 */
export function removePrevious(ids: Ids, previous: Post | null, at: Date): PreviousRemoval {
  if (previous === null) return { jobs: [], removals: [], note: null };
  const refusal = removalRefusal(previous);
  if (refusal)
    return {
      jobs: [],
      removals: [],
      note: `The previous publication stays on ${previous.network}. ${refusal.message}`,
    };
  const job = createRemovalJob(ids, { isOpen: true, at, failures: [] });
  const { id: sentId, databaseId } = previous;
  return {
    jobs: [{ ...job, postVersion: null }],
    removals: toRemovalWrites(job.id, [{ databaseId, sentId, step: 'remove' }], {
      deletesPosts: false,
    }),
    note: null,
  };
}
