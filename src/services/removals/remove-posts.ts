import { EMPTY_CHANGE, type Change, type PostWrite } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/access/viewer.js';
import { jobRetryDelayMs, type JobOutcome } from '../../domain/jobs/job.js';
import type { JobFailure } from '../../domain/jobs/job.js';
import { NETWORK_FAILURES } from '../../domain/networks/network-failures.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateAfter } from '../../domain/posts/transitions.js';
import { publicationPaceOf } from '../../domain/publishing/publication-delays.js';
import { serviceError } from '../../domain/publishing/publication-failures.js';
import { isOnNetwork, removalRefusal } from '../../domain/rules/removal-rules.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { AccountStatusService } from '../accounts/account-status.js';
import type { Clock } from '../clock.js';
import type { JobHandler } from '../jobs/job-handler.js';
import type { ConnectAccount } from '../networks/edit-target.js';
import type { NetworkFailure } from '../networks/network-ports.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import { saveChange } from '../changes/run-change.js';
import type {
  DueRemoval,
  RemovalProgress,
  RemovalStore,
  RemovalSubject,
} from '../../persistence/publishing/removal-store.js';

export interface RemovalDependencies {
  readonly removals: RemovalStore;
  readonly connect: ConnectAccount;
  readonly accountStatus: Pick<AccountStatusService, 'markNeedsReauth'>;
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

/** How long an attempt starts new calls: other jobs wait for its worker. */
const MAX_CALLING_MS = 60_000;
/**
 * Longest pause between two calls that an attempt waits for: after a longer one, the job is claimed
 * again.
 */
const MAX_WAIT_MS = 100;

const IN_DOUBT =
  'It is unknown whether the network removed the post. Look there, and remove the post again if it is still public.';

/** Whether the next removal on the same account may follow. */
type Next = 'continue' | 'stop';

/**
 * Removes the posts of a job from their networks (D62). A removal may be repeated, because a post
 * that is gone counts as removed: a worker may stop after a call and before recording its result.
 */
export const createRemovals =
  (dependencies: RemovalDependencies): JobHandler =>
  async (run) => {
    const { removals, clock } = dependencies;
    const until = clock.now().getTime() + MAX_CALLING_MS;
    const removeInTurn = async (due: readonly DueRemoval[]): Promise<void> => {
      for (const { postId } of due) {
        if (clock.now().getTime() > until || !(await run.renew())) return;
        if ((await removePost(dependencies, run, postId)) === 'stop') return;
      }
    };
    await Promise.all(byAccount(await removals.due(run.id)).map(removeInTurn));
    return outcomeOf(await removals.progressOf(run.id));
  };

/** Ends the removals of a job that failed again and again for an internal reason. */
export const createRemovalGiveUp =
  (dependencies: RemovalDependencies): JobHandler =>
  async (run) => {
    const { removals } = dependencies;
    const { message } = serviceError('INTERNAL_SERVER_ERROR');
    for (const postId of await removals.open(run.id)) {
      const subject = await removals.find(run.id, postId);
      if (!subject) continue;
      const failure = {
        code: 'INTERNAL_SERVER_ERROR',
        message: subject.attempts > 0 ? `${message} ${IN_DOUBT}` : message,
      } as const;
      await recordKept(dependencies, run, { subject, failure });
    }
    return outcomeOf(await removals.progressOf(run.id));
  };

/** The accounts do not wait for each other; each gets one call of the job at a time. */
function byAccount(due: readonly DueRemoval[]): DueRemoval[][] {
  const accounts = new Map<string | null, DueRemoval[]>();
  for (const removal of due)
    accounts.set(removal.accountId, [...(accounts.get(removal.accountId) ?? []), removal]);
  return [...accounts.values()];
}

function outcomeOf({ nextInMs, removed, failures }: RemovalProgress): JobOutcome {
  if (nextInMs !== null) return { kind: 'postponed', inMs: nextInMs };
  return { kind: removed === 0 ? 'failed' : 'completed', failures };
}

async function removePost(
  dependencies: RemovalDependencies,
  run: JobRun,
  postId: number,
): Promise<Next> {
  const { removals } = dependencies;
  const subject = await removals.find(run.id, postId);
  if (!subject) return 'continue';
  // Removed by another job, or reported as deleted by its network in the meantime.
  if (!isOnNetwork(subject.post.storedState)) return recordRemoved(dependencies, run, subject);
  const call = await prepareCall(dependencies, subject);
  if (call.kind === 'failed') return recordKept(dependencies, run, { subject, failure: call });
  if (!(await startCall(dependencies, run, subject.post))) return 'stop';
  const result = await call.remove();
  // The network no longer has it: an earlier call removed it, or someone else.
  if (result.kind === 'removed' || result.code === 'NETWORK_POST_DELETED')
    return recordRemoved(dependencies, run, subject);
  return afterFailure(dependencies, run, { subject, failure: result });
}

/**
 * Whether the call may be made. If the pace of the account does not allow it, its removals wait.
 */
async function startCall(
  { removals }: RemovalDependencies,
  run: JobRun,
  post: Post,
): Promise<boolean> {
  const pace = publicationPaceOf(post.account!);
  let start = await removals.startCall(run, post, pace);
  if (start.kind === 'postponed' && start.inMs <= MAX_WAIT_MS) {
    const { inMs } = start;
    await new Promise((resolve) => void setTimeout(resolve, inMs));
    start = await removals.startCall(run, post, pace);
  }
  if (start.kind === 'postponed')
    await removals.postpone(run.id, { accountId: post.accountId! }, start.inMs);
  return start.kind === 'started';
}

type FailedRemoval = Pick<JobFailure, 'code' | 'message'>;
interface RemovalCall {
  readonly kind: 'ready';
  readonly remove: () => Promise<{ readonly kind: 'removed' } | NetworkFailure>;
}

/** The call that removes the post, or why it cannot be made. */
async function prepareCall(
  { connect }: RemovalDependencies,
  { post }: RemovalSubject,
): Promise<RemovalCall | (FailedRemoval & { readonly kind: 'failed' })> {
  // The account may have changed since the request.
  const refusal = removalRefusal(post);
  if (refusal) return { ...refusal, kind: 'failed' };
  const connection = await connect(post.account!);
  if (connection.kind === 'failed') return connection;
  const { account, credentials, adapter } = connection;
  const { publisher } = adapter;
  if (!publisher)
    return {
      kind: 'failed',
      code: 'NETWORK_NOT_CONNECTED',
      message: `The gateway cannot remove posts from ${account.network}.`,
    };
  return {
    kind: 'ready',
    remove: () =>
      publisher.remove({
        account,
        credentials,
        remoteId: post.remoteId ?? post.id,
        postId: post.id,
      }),
  };
}

/** The subject that was read, and then, after each conflict, as it is by then. */
function currentSubjects(
  removals: RemovalDependencies['removals'],
  jobId: string,
  read: RemovalSubject,
): () => Promise<RemovalSubject | null> {
  let isFirst = true;
  return async () => {
    if (!isFirst) return removals.find(jobId, read.post.databaseId);
    isFirst = false;
    return read;
  };
}

/** Saves what a change makes of the post as it is now, until no other change comes between. */
async function recordRemoved(
  { removals, store, clock }: RemovalDependencies,
  { id: jobId }: JobRun,
  read: RemovalSubject,
): Promise<Next> {
  const subjects = currentSubjects(removals, jobId, read);
  return saveChange(store.save, async () => {
    const subject = await subjects();
    const outcome = 'continue';
    return subject
      ? { outcome, change: toRemovedChange({ jobId, subject, at: clock.now() }) }
      : { outcome };
  });
}

/** Nothing more is tried. Only the run that has the lease decides that. */
async function recordKept(
  { removals, store, clock }: RemovalDependencies,
  run: JobRun,
  { subject: read, failure }: { subject: RemovalSubject; failure: FailedRemoval },
): Promise<Next> {
  const { code, message } = failure;
  const subjects = currentSubjects(removals, run.id, read);
  return saveChange<Next>(store.save, async () => {
    const subject = await subjects();
    if (!(await run.renew())) return { outcome: 'stop' };
    if (!subject) return { outcome: 'continue' };
    const kept = { jobId: run.id, subject, at: clock.now() };
    const change = toKeptChange(kept, { id: subject.sentId, code, message });
    return { outcome: 'continue', change };
  });
}

/** Tries again later, or ends the removal (NETWORK_FAILURES). */
async function afterFailure(
  dependencies: RemovalDependencies,
  run: JobRun,
  { subject, failure }: { subject: RemovalSubject; failure: NetworkFailure },
): Promise<Next> {
  const { removals, accountStatus, random } = dependencies;
  const { code, message, retryAfterMs = 0 } = failure;
  const { retried, inDoubt, effect } = NETWORK_FAILURES[code];
  const { accountId, databaseId: postId } = subject.post;
  if (effect === 'account_needs_reauth')
    await accountStatus.markNeedsReauth(accountId!, () => run.renew());
  const delayMs = retried ? jobRetryDelayMs(subject.attempts + 1, random()) : null;
  if (delayMs === null)
    return recordKept(dependencies, run, {
      subject,
      failure: { code, message: inDoubt ? `${message} ${IN_DOUBT}` : message },
    });
  const inMs = Math.max(delayMs, retryAfterMs);
  // The other posts of the account would be refused, too.
  const isLimited = code === 'NETWORK_RATE_LIMITED';
  await removals.postpone(run.id, isLimited ? { accountId: accountId! } : { postId }, inMs);
  return isLimited ? 'stop' : 'continue';
}

/** A removal, and the time of its result. */
interface EndedRemoval {
  readonly jobId: string;
  readonly subject: RemovalSubject;
  readonly at: Date;
}

const CHANGED_BY_REMOVAL = [
  'storedState',
  'postLink',
  'remoteId',
] as const satisfies readonly (keyof Post)[];

/** A post that its network no longer has, with nothing that leads there. */
function removedPost(post: Post, at: Date): Post {
  const storedState = storedStateAfter(post.storedState, 'deleted_on_network');
  return storedState === post.storedState
    ? post
    : {
        ...post,
        storedState,
        postLink: null,
        remoteId: null,
        version: post.version + 1,
        updatedAt: at,
      };
}

/** The post is not on its network: its state, and its deletion if that was requested (D62). */
function toRemovedChange({ jobId, subject, at }: EndedRemoval): Change {
  const { post: before, isDeleted, deletesPost, actor } = subject;
  const after = removedPost(before, at);
  const posts: PostWrite[] = [];
  if (after !== before)
    posts.push({
      kind: 'update',
      before,
      after,
      changed: CHANGED_BY_REMOVAL,
      slots: null,
      ...(isDeleted && { isDeleted }),
    });
  if (deletesPost && !isDeleted) posts.push({ kind: 'delete', before: after });
  return {
    ...EMPTY_CHANGE,
    workspaceId: before.workspaceId,
    actor,
    at,
    posts,
    removals: [{ kind: 'end', jobId, postId: before.databaseId, failure: null }],
  };
}

/** The post could not be removed: it stays as it is, and its history contains the reason (D62). */
function toKeptChange(
  { jobId, subject: { post: before, isDeleted }, at }: EndedRemoval,
  failure: JobFailure,
): Change {
  const after = { ...before, version: before.version + 1, updatedAt: at };
  const note = `The post was not removed from ${before.network}: ${failure.message}`;
  return {
    ...EMPTY_CHANGE,
    workspaceId: before.workspaceId,
    actor: SERVICE,
    at,
    posts: isDeleted ? [] : [{ kind: 'update', before, after, changed: [], slots: null, note }],
    removals: [{ kind: 'end', jobId, postId: before.databaseId, failure }],
  };
}
