import { describePause } from '../publishing/watch-pause.js';
import type { PublishingStatus } from '../../domain/publishing/publication.js';
import type { Finding } from '../../domain/diagnostics/diagnostic-facts.js';

/** Posts are handed over within seconds: more is a problem. */
const MAX_LATENESS_MS = 60_000;

/** Checks that due posts are published. `now`: milliseconds since 1970. */
export function publishingFinding(status: PublishingStatus, now: number): Finding {
  const subject = 'publishing';
  const { pausedAt, duePosts, oldestDueAt } = status;
  const due =
    oldestDueAt === null
      ? 'no post is due'
      : `${duePosts} due posts, the first since ${oldestDueAt.toISOString()}`;
  if (pausedAt)
    return {
      status: 'warn',
      subject,
      message: `paused, ${due}`,
      advice: describePause(status),
    };
  if (oldestDueAt && now - oldestDueAt.getTime() > MAX_LATENESS_MS)
    return {
      status: 'warn',
      subject,
      message: due,
      advice:
        'Start a gateway (with JOB_CONCURRENCY above 0 and without PUBLISH_POSTS=0) or a worker, or look at their logs.',
    };
  return { status: 'ok', subject, message: due };
}
