import type { JobOutcome } from '../../../src/domain/jobs/job.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { TestWorker } from '../../fixtures/test-worker.js';
import { unlimitedClaim } from '../../fixtures/unlimited-claim.js';

export const COMPLETED: JobOutcome = { kind: 'completed', failures: [] };

interface GivenJob {
  readonly id: string;
  readonly kind?: string;
  /** Intervals from now. */
  readonly due?: string;
  readonly leased?: string | null;
  readonly post?: Post | null;
}

/** Rows of jobs, and claims of them. */
export const jobRows = (fixture: () => TestWorker) => ({
  /** Inserts an unfinished job, due for a minute unless stated otherwise. */
  aJob: ({
    id,
    kind = 'notification',
    due = '-1 minute',
    leased = null,
    post = null,
  }: GivenJob): Promise<unknown> =>
    fixture().sql(
      'INSERT INTO job (id, kind, due_at, leased_until, post_id) VALUES ($1, $2::job_kind, now() + $3::interval, now() + $4::interval, $5)',
      id,
      kind,
      due,
      leased,
      post?.databaseId ?? null,
    ),
  expireLease: (id: string): Promise<unknown> =>
    fixture().sql("UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1", id),
  claimedIds: async (max = 50): Promise<string[]> =>
    (await fixture().queue.claim(unlimitedClaim(max))).map(({ id }) => id).sort(),
});
