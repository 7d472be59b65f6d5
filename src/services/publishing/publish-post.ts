import { EMPTY_CHANGE } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/access/viewer.js';
import { capFor, capAllowance } from '../../domain/caps/daily-caps.js';
import type { JobOutcome } from '../../domain/jobs/job.js';
import { checkContent } from '../../domain/creation/check-publishable.js';
import {
  networkError,
  serviceError,
  stepAfterPreparing,
} from '../../domain/publishing/publication-failures.js';
import { isPublishable } from '../../domain/publishing/publication.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { JobHandler } from '../jobs/job-handler.js';
import type { NetworkFailure } from '../networks/network-ports.js';
import {
  afterUnclearAnswer,
  lookAtPost,
  sendPost,
  type PublisherConnection,
} from './attempt-publication.js';
import type { PublicationEnd } from './publication-results.js';
import type {
  PublicationJobSubject,
  PublicationLedger,
} from '../../persistence/publishing/publication-ledger.js';
import {
  afterRefusal,
  COMPLETED,
  endPublication,
  endUnconfirmed,
  type PublicationRun,
  type PublishingDependencies,
} from './settle-publication.js';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** How often a job finds out whether publication is still paused. */
const PAUSED_MS = 10_000;

/**
 * The notification about the missed posts of an account: one per hour for each creator, because all
 * posts of an account may be late at once (D55). A notification that exists is not created again.
 */
const missedNotification = ({ post, handedOverAt, lateMinutes }: PublicationJobSubject) => ({
  id: `ntf_m${post.accountId}_${post.creatorId}_${Math.floor(handedOverAt.getTime() / HOUR_MS)}`,
  message: `One or more posts on ${post.account!.name} were not published, because they were more than ${lateMinutes} minutes late. Retry them, or give them another time.`,
});

/** The end of a post that was handed over too late (D56). */
function missedEnd(subject: PublicationJobSubject): PublicationEnd | null {
  const { post, handedOverAt, lateMinutes } = subject;
  const lateMs = handedOverAt.getTime() - post.scheduledAt!.getTime();
  return lateMs <= lateMinutes * MINUTE_MS
    ? null
    : {
        kind: 'missed',
        sharedNotification: missedNotification(subject),
        error: serviceError(
          'MISSED',
          `The post was due at ${post.scheduledAt!.toISOString()}, ${Math.floor(lateMs / MINUTE_MS)} minutes before it could be published. The workspace allows ${lateMinutes} minutes.`,
        ),
      };
}

/** The end of a post that exceeds a daily cap, which may have been lowered (D52). */
async function capEnd(
  ledger: PublicationLedger,
  { post, plan, now, capUse }: PublicationJobSubject,
): Promise<PublicationEnd | null> {
  const { network, type: accountType } = post.account!;
  const { postKind, limit } = capFor({ network, accountType, postType: post.type, plan });
  if (capUse?.postKind === postKind && capUse.slots <= limit) return null;
  const earlier = await ledger.earlierPublications(post, postKind);
  if (earlier.length < limit) return null;
  const times = earlier.map((at) => at.getTime());
  const { nextFreeAt } = capAllowance(limit, times, now.getTime());
  return {
    kind: 'failed',
    error: serviceError(
      'DAILY_LIMIT_EXCEEDED',
      `The account has reached its limit of ${limit} publications (${postKind}) within 24 hours. Next free time: ${new Date(nextFreeAt).toISOString()}.`,
    ),
  };
}

/** The end of a post with a file that could not be fetched, or was never sent (D63). */
const mediaEnd = ({ missingMedia }: PublicationJobSubject): PublicationEnd | null =>
  missingMedia === null
    ? null
    : {
        kind: 'failed',
        error: { ...serviceError('MEDIA_FETCH_FAILED', missingMedia), field: 'media' },
      };

/** The end of a post that its network would not take: a file may have arrived meanwhile (D88). */
function contentEnd({ post }: PublicationJobSubject): PublicationEnd | null {
  const [refusal, ...others] = checkContent(post, post.account!.network);
  if (!refusal) return null;
  const message = [refusal, ...others].map((one) => one.message).join(' ');
  const field = refusal.path[0] ?? null;
  return {
    kind: 'failed',
    error: networkError(
      { code: 'NETWORK_REFUSED', message: `The post was not sent: ${message}`, field },
      'fail',
    ),
  };
}

