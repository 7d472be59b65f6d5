import { POSTS_ALONE, type Change, type PostWrite } from '../../domain/changes/change.js';
import { deletability } from '../../domain/rules/delete-rules.js';
import type { Refusal } from '../../domain/errors.js';
import type { Post } from '../../domain/posts/post.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { PostWith } from '../../domain/posts/post-query.js';
import { isPending } from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { once, type Claim } from './idempotency.js';
import { missing } from './missing-post.js';
import type { RemoveOutcome, RemoveRequest, RemoveResult } from './post-outcomes.js';
import { untilSaved } from '../retry-on-conflict.js';
import type { ChangeParts } from './update-post.js';

/** What a deletion has to know of a post: who may delete it, and what its creator is told. */
const FIELDS = [
  'version',
  'queuedAt',
  'reminder',
  'hasQueuedChild',
  'text',
] as const satisfies readonly (keyof Post)[];
type Doomed = PostWith<(typeof FIELDS)[number]>;

/** One id as sent, and the post or the refusal behind it. */
interface Target {
  readonly id: string;
  readonly post: Doomed | null;
  readonly refusal: Refusal | null;
}

/** Each post once, by the form of its id that came first (D30). */
async function targetsOf(
  { store }: ChangeParts,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Target[]> {
  const found = await store.findEach(viewer, ids.map(readPostId), FIELDS);
  const targets = ids.map((id, index): Target => {
    const one = found[index]!;
    return one.kind === 'found'
      ? { id, post: one.post, refusal: deletability(one.post, viewer) }
      : { id, post: null, refusal: missing(one.kind) };
  });
  const keys = targets.map(({ id, post }) => post?.id ?? id.toLowerCase());
  return targets.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

const ANOTHER_REFUSED =
  'Not deleted, because another post was refused and the policy is all or nothing.';

function resultsOf(targets: readonly Target[], policy: RemoveRequest['policy']): RemoveResult[] {
  const isStopped = policy === 'all_or_nothing' && targets.some((target) => target.refusal);
  return targets.map(({ id, refusal }) => {
    if (refusal) return { id, deleted: false, code: refusal.code, message: refusal.message };
    return isStopped
      ? { id, deleted: false, code: 'RULE_VIOLATION', message: ANOTHER_REFUSED }
      : { id, deleted: true, code: null, message: null };
  });
}

/** The whole deletion as data: a series goes with its children that are still to come (D23), a pending post tells its creator first. */
async function planRemoval(
  { store, ids, clock }: ChangeParts,
  viewer: Viewer,
  posts: readonly Doomed[],
): Promise<Change> {
  const series = posts.filter((post) => post.cell === 'recurring');
  const children = (
    await Promise.all(series.map((one) => store.futureChildren(one.databaseId, new Date(0))))
  ).flat();
  const everyPost = [
    ...new Map<number, Doomed>(
      [...posts, ...children].map((post) => [post.databaseId, post]),
    ).values(),
  ];
  const writes = everyPost.map((before): PostWrite => ({ kind: 'remove', before }));
  const notifications = everyPost
    .filter((post) => isPending(post.cell))
    .map((post) => ({
      id: ids.prefixed('ntf'),
      userId: post.creatorId,
      kind: 'pending_post_deleted',
      message: `${viewer.user.name} deleted your post that was awaiting approval: ${[...post.text].slice(0, 80).join('')}`,
      postId: post.databaseId,
    }));
  return {
    ...POSTS_ALONE,
    workspaceId: viewer.workspace.id,
    userId: viewer.user.id,
    at: clock.now(),
    posts: writes,
    notifications,
    unqueuedSeries: series.map((one) => one.databaseId),
  };
}

type Decision = Extract<RemoveOutcome, { kind: 'done' }> & { readonly memory?: 'recorded' };

/** Finds, asks the law, saves; null where somebody else was faster (Delete posts). */
async function attempt(
  parts: ChangeParts,
  viewer: Viewer,
  { ids, policy, dryRun }: RemoveRequest,
  claim?: Claim,
): Promise<Decision | null> {
  const targets = await targetsOf(parts, viewer, ids);
  const done: Decision = { kind: 'done', results: resultsOf(targets, policy), replayed: false };
  const doomed = targets
    .filter((_, index) => done.results[index]!.deleted)
    .map((target) => target.post!);
  if (doomed.length === 0) return done;
  const change = await planRemoval(parts, viewer, doomed);
  const saved = dryRun
    ? await parts.store.rehearse(change)
    : await parts.store.save(change, claim?.(done));
  return saved.kind === 'saved' ? { ...done, memory: 'recorded' } : null;
}

const withoutMemory = ({ memory: _memory, ...done }: Decision): RemoveOutcome => done;

/** Deletes what may be deleted, once for an idempotency key (Delete posts; D27, D30, D31). @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
export async function removePosts(
  parts: ChangeParts,
  viewer: Viewer,
  request: RemoveRequest,
): Promise<RemoveOutcome> {
  // Rights run again before a record is looked up (D27): a viewer deletes nothing (D4), not even what a member's key once did.
  const { ids, policy, idempotencyKey: key } = request;
  if (key === undefined || request.dryRun || viewer.role === 'viewer')
    return withoutMemory(await untilSaved(() => attempt(parts, viewer, request)));
  const place = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation: 'delete' as const,
    target: 'posts',
    key,
  };
  const result = await once<RemoveOutcome>(
    parts.idempotency,
    { place, input: { ids, policy } },
    async (claim) => {
      const done = await untilSaved(() => attempt(parts, viewer, request, claim));
      const isUnknown = done.results.every(({ code }) => code === 'POST_NOT_FOUND');
      // Where nothing was deleted v1 answers 403, which is never recorded; 422 is (D27, D31).
      return {
        outcome: withoutMemory(done),
        memory: done.memory ?? (isUnknown ? 'record' : 'forget'),
      };
    },
  );
  if (result.kind === 'mismatch')
    return { kind: 'refused', refusals: [result.refusal], replayed: false };
  return result.kind === 'replayed'
    ? { ...(result.outcome as RemoveOutcome), replayed: true }
    : result.outcome;
}
