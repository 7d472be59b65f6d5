import type { EditablePath } from '../../domain/networks/network-definition.js';
import { type JobFailure, jobRetryDelayMs, type JobOutcome } from '../../domain/jobs/job.js';
import { changedLiveFields, liveFields } from '../../domain/networks/live-fields.js';
import {
  NETWORK_FAILURES,
  type NetworkFailureEffect,
} from '../../domain/networks/network-failures.js';
import { rateBucketOf } from '../../domain/networks/networks.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateAfter } from '../../domain/posts/transitions.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { AccountStatusService } from '../accounts/account-status.js';
import type { JobHandler } from '../jobs/job-handler.js';
import type { NetworkFailure } from './network-ports.js';
import type {
  NetworkEditStore,
  NetworkEditSubject,
} from '../../persistence/networks/network-edit-store.js';
import type { ResolveEditTarget, EditTarget } from './edit-target.js';
import { toStateChanges } from '../changes/change-states.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import { saveChange } from '../changes/run-change.js';

export interface NetworkEditDependencies {
  readonly edits: NetworkEditStore;
  readonly resolveEditTarget: ResolveEditTarget;
  readonly accountStatus: Pick<AccountStatusService, 'markNeedsReauth'>;
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

const COMPLETED: JobOutcome = { kind: 'completed', failures: [] };

const failed = ({ subjectId }: JobRun, code: JobFailure['code'], message: string): JobOutcome => ({
  kind: 'failed',
  failures: [{ id: subjectId, code, message }],
});

/**
 * The fields to send: those that differ from the live ones, or all if the live state is in doubt.
 */
function changedFields({ post, sync }: NetworkEditSubject): EditablePath[] {
  const saved = liveFields(post);
  return sync.inDoubt
    ? (Object.keys(saved) as EditablePath[])
    : changedLiveFields(sync.live, saved);
}

/**
 * Applies the current saved state of a published post on its network (Update post, rule 6; D22).
 * Jobs of one post run one at a time; a job whose change was superseded or is already live
 * completes without a request.
 */
export const createNetworkEdits =
  (dependencies: NetworkEditDependencies): JobHandler =>
  async (run) => {
    const subject = run.postId === null ? null : await dependencies.edits.findSubject(run.postId);
    if (!subject)
      return failed(
        run,
        'POST_NOT_FOUND',
        'The post was deleted before its change reached the network.',
      );
    const changed = new Set(changedFields(subject));
    if (subject.sync.jobId !== run.id || changed.size === 0) return COMPLETED;
    if (subject.post.storedState === 'published_deleted')
      return failed(run, 'NETWORK_POST_DELETED', NETWORK_FAILURES.NETWORK_POST_DELETED.description);

    const target = await dependencies.resolveEditTarget(subject.post);
    if (target.kind === 'failed')
      return afterFailure(dependencies, run, { failure: target, subject });
    if (subject.pausedForMs > 0) return { kind: 'postponed', inMs: subject.pausedForMs };
    return editOnNetwork(dependencies, run, { subject, target, changed });
  };

interface Edit {
  readonly subject: NetworkEditSubject;
  readonly target: EditTarget;
  readonly changed: ReadonlySet<EditablePath>;
}

async function editOnNetwork(
  dependencies: NetworkEditDependencies,
  run: JobRun,
  { subject, target, changed }: Edit,
): Promise<JobOutcome> {
  const { adapter, account, credentials, remoteId } = target;
  const { post } = subject;
  const limit = rateBucketOf(account);
  if (!limit)
    return failed(
      run,
      'NETWORK_NOT_CONNECTED',
      `Posts on ${account.network} cannot be edited after publication.`,
    );
  const slot = await dependencies.edits.reserveSlot(run, limit);
  if (slot.kind === 'postponed') return slot;
  const result = await adapter.edit({ account, credentials, remoteId, post, changed });
  if (result.kind === 'failed') {
    const { effect } = NETWORK_FAILURES[result.code];
    if (effect) await EFFECTS[effect](dependencies, run, post);
    return afterFailure(dependencies, run, { failure: result, subject });
  }
  return { ...COMPLETED, edit: { live: liveFields(post), inDoubt: false } };
}

/**
 * Applies the effect of a failure (NETWORK_FAILURES), before the job's outcome is recorded: if the
 * worker stops in between, the next attempt repeats it.
 */
const EFFECTS: Readonly<
  Record<
    NetworkFailureEffect,
    (dependencies: NetworkEditDependencies, run: JobRun, post: Post) => Promise<unknown>
  >
> = {
  account_needs_reauth: ({ accountStatus }, run, { accountId }) =>
    accountStatus.markNeedsReauth(accountId!, () => run.renew()),
  deleted_on_network: (dependencies, run) =>
    saveChange(dependencies.store.save, async () => {
      const subject = await dependencies.edits.findSubject(run.postId!);
      const to = subject && storedStateAfter(subject.post.storedState, 'deleted_on_network');
      if (!subject || !to || to === subject.post.storedState) return { outcome: 'unchanged' };
      const change = toStateChanges([{ post: subject.post, to }], dependencies.clock.now());
      return { outcome: 'changed', change };
    }),
};

/** The job's outcome after a failure: a retry or the end of the job (NETWORK_FAILURES). */
function afterFailure(
  { random }: NetworkEditDependencies,
  run: JobRun,
  { failure, subject }: { failure: NetworkFailure; subject: NetworkEditSubject },
): JobOutcome {
  const { code, message, retryAfterMs } = failure;
  const { retried, inDoubt } = NETWORK_FAILURES[code];
  const edit = {
    inDoubt: subject.sync.inDoubt || inDoubt,
    ...(retryAfterMs !== undefined && { accountPauseMs: retryAfterMs }),
  };
  const delayMs = retried ? jobRetryDelayMs(run.attempt, random()) : null;
  return delayMs === null
    ? { ...failed(run, code, message), edit }
    : { kind: 'retried', inMs: Math.max(delayMs, retryAfterMs ?? 0), edit };
}
