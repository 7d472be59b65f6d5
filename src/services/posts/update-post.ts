import { editRefusal } from '../../domain/rules/edit-rules.js';
import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { once, type Claim, type Worked } from './idempotency.js';
import type { InLine } from './lines.js';
import { missing } from './missing-post.js';
import { planUpdate, type PlanParts } from './plan-update.js';
import type { Clock, IdempotencyStore, SaveOutcome } from '../ports.js';
import type { UpdateOutcome, UpdateRequest } from './post-outcomes.js';
import { untilSaved } from '../retry-on-conflict.js';

export interface ChangeParts extends PlanParts {
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
}

interface UpdateParts extends ChangeParts {
  readonly inLine: InLine;
}

/** Refusals that are remembered for an idempotency key: those of the rules (D27). */
const RECORDED: ReadonlySet<ErrorCode> = new Set([
  'RULE_VIOLATION',
  'APPROVAL_REQUIRED',
  'DAILY_LIMIT_EXCEEDED',
  'MEDIA_NOT_FOUND',
]);

const capRefusal = ({
  postKind,
  limit,
  at,
  nextFreeAt,
}: Extract<SaveOutcome, { kind: 'full' }>): Refusal => ({
  code: 'DAILY_LIMIT_EXCEEDED',
  path: [],
  rule: 'Daily post limits',
  message: `At ${at.toISOString()} the account would hold more than ${limit} of ${postKind} within 24 hours. Next free time: ${nextFreeAt.toISOString()}.`,
});

type Decision = UpdateOutcome & { readonly memory?: 'recorded' };

const refusedBy = (refusals: readonly Refusal[]): Decision => ({
  kind: 'refused',
  refusals,
  replayed: false,
});

/** Finds, asks the law, saves; null where somebody else was faster (Update post; D21). */
async function attempt(
  parts: UpdateParts,
  viewer: Viewer,
  request: UpdateRequest,
  claim?: Claim,
): Promise<Decision | null> {
  const { expectedVersion, dryRun } = request;
  const post = await accessible(parts, viewer, request.id);
  if ('code' in post) return refusedBy([post]);
  if (expectedVersion !== undefined && expectedVersion !== post.version)
    return refusedBy([conflict(expectedVersion, post.version)]);
  const plan = await planUpdate(parts, viewer, post, {
    patch: request.patch,
    now: parts.clock.now(),
  });
  if (plan.kind === 'refused') return refusedBy(plan.refusals);
  if (plan.kind === 'unchanged')
    return { kind: 'updated', post: plan.after, job: null, replayed: false };
  const updated = {
    kind: 'updated',
    post: plan.after,
    job: dryRun ? null : plan.job,
    replayed: false,
  } as const;
  const saved = dryRun
    ? await parts.store.rehearse(plan.change)
    : await parts.store.save(plan.change, claim?.(updated));
  if (saved.kind === 'full') return refusedBy([capRefusal(saved)]);
  return saved.kind === 'saved' ? { ...updated, memory: 'recorded' } : null;
}

const inTurn = (
  parts: UpdateParts,
  viewer: Viewer,
  request: UpdateRequest,
  claim?: Claim,
): Promise<Decision> =>
  parts.inLine(`${viewer.workspace.id} ${request.id.toLowerCase()}`, () =>
    untilSaved(() => attempt(parts, viewer, request, claim)),
  );

const conflict = (expected: number, actual: number): Refusal => ({
  code: 'CONFLICT',
  message: `The post has version ${actual}, not the expected ${expected}; nothing was applied.`,
  path: ['expectedVersion'],
  rule: 'D26',
});

/** The post, or why this viewer may not change it (D18, D19). */
async function accessible(
  { store }: ChangeParts,
  viewer: Viewer,
  id: string,
): Promise<Post | Refusal> {
  const [found] = await store.findAll(viewer, [readPostId(id)]);
  return found?.kind === 'found'
    ? (editRefusal(found.post, viewer) ?? found.post)
    : missing(found?.kind ?? 'unknown');
}

const isRecorded = (outcome: UpdateOutcome): boolean =>
  outcome.kind === 'updated' || outcome.refusals.every(({ code }) => RECORDED.has(code));

/** Changes one post, once for an idempotency key (Update post; D20 to D29). @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
export async function updatePost(
  parts: UpdateParts,
  viewer: Viewer,
  request: UpdateRequest,
): Promise<UpdateOutcome> {
  if (request.idempotencyKey === undefined || request.dryRun)
    return withoutMemory(await inTurn(parts, viewer, request));
  // Rights run again before the record is looked up (D27); the canonical id makes both kinds of id one target.
  const post = await accessible(parts, viewer, request.id);
  if ('code' in post) return refusedBy([post]);
  const { patch, expectedVersion, idempotencyKey: key } = request;
  const place = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation: 'update' as const,
    target: post.id,
    key,
  };
  const result = await once<UpdateOutcome>(
    parts.idempotency,
    { place, input: { patch, expectedVersion } },
    async (claim): Promise<Worked<UpdateOutcome>> => {
      const decision = await inTurn(parts, viewer, request, claim);
      const memory = decision.memory ?? (isRecorded(decision) ? 'record' : 'forget');
      return { outcome: withoutMemory(decision), memory };
    },
  );
  if (result.kind === 'mismatch') return refusedBy([result.refusal]);
  return result.kind === 'replayed' ? revived(result.outcome as UpdateOutcome) : result.outcome;
}

const withoutMemory = ({ memory: _memory, ...outcome }: Decision): UpdateOutcome => outcome;

const POST_DATES = [
  'scheduledAt',
  'createdAt',
  'updatedAt',
  'queuedAt',
] as const satisfies readonly (keyof Post)[];
const JOB_DATES = ['createdAt', 'finishedAt'] as const satisfies readonly (keyof Job)[];

/** Texts that were dates before they were recorded as JSON. */
function withDates<T extends object>(record: T, keys: readonly (keyof T)[]): T {
  const dates = keys
    .filter((key) => typeof record[key] === 'string')
    .map((key) => [key, new Date(record[key] as string)]);
  return { ...record, ...Object.fromEntries(dates) };
}

/** A recorded outcome, as it was. */
function revived(outcome: UpdateOutcome): UpdateOutcome {
  if (outcome.kind === 'refused') return { ...outcome, replayed: true };
  const { post, job } = outcome;
  const revivedPost = {
    ...withDates(post, POST_DATES),
    analytics: post.analytics && withDates(post.analytics, ['updatedAt']),
    networkSync: post.networkSync && withDates(post.networkSync, ['attemptedAt']),
  };
  return {
    kind: 'updated',
    post: revivedPost,
    job: job && withDates(job, JOB_DATES),
    replayed: true,
  };
}
