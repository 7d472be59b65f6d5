import { restoreJob, restorePost, withDates } from '../recorded-dates.js';
import type { CreateOutcome } from './creation-request.js';

/** An outcome that was recorded as JSON. */
export const restoreOutcome = (outcome: CreateOutcome): CreateOutcome =>
  outcome.kind === 'refused'
    ? { ...outcome, replayed: true }
    : {
        ...outcome,
        results: outcome.results.map((result) => ({
          ...withDates(result, ['scheduledAt']),
          post: result.post && restorePost(result.post),
        })),
        job: outcome.job && restoreJob(outcome.job),
        replayed: true,
      };