/** Why a post ends without an attempt; null if it may be sent. Retries are not checked again. */
async function endBeforeSending(
  ledger: PublicationLedger,
  subject: PublicationJobSubject,
): Promise<PublicationEnd | null> {
  const isFirst = subject.post.publicationRecord!.attempts === subject.earlierAttempts;
  return isFirst
    ? (missedEnd(subject) ??
        (await capEnd(ledger, subject)) ??
        mediaEnd(subject) ??
        contentEnd(subject))
    : null;
}

async function connectPublisher(
  { connect }: PublishingDependencies,
  { post, timeZone }: PublicationJobSubject,
): Promise<(PublisherConnection & { kind: 'connected' }) | NetworkFailure> {
  const connection = await connect(post.account!);
  if (connection.kind === 'failed') return connection;
  const { adapter, account, credentials } = connection;
  return adapter.publisher
    ? {
        kind: 'connected',
        publisher: adapter.publisher,
        target: { account, credentials, post, timeZone },
      }
    : {
        kind: 'failed',
        code: 'NETWORK_NOT_CONNECTED',
        message: `The gateway does not publish on ${account.network}.`,
      };
}

/**
 * The same ID for each attempt at a job: a worker may stop after it saved the notification, or lose
 * its lease before, and another one repeats the job.
 */
const reminderIdOf = ({ id }: JobRun): string => id.replace(/^job_/, 'ntf_r');

/**
 * A person publishes a reminder: its creator is notified once, and the post stays queued (D58).
 */
async function remind(
  { store, clock }: PublishingDependencies,
  { run, subject: { post } }: PublicationRun,
): Promise<JobOutcome> {
  await store.save({
    ...EMPTY_CHANGE,
    workspaceId: post.workspaceId,
    actor: SERVICE,
    at: clock.now(),
    posts: [],
    notifications: [
      {
        id: reminderIdOf(run),
        userId: post.creatorId,
        kind: 'reminder_due',
        message: `It is time to publish your post on ${post.account!.name}.`,
        postId: post.databaseId,
      },
    ],
  });
  return COMPLETED;
}

async function publish(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
): Promise<JobOutcome> {
  const { ledger } = dependencies;
  const { run, subject, attempt } = publication;
  const { post, openAttempt } = subject;
  const armed = openAttempt?.armed ?? null;
  if (!armed && subject.isPaused) return { kind: 'postponed', inMs: PAUSED_MS };
  if (!armed && !isPublishable(post.storedState)) {
    await ledger.release(run, post, { attempt, error: null, inMs: null });
    return COMPLETED;
  }
  if (post.reminder && !armed) return remind(dependencies, publication);
  const mayBeLive = armed !== null || subject.mayBeLiveSince !== null;
  const end = mayBeLive ? null : await endBeforeSending(ledger, subject);
  if (end) return endPublication(dependencies, publication, end);
  const connection = await connectPublisher(dependencies, subject);
  if (connection.kind === 'connected')
    return armed
      ? lookAtPost(dependencies, publication, { armed, connection })
      : sendPost(dependencies, publication, connection);
  return armed
    ? afterUnclearAnswer(dependencies, publication, armed)
    : afterRefusal(dependencies, publication, {
        failure: connection,
        step: stepAfterPreparing(connection),
      });
}

/** The post of a job; null if it was published, deleted, or handed over with another job since. */
async function publicationOfJob(
  { ledger }: PublishingDependencies,
  run: JobRun,
): Promise<PublicationRun | null> {
  const subject = run.postId === null ? null : await ledger.findSubject(run.postId);
  return !subject || subject.jobId !== run.id || subject.post.queuedAt === null
    ? null
    : { run, subject, attempt: subject.openAttempt?.number ?? null };
}

/**
 * Publishes a post that was handed over (D52 to D57). Goes on where an earlier run stopped: a post
 * that may have been sent is looked for, any other is sent.
 */
export const createPublishing =
  (dependencies: PublishingDependencies): JobHandler =>
  async (run) => {
    const publication = await publicationOfJob(dependencies, run);
    return publication ? publish(dependencies, publication) : COMPLETED;
  };

/** Ends the publication of a post whose job failed again and again for an internal reason. */
export const createPublicationGiveUp =
  (dependencies: PublishingDependencies): JobHandler =>
  async (run) => {
    const publication = await publicationOfJob(dependencies, run);
    if (!publication) return COMPLETED;
    return publication.subject.openAttempt?.armed
      ? endUnconfirmed(dependencies, publication)
      : endPublication(dependencies, publication, {
          kind: 'failed',
          error: serviceError('INTERNAL_SERVER_ERROR'),
        });
  };
