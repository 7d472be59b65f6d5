import type { JobOutcome } from '../../domain/jobs/job.js';
import { nextReadingAt, toAnalytics, type PostNumbers } from '../../domain/numbers/numbers.js';
import {
  NUMBERS_JOB,
  type DueNumbers,
  type DuePost,
  type NumbersStore,
  type NumbersWrite,
} from '../../persistence/numbers/numbers-store.js';
import type { AccountStatusService } from '../accounts/account-status.js';
import type { Clock } from '../clock.js';
import type { JobHandler } from '../jobs/job-handler.js';
import type { AccountConnection, ConnectAccount } from '../networks/edit-target.js';
import type { NetworkFailure, NumbersResult } from '../networks/network-ports.js';

export interface NumbersDependencies {
  readonly store: Pick<NumbersStore, 'due' | 'save'>;
  readonly connect: ConnectAccount;
  readonly accountStatus: Pick<AccountStatusService, 'markNeedsReauth'>;
  readonly clock: Clock;
}

const COMPLETED: JobOutcome = { kind: 'completed', failures: [] };

/** Posts whose numbers are left out at once, if the account has no numbers to read. */
const MAX_SKIPPED = 100;
/** How long an account waits after its network did not answer. */
const UNAVAILABLE_MS = 30 * 60_000;
/** How long an account waits at least after its network had enough requests. */
const RATE_LIMITED_MS = 5 * 60_000;

/** A due post that the network is asked about. */
type ReadablePost = DuePost & { readonly remoteId: string };
const isReadable = (post: DuePost): post is ReadablePost =>
  post.isLive && !post.isDeleted && post.remoteId !== null;

/** The numbers of a post are not read this time; never again if it is not on its network any more. */
const skip = (post: DuePost, now: Date): NumbersWrite => ({
  databaseId: post.databaseId,
  analytics: null,
  nextAt: post.isDeleted || isReadable(post) ? nextReadingAt(post.publishedAt, now) : null,
});

/** Undefined: the network does not have the post any more; null: it does not say now. */
const toWrite = (
  post: ReadablePost,
  numbers: PostNumbers | null | undefined,
  { now, aheadMs }: { readonly now: Date; readonly aheadMs: number },
): NumbersWrite => ({
  databaseId: post.databaseId,
  analytics: numbers ? toAnalytics(numbers, new Date(now.getTime() + aheadMs)) : null,
  nextAt: numbers === undefined ? null : nextReadingAt(post.publishedAt, now),
});

/**
 * Reads the due numbers of posts of one account with one call (D91). An account with more of them is
 * read again after the pace of its network, so that its posts are published meanwhile.
 */
export const createNumbersReading =
  (dependencies: NumbersDependencies): JobHandler =>
  async (run) => {
    const { store, connect, accountStatus, clock } = dependencies;
    const accountId = run.id.slice(NUMBERS_JOB.length);
    const due = await store.due(accountId, MAX_SKIPPED);
    // None are left if the last call was for as many as the network takes.
    if (!due || due.posts.length === 0) return COMPLETED;
    const connection = await connect(due.account);
    const { numbers: reader } = connection.kind === 'connected' ? connection.adapter : {};
    if (connection.kind === 'failed' || !reader) {
      await store.save(due.posts.map((post) => skip(post, clock.now())));
      return due.posts.length < MAX_SKIPPED ? COMPLETED : { kind: 'postponed', inMs: 0 };
    }
    const posts = due.posts.slice(0, reader.maxPosts);
    const failure = await readOnce(dependencies, connection, { ...due, posts });
    if (!failure)
      return due.posts.length < reader.maxPosts
        ? COMPLETED
        : { kind: 'postponed', inMs: reader.intervalMs };
    if (failure.code === 'NETWORK_REAUTHORIZATION_NEEDED') {
      await accountStatus.markNeedsReauth(accountId, () => run.renew());
      return COMPLETED;
    }
    const waitMs = failure.code === 'NETWORK_RATE_LIMITED' ? RATE_LIMITED_MS : UNAVAILABLE_MS;
    return { kind: 'postponed', inMs: Math.max(waitMs, failure.retryAfterMs ?? 0) };
  };

/** Failures that another call would not end: the posts are read the next time. */
const LASTING: ReadonlySet<NetworkFailure['code']> = new Set([
  'NETWORK_NOT_CONNECTED',
  'NETWORK_FORBIDDEN',
  'NETWORK_REFUSED',
]);

/** One call for the due posts. Returns the failure after which they are still due; null otherwise. */
async function readOnce(
  { store, clock }: NumbersDependencies,
  { adapter, account, credentials }: AccountConnection,
  { posts, aheadMs }: DueNumbers,
): Promise<NetworkFailure | null> {
  const asked = posts.filter(isReadable);
  const ageMs = ({ publishedAt }: DuePost): number => clock.now().getTime() - publishedAt.getTime();
  const counted = asked.map((post) => ({
    remoteId: post.remoteId,
    postId: post.id,
    ageMs: ageMs(post),
  }));
  const result: NumbersResult =
    counted.length > 0
      ? await adapter.numbers!.read(account, credentials, counted)
      : { kind: 'read', numbers: new Map() };
  const now = clock.now();
  if (result.kind === 'failed' && !LASTING.has(result.code)) return result;
  const writeOf = (post: DuePost): NumbersWrite =>
    result.kind === 'failed' || !isReadable(post)
      ? skip(post, now)
      : toWrite(post, result.numbers.get(post.remoteId), { now, aheadMs });
  await store.save(posts.map(writeOf));
  return null;
}
