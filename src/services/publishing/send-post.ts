import {
  networkError,
  stepAfterPreparing,
  stepAfterPublishing,
} from '../../domain/publishing/publication-failures.js';
import {
  lookAgainMs,
  PROCESSING_LOOK_MS,
  publicationPaceOf,
} from '../../domain/publishing/publication-delays.js';
import type { JobOutcome } from '../jobs/job-ports.js';
import type { Publisher, PublicationTarget, SentPost } from '../networks/network-ports.js';
import {
  afterRefusal,
  endPublication,
  type PublicationRun,
  type PublishingDependencies,
} from './settle-publication.js';

/** Where a post is published. */
export interface PublisherConnection {
  readonly publisher: Publisher;
  readonly target: PublicationTarget;
}

/** The first look after a call without a clear result: soon, because it mostly was published. */
const FIRST_LOOK_MS = 1_000;

/**
 * One attempt to publish a post: prepares it, arms the attempt, and makes the call (D53). A post
 * that may be live since before a backup was restored is looked for instead (D56).
 */
export async function sendPost(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
  connection: PublisherConnection,
): Promise<JobOutcome> {
  const { ledger } = dependencies;
  const { run, subject } = publication;
  const { publisher, target } = connection;
  const started = await ledger.start(run, subject.post, publicationPaceOf(target.account));
  if (started.kind === 'postponed') return started;
  const opened = { ...publication, attempt: started.number };
  const prepared = await publisher.prepare(target);
  if (prepared.kind === 'failed') {
    const step = stepAfterPreparing(prepared);
    return afterRefusal(dependencies, opened, { failure: prepared, step });
  }
  const { handle, guarantee } = prepared;
  const { mayBeLiveSince } = subject;
  const attempt = { number: started.number, handle, guarantee, mayBeLiveSince };
  const sentAt = await ledger.arm(run, subject.post, attempt);
  // Changed, deleted or taken over meanwhile, or to be looked for first: nothing was sent, and the
  // next run reads it again.
  if (sentAt === null || mayBeLiveSince) return { kind: 'postponed', inMs: 0 };
  return callPublish(dependencies, opened, { publisher, sent: { ...target, handle, sentAt } });
}

/** Makes the call that publishes, of an armed attempt, and records its result. */
export async function callPublish(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
  { publisher, sent }: { publisher: Publisher; sent: SentPost },
): Promise<JobOutcome> {
  const { run, subject } = publication;
  const { scheduledAt, databaseId } = subject.post;
  const calledAt = dependencies.clock.now();
  const result = await publisher.publish(sent);
  if (result.kind === 'live') {
    const lateMs = Math.max(0, calledAt.getTime() - scheduledAt!.getTime());
    dependencies.metrics?.published(lateMs / 1000);
    return endPublication(dependencies, armed(publication, sent), {
      kind: 'published',
      live: result,
    });
  }
  if (result.kind === 'processing') {
    await dependencies.ledger.recordLook(run, databaseId, { isProcessing: true });
    return { kind: 'postponed', inMs: PROCESSING_LOOK_MS };
  }
  const step = stepAfterPublishing(result);
  if (step !== 'look')
    return afterRefusal(dependencies, armed(publication, sent), { failure: result, step });
  // Sent again after the network said that the post is not there: the pauses get longer.
  const looks = subject.openAttempt?.armed ? subject.openAttempt.armed.looks + 1 : 0;
  await dependencies.ledger.recordLook(run, databaseId, {
    looks,
    error: networkError(result, step),
  });
  return {
    kind: 'postponed',
    inMs: looks === 0 ? FIRST_LOOK_MS : (lookAgainMs(looks) ?? FIRST_LOOK_MS),
  };
}

/** The publication with the post as the attempt was armed. */
const armed = (publication: PublicationRun, { sentAt }: SentPost): PublicationRun => ({
  ...publication,
  subject: { ...publication.subject, post: { ...publication.subject.post, armedAt: sentAt } },
});
