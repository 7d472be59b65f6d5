import type { JobOutcome } from '../../domain/jobs/job.js';
import {
  lookAgainMs,
  PROCESSING_LOOK_MS,
  publicationPaceOf,
  PUBLISH_CALL_MS,
  SECOND_LOOK_MS,
} from '../../domain/publishing/publication-delays.js';
import {
  networkError,
  serviceError,
  stepAfterPreparing,
  stepAfterPublishing,
} from '../../domain/publishing/publication-failures.js';
import type { PublicationTarget, Publisher, SentPost } from '../networks/network-ports.js';
import type { ArmedAttempt } from '../../persistence/publishing/publication-ledger.js';
import {
  afterRefusal,
  COMPLETED,
  endPublication,
  endUnconfirmed,
  retryLater,
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
 * One attempt to publish a post: prepares it, in as many runs as the network needs, arms the
 * attempt, and makes the call (D53). What was prepared for another version is not used. A post
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
  const { postVersion, ...preparation } = subject.openAttempt?.preparation ?? {};
  const isCurrent = postVersion === String(subject.post.version);
  const prepared = await publisher.prepare(target, isCurrent ? preparation : null);
  if (prepared.kind === 'preparing') {
    await ledger.recordPreparation(run, subject.post.databaseId, {
      ...prepared.handle,
      postVersion: String(subject.post.version),
    });
    return { kind: 'postponed', inMs: prepared.againInMs };
  }
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
async function callPublish(
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
    await dependencies.ledger.recordLook(run, databaseId, {
      isProcessing: true,
      ...(result.handle && { handle: result.handle }),
    });
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

/** A post that may have been sent. */
interface Look {
  readonly publication: PublicationRun;
  readonly connection: PublisherConnection;
  readonly armed: ArmedAttempt;
  readonly sent: SentPost;
  /** Milliseconds until the call that was armed cannot take effect any more. */
  readonly untilCallIsOverMs: number;
}

/** Asks the network about a post whose attempt was armed, and sends nothing blindly (D53, D54). */
export async function lookAtPost(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
  { armed, connection }: { armed: ArmedAttempt; connection: PublisherConnection },
): Promise<JobOutcome> {
  const sent: SentPost = { ...connection.target, handle: armed.handle, sentAt: armed.at };
  const look: Look = {
    publication,
    connection,
    armed,
    sent,
    untilCallIsOverMs: armed.at.getTime() + PUBLISH_CALL_MS - publication.subject.now.getTime(),
  };
  const answer = await connection.publisher.look(sent);
  switch (answer.kind) {
    case 'live':
      return endPublication(dependencies, publication, { kind: 'published', live: answer });
    case 'processing':
      await dependencies.ledger.recordLook(publication.run, publication.subject.post.databaseId, {
        isProcessing: true,
      });
      return { kind: 'postponed', inMs: PROCESSING_LOOK_MS };
    case 'not_there':
      return armed.guarantee === 'exact' && !answer.isCompared
        ? sendAgain(dependencies, look)
        : afterNotThere(dependencies, look);
    case 'cannot_tell':
      return look.untilCallIsOverMs > 0
        ? { kind: 'postponed', inMs: look.untilCallIsOverMs }
        : endUnconfirmed(dependencies, publication);
    case 'rejected': {
      const { message } = answer;
      const error = networkError({ code: 'NETWORK_REFUSED', message }, 'fail');
      return endPublication(dependencies, publication, { kind: 'failed', error });
    }
    case 'repeat':
      return repeatCall(dependencies, look);
    case 'failed':
      return afterUnclearAnswer(dependencies, publication, armed);
  }
}

/**
 * Makes the same call once more, on networks that tell only so whether they have the post (D85).
 * Before, the attempt is marked: a process that finds the mark does not know what became of the
 * call, and leaves the post to a person. So does any result that does not tell.
 */
async function repeatCall(dependencies: PublishingDependencies, look: Look): Promise<JobOutcome> {
  const { publication, connection, armed, sent, untilCallIsOverMs } = look;
  const { run, subject } = publication;
  if (untilCallIsOverMs > 0) return { kind: 'postponed', inMs: untilCallIsOverMs };
  // After a backup was restored, the call would not be the same: its files were uploaded again.
  if (armed.notThereAt !== null || subject.mayBeLiveSince)
    return endUnconfirmed(dependencies, publication);
  if (subject.isPaused || !(await run.renew())) return { kind: 'postponed', inMs: SECOND_LOOK_MS };
  await dependencies.ledger.recordLook(run, subject.post.databaseId, { notThereAt: subject.now });
  const result = await connection.publisher.publish(sent);
  if (result.kind === 'live')
    return endPublication(dependencies, publication, { kind: 'published', live: result });
  if (result.kind === 'failed' && result.code === 'NETWORK_DUPLICATE')
    return endPublication(dependencies, publication, {
      kind: 'failed',
      error: networkError(result, 'fail'),
    });
  return endUnconfirmed(dependencies, publication);
}

/**
 * A post of the time before a backup was restored is not on its network: from now on it is
 * published like any other, unless it is too late for that (D56).
 */
async function publishLater(
  { ledger }: PublishingDependencies,
  { publication: { run, subject, attempt } }: Look,
): Promise<JobOutcome> {
  await ledger.release(run, subject.post, { attempt, error: null, inMs: null });
  return COMPLETED;
}

/** The network takes the post once, however often it is sent: the same call is made again (D54). */
async function sendAgain(dependencies: PublishingDependencies, look: Look): Promise<JobOutcome> {
  const { publication, armed, connection, sent } = look;
  if (publication.subject.mayBeLiveSince) return publishLater(dependencies, look);
  if (publication.subject.isPaused) return { kind: 'postponed', inMs: SECOND_LOOK_MS };
  const isLastTry = lookAgainMs(armed.looks + 1) === null;
  if (isLastTry || armed.error?.code === 'NETWORK_DUPLICATE')
    return endPublication(dependencies, publication, {
      kind: 'failed',
      error: notThereError(look),
    });
  // The lease is checked right before the call.
  if (!(await publication.run.renew())) return { kind: 'postponed', inMs: 0 };
  return callPublish(dependencies, publication, { publisher: connection.publisher, sent });
}

/** A list may lag: the post is not there if that is said twice, after the call is over (D54). */
async function afterNotThere(
  dependencies: PublishingDependencies,
  look: Look,
): Promise<JobOutcome> {
  const { publication, armed, untilCallIsOverMs } = look;
  const { run, subject } = publication;
  if (untilCallIsOverMs > 0) return { kind: 'postponed', inMs: untilCallIsOverMs };
  if (armed.notThereAt === null) {
    await dependencies.ledger.recordLook(run, subject.post.databaseId, { notThereAt: subject.now });
    return { kind: 'postponed', inMs: SECOND_LOOK_MS };
  }
  const sinceFirstMs = subject.now.getTime() - armed.notThereAt.getTime();
  if (sinceFirstMs < SECOND_LOOK_MS)
    return { kind: 'postponed', inMs: SECOND_LOOK_MS - sinceFirstMs };
  if (subject.mayBeLiveSince) return publishLater(dependencies, look);
  const error = notThereError(look);
  return armed.error?.code === 'NETWORK_DUPLICATE'
    ? endPublication(dependencies, publication, { kind: 'failed', error })
    : retryLater(dependencies, publication, { error });
}

/** Asks again with longer pauses, and then leaves the decision to a person (D54). */
export async function afterUnclearAnswer(
  dependencies: PublishingDependencies,
  publication: PublicationRun,
  armed: ArmedAttempt,
): Promise<JobOutcome> {
  const looks = armed.looks + 1;
  const inMs = lookAgainMs(looks);
  if (inMs === null) return endUnconfirmed(dependencies, publication);
  const { run, subject } = publication;
  await dependencies.ledger.recordLook(run, subject.post.databaseId, { looks });
  return { kind: 'postponed', inMs };
}

const notThereError = ({ armed }: Look) => armed.error ?? serviceError('NOT_THERE');
