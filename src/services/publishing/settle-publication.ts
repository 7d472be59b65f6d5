import type { JobOutcome } from '../../domain/jobs/job.js';
import {
  networkError,
  serviceError,
  type PublicationStep,
} from '../../domain/publishing/publication-failures.js';
import { publicationRetryMs } from '../../domain/publishing/publication-delays.js';
import { SERVICE } from '../../domain/access/viewer.js';
import type { Network } from '../../domain/networks/networks.js';
import type { PublicationError } from '../../domain/publishing/publication-record.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { AccountStatusService } from '../accounts/account-status.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { ConnectAccount } from '../networks/edit-target.js';
import type { NetworkFailure } from '../networks/network-ports.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import { saveChange } from '../changes/run-change.js';
import { toPublicationChange, type PublicationEnd } from './publication-results.js';
import type {
  PublicationJobSubject,
  PublicationLedger,
} from '../../persistence/publishing/publication-ledger.js';

/** Metrics of publications. */
export interface PublishingMetrics {
  /** `lateSeconds`: from the time of the post until the call that published it. */
  published(lateSeconds: number): void;
  ended(network: Network, outcome: PublicationOutcome): void;
}
/** What an attempt ends with, for metrics. */
export type PublicationOutcome = 'published' | 'retried' | 'failed' | 'unconfirmed' | 'missed';

export interface PublishingDependencies {
  readonly ledger: PublicationLedger;
  readonly connect: ConnectAccount;
  readonly accountStatus: Pick<AccountStatusService, 'markNeedsReauth'>;
  readonly store: Pick<PostStore, 'save' | 'reserveIds'>;
  readonly ids: Ids;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** Absent if metrics are off. */
  readonly metrics?: PublishingMetrics | undefined;
}

/** A run at the publication of a post. */
export interface PublicationRun {
  readonly run: JobRun;
  readonly subject: PublicationJobSubject;
  /** Number of the open attempt; null if there is none. */
  readonly attempt: number | null;
}

export const COMPLETED: JobOutcome = { kind: 'completed', failures: [] };

const failuresOf = ({ subjectId: id }: JobRun, { code, message }: PublicationError) => [
  { id, code: code as PublicationFailureCode, message },
];
type PublicationFailureCode = Extract<JobOutcome, { kind: 'failed' }>['failures'][number]['code'];

/** Ends the publication: saves the state of the post and the ledger in one transaction. */
export const endPublication = async (
  dependencies: PublishingDependencies,
  { run, subject, attempt }: PublicationRun,
  end: PublicationEnd,
): Promise<JobOutcome> => {
  const { ledger, store, ids, clock, metrics } = dependencies;
  // Null if another process has the job: it finds out itself what became of the post.
  const findOwn = async (): Promise<PublicationJobSubject | null> => {
    const found = await ledger.findSubject(run.postId!);
    const isOwn =
      (found?.openAttempt?.number ?? null) === attempt &&
      (end.kind === 'published' || (await run.renew()));
    return isOwn ? found : null;
  };
  let next = async (): Promise<PublicationJobSubject | null> => subject;
  const isSaved = await saveChange(store.save, async () => {
    const current = await next();
    next = findOwn;
    if (!current || current.jobId !== run.id || current.post.queuedAt === null)
      return { outcome: false };
    const { post, plan, timeZone } = current;
    const isRecycled = end.kind === 'published' && post.recycling !== null;
    const change = toPublicationChange(ids, {
      post,
      context: { plan, timeZone },
      copyId: isRecycled ? (await store.reserveIds(1))[0]! : null,
      previous: isRecycled && post.recycling?.solo ? await ledger.previousPublication(post) : null,
      attempt,
      run,
      actor: SERVICE,
      end,
      at: clock.now(),
    });
    return { outcome: true, change };
  });
  if (isSaved && subject.post.network) metrics?.ended(subject.post.network, end.kind);
  return end.kind === 'published' || !isSaved
    ? COMPLETED
    : { kind: 'failed', failures: failuresOf(run, end.error) };
};

/** Takes the post back until it is published again, or ends its publication after the last try. */
export async function retryLater(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
  { error, requestedMs = 0 }: { error: PublicationError; requestedMs?: number },
): Promise<JobOutcome> {
  const { ledger, random, metrics } = dependencies;
  const { run, subject, attempt } = publication;
  const tries = (attempt ?? 1) - subject.earlierAttempts;
  const inMs = publicationRetryMs(tries, { requestedMs, random: random() });
  if (inMs === null) return endPublication(dependencies, publication, { kind: 'failed', error });
  await ledger.release(run, subject.post, { attempt, error, inMs });
  if (subject.post.network) metrics?.ended(subject.post.network, 'retried');
  return { kind: 'completed', failures: failuresOf(run, error) };
}

const DAY_MS = 86_400_000;

/**
 * The notification about a failure that only the operator can end: one per day for each creator and
 * account, because it ends the publication of each post until then.
 */
const operatorsNotification = (
  { clock }: PublishingDependencies,
  { subject: { post } }: PublicationRun,
  { message }: PublicationError,
) => ({
  id: `ntf_o${post.accountId}_${post.creatorId}_${Math.floor(clock.now().getTime() / DAY_MS)}`,
  message: `Posts on ${post.account!.name} are not published until the operator of the gateway helps: ${message}`,
});

/** What follows from a failed call that published nothing. */
export async function afterRefusal(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
  { failure, step }: { failure: NetworkFailure; step: Exclude<PublicationStep, 'look'> },
): Promise<JobOutcome> {
  const error = networkError(failure, step);
  if (step === 'fail')
    return endPublication(dependencies, publication, {
      kind: 'failed',
      error,
      ...(failure.isOperators && {
        sharedNotification: operatorsNotification(dependencies, publication, error),
      }),
    });
  if (step === 'retry')
    return retryLater(dependencies, publication, {
      error,
      ...(failure.retryAfterMs !== undefined && { requestedMs: failure.retryAfterMs }),
    });
  const { run, subject, attempt } = publication;
  await dependencies.ledger.release(run, subject.post, { attempt, error, inMs: null });
  await dependencies.accountStatus.markNeedsReauth(subject.post.accountId!, () => run.renew());
  return { kind: 'completed', failures: failuresOf(run, error) };
}

/** Ends the publication of a post of which it stays unknown whether it is live (D54). */
export const endUnconfirmed = (
  dependencies: PublishingDependencies,
  publication: PublicationRun,
): Promise<JobOutcome> => {
  const cause = publication.subject.openAttempt?.armed?.error;
  const error = serviceError('UNCONFIRMED');
  return endPublication(dependencies, publication, {
    kind: 'unconfirmed',
    error: cause ? { ...error, message: `${error.message} ${cause.message}` } : error,
  });
};
