import type { EditablePath } from '../../domain/rules/edit-rules.js';
import type { JobFailure } from '../../domain/jobs/job.js';
import { pauseAfter } from '../../domain/jobs/job-retries.js';
import { changedLiveFields, liveFields } from '../../domain/networks/live-fields.js';
import {
  NETWORK_FAILURES,
  type NetworkFailureTells,
} from '../../domain/networks/network-failures.js';
import { laneOf } from '../../domain/networks/network-pace.js';
import type { Post } from '../../domain/posts/post.js';
import { cellAfter } from '../../domain/posts/transitions.js';
import type { Standings } from '../accounts/account-status.js';
import type { EditStore, EditSubject, JobEnding, JobHandler, JobRun } from '../jobs/job-ports.js';
import type { ConnectionTo, NetworkConnection } from './network-connections.js';
import { movedPosts } from '../posts/moved-posts.js';
import type { NetworkFailure } from './network-ports.js';
import type { Clock, PostStore } from '../ports.js';
import { untilSaved } from '../retry-on-conflict.js';

export interface NetworkEditParts {
  readonly edits: EditStore;
  readonly connectionTo: ConnectionTo;
  readonly standings: Pick<Standings, 'needsReauth'>;
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
  /** A number from 0 to 1 that nobody can foresee. */
  readonly chance: () => number;
}

const COMPLETED: JobEnding = { kind: 'completed', failures: [] };

const failed = ({ about }: JobRun, code: JobFailure['code'], message: string): JobEnding => ({
  kind: 'failed',
  failures: [{ id: about, code, message }],
});

/** What has to be sent: what differs from what is live; everything, where nobody knows what is. */
function changedFields({ post, sync }: EditSubject): EditablePath[] {
  const wanted = liveFields(post);
  return sync.inDoubt
    ? (Object.keys(wanted) as EditablePath[])
    : changedLiveFields(sync.live, wanted);
}

/**
 * Brings a published post, as it is saved now, to its network (Update post, rule 6; D22). Jobs of one post run one at a
 * time; one whose change was overtaken, or is live already, is done without a call.
 */
export const createNetworkEdits =
  (parts: NetworkEditParts): JobHandler =>
  async (run) => {
    const subject = run.postId === null ? null : await parts.edits.subject(run.postId);
    if (!subject)
      return failed(
        run,
        'POST_NOT_FOUND',
        'The post was deleted before its change reached the network.',
      );
    const changed = new Set(changedFields(subject));
    if (subject.sync.jobId !== run.id || changed.size === 0) return COMPLETED;
    if (subject.post.cell === 'published_deleted')
      return failed(run, 'NETWORK_POST_DELETED', NETWORK_FAILURES.NETWORK_POST_DELETED.meaning);

    const connection = await parts.connectionTo(subject.post);
    if (connection.kind === 'failed')
      return afterFailure(parts, run, { failure: connection, subject });
    if (subject.pausedForMs > 0) return { kind: 'postponed', inMs: subject.pausedForMs };
    return editThere(parts, run, { subject, connection, changed });
  };

interface Edit {
  readonly subject: EditSubject;
  readonly connection: NetworkConnection;
  readonly changed: ReadonlySet<EditablePath>;
}

async function editThere(
  parts: NetworkEditParts,
  run: JobRun,
  { subject, connection, changed }: Edit,
): Promise<JobEnding> {
  const { adapter, account, credentials, remoteId } = connection;
  const { post } = subject;
  const lane = laneOf(account);
  if (!lane)
    return failed(
      run,
      'NETWORK_NOT_CONNECTED',
      `Posts on ${account.network} cannot be edited there.`,
    );
  const turn = await parts.edits.begin(run, lane);
  if (turn.kind === 'later') return { kind: 'postponed', inMs: turn.inMs };
  const result = await adapter.edit({ account, credentials, remoteId, post, changed });
  if (result.kind === 'failed') {
    await CONSEQUENCES[NETWORK_FAILURES[result.code].tells ?? 'nothing'](parts, run, post);
    return afterFailure(parts, run, { failure: result, subject });
  }
  return { ...COMPLETED, edit: { live: liveFields(post), inDoubt: false } };
}

/** What a failure tells beyond the edit (NETWORK_FAILURES). It is done before the job ends: a worker that is gone in between does it again. */
const CONSEQUENCES: Readonly<
  Record<
    NetworkFailureTells | 'nothing',
    (parts: NetworkEditParts, run: JobRun, post: Post) => Promise<unknown>
  >
> = {
  nothing: async () => undefined,
  account_needs_reauth: ({ standings }, run, { accountId }) =>
    standings.needsReauth(accountId!, () => run.renew()),
  deleted_there: (parts, run) =>
    untilSaved(async () => {
      const subject = await parts.edits.subject(run.postId!);
      const to = subject && cellAfter(subject.post.cell, 'deleted_there');
      if (!subject || !to || to === subject.post.cell) return 'there is nothing to move';
      const { kind } = await parts.store.save(
        movedPosts([{ post: subject.post, to }], parts.clock.now()),
      );
      return kind === 'saved' ? kind : null;
    }),
};

/** What a failure means for the job: another attempt after a pause, or its end (NETWORK_FAILURES). */
function afterFailure(
  { chance }: NetworkEditParts,
  run: JobRun,
  { failure, subject }: { failure: NetworkFailure; subject: EditSubject },
): JobEnding {
  const { code, message, retryAfterMs } = failure;
  const { retried, inDoubt } = NETWORK_FAILURES[code];
  const edit = {
    inDoubt: subject.sync.inDoubt || inDoubt,
    ...(retryAfterMs !== undefined && { accountPauseMs: retryAfterMs }),
  };
  const pause = retried ? pauseAfter(run.attempt, chance()) : null;
  return pause === null
    ? { ...failed(run, code, message), edit }
    : { kind: 'again', inMs: Math.max(pause, retryAfterMs ?? 0), edit };
}
