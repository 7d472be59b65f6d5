import { createHash } from 'node:crypto';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Change, ExceededCap, SaveOutcome } from '../../domain/changes/change.js';
import { canonicalJson } from '../../domain/changes/merge-patch.js';
import type { OccurrenceChanges } from '../../domain/calendar/occurrence-dates.js';
import { ERRORS, GatewayError, type Refusal } from '../../domain/errors.js';
import {
  REPEATS_OF,
  type ExistingRecord,
  type IdempotencyRecordKey,
  type IdempotencyResult,
  type IdempotencyStore,
} from '../../persistence/changes/idempotency-store.js';
import type { PostingScheduleStore } from '../../persistence/posting-schedules/posting-schedule-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import { retryUnavailable } from '../retry-unavailable.js';
import type { Job } from '../../domain/jobs/job.js';
import { BLANK_POST, type Post } from '../../domain/posts/post.js';

/** A call that was refused as a whole. */
export interface Refused {
  readonly kind: 'refused';
  /** Not empty; the first one determines the error code of the response. */
  readonly refusals: readonly Refusal[];
}

/**
 * Outcome of a call. `replayed`: it is that of an earlier call with the same idempotency key, so
 * that nothing was changed.
 */
export type ChangeOutcome<Done> = (Done | Refused) & { readonly replayed: boolean };

export const refusedBy = (...refusals: readonly Refusal[]): Refused => ({
  kind: 'refused',
  refusals,
});

/** What an attempt makes of what it has read. */
export interface PlannedChange<Outcome, C = Change> {
  /** The outcome, once the change is saved. */
  readonly outcome: Outcome;
  /** Absent if nothing has to be saved. */
  readonly change?: C;
  /**
   * What is left if the change exceeds daily caps. Absent if everything is planned again, with
   * other times.
   */
  readonly withoutExceeded?: (
    exceeded: readonly [ExceededCap, ...ExceededCap[]],
  ) => PlannedChange<Outcome, C> | Promise<PlannedChange<Outcome, C>>;
}

/** The plan of a call, which may be refused. */
export type Plan<Done, C = Change> = PlannedChange<Done | Refused, C>;

/** A call of one kind: what it reads and plans, and what is recorded for its idempotency key. */
export interface ChangeCall<Done, C = Change> {
  readonly operation: IdempotencyRecordKey['operation'];
  /** What the keys of the operation belong to: the ID of a post, or all records of a kind. */
  readonly target: string;
  /** What another call with the same key must have in common with this one. */
  readonly input: unknown;
  readonly idempotencyKey?: string | undefined;
  /** Whether the key was derived from the call instead of sent, and so is soon forgotten (D93). */
  readonly isKeyDerived?: boolean | undefined;
  /** Whether the change is only tried (D28). */
  readonly dryRun: boolean;
  /** Calls of this process that take turns, instead of failing with conflicts. */
  readonly turn?: Turn | undefined;
  /** Reads and plans. Called again if a concurrent change was saved first. */
  readonly plan: () => Promise<Plan<Done, C>>;
  /** Whether an outcome that saved nothing is recorded, unlike a missing right or a conflict (D27). */
  readonly isRecorded: (outcome: Done | Refused) => boolean;
  /** An outcome that was recorded as JSON. */
  readonly restore: (recorded: Done) => Done;
}

interface Turn {
  readonly key: string;
  readonly maxAttempts?: number;
}

/** Changes of one post take turns. */
export const postTurn = ({ workspace }: Viewer, id: string): Turn => ({
  key: `${workspace.id} ${id.toLowerCase()}`,
});

/** Changes that take times of a queue take turns, instead of taking the same times. */
export const queueTurn = ({ workspace }: Viewer): Turn => ({
  key: `queue ${workspace.id}`,
  maxAttempts: MAX_QUEUE_ATTEMPTS,
});

/** Where changes are saved. */
export interface ChangeStore<C = Change> {
  /** Saves a change in one transaction, in which it also completes the record (D27). */
  save(change: C, record?: IdempotencyResult): Promise<SaveOutcome>;
  /** Runs everything that `save` runs, then rolls back (D28). */
  dryRun(change: C): Promise<SaveOutcome>;
}

/** What runs changes. */
export interface ChangeRunner<C = Change> {
  readonly store: ChangeStore<C>;
  readonly idempotency: IdempotencyStore;
  /** Runs a task after all earlier ones with the same key. */
  readonly inTurn: <T>(key: string, task: () => Promise<T>) => Promise<T>;
}

/** Creates a runner. Only changes of the same runner take turns. */
export const createChangeRunner = <C = Change>(
  stores: Pick<ChangeRunner<C>, 'store' | 'idempotency'>,
): ChangeRunner<C> => ({ ...stores, inTurn: createTurns() });

function createTurns(): ChangeRunner['inTurn'] {
  const tails = new Map<string, Promise<void>>();
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const end = (): void => {
      if (tails.get(key) === tail) tails.delete(key);
    };
    // without the result, which the map would keep alive for longer than the task
    const tail = result.then(end, end);
    tails.set(key, tail);
    return result;
  };
}

/** What plans of changes of posts read, and what runs them. */
export interface ChangeDependencies {
  readonly runner: ChangeRunner;
  readonly store: PostStore;
  readonly workspaceRecords: WorkspaceRecordStore;
  readonly postingSchedules: PostingScheduleStore;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** How long a duplicate request waits for the first one (D27). */
const MAX_DUPLICATE_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 50;
/** How long a failed release is retried; afterwards the record expires by itself. */
const MAX_RELEASE_RETRY_MS = 30_000;

/**
 * Creates what the store gets to complete the record in the transaction of the change.
 */
type CompleteRecord = (outcome: unknown) => IdempotencyResult;

/** Outcome of the attempts. `isSaved`: a change was saved, and the outcome recorded with it. */
interface Decision<Outcome> {
  readonly outcome: Outcome;
  readonly isSaved: boolean;
}

const executed = <Done extends object>(outcome: Done | Refused): ChangeOutcome<Done> => ({
  ...outcome,
  replayed: false,
});

/**
 * Runs a call that changes posts: once per idempotency key, again after conflicts, without what
 * daily caps do not allow, or only as a dry run (D21, D27, D28, D39). A dry run starts no record:
 * its outcome is that of the call, except that it does not wait for a duplicate request.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT after 10 seconds, UNAVAILABLE
 */
export async function runChange<Done extends object, C = Change>(
  runner: ChangeRunner<C>,
  viewer: Viewer,
  call: ChangeCall<Done, C>,
): Promise<ChangeOutcome<Done>> {
  const { idempotencyKey: key, isKeyDerived = false, operation, target, dryRun } = call;
  // Rights are checked again before the record is read (D27): viewers may change nothing (D4).
  if (key === undefined || viewer.role === 'viewer')
    return executed((await decide(runner, call)).outcome);
  const { idempotency } = runner;
  const recordKey = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation,
    target: isKeyDerived ? `${REPEATS_OF}${target}` : target,
    key,
  };
  const fingerprint = fingerprintOf(call.input);
  if (dryRun) {
    const existing = await idempotency.find(recordKey);
    const earlier = existing && earlierOutcome(call, existing, fingerprint);
    return earlier ?? executed((await decide(runner, call)).outcome);
  }
  const deadline = performance.now() + MAX_DUPLICATE_WAIT_MS;
  for (;;) {
    const start = await idempotency.start(recordKey, fingerprint);
    if (start.kind === 'started')
      return executed(await decideRecorded(runner, call, { recordKey, token: start.token }));
    const earlier = earlierOutcome(call, start, fingerprint);
    if (earlier) return earlier;
    if (performance.now() > deadline) throw new GatewayError('IDEMPOTENCY_IN_FLIGHT');
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

const fingerprintOf = (input: unknown): string =>
  createHash('sha256').update(canonicalJson(input)).digest('base64url');

const MISMATCH: Refusal = {
  code: 'IDEMPOTENCY_MISMATCH',
  message: ERRORS.IDEMPOTENCY_MISMATCH.description,
  path: ['idempotencyKey'],
  rule: 'D27',
};

/** The outcome that an earlier call with the key determines; null while it runs with this input. */
function earlierOutcome<Done extends object, C>(
  { restore }: ChangeCall<Done, C>,
  existing: ExistingRecord,
  fingerprint: string,
): ChangeOutcome<Done> | null {
  if (existing.fingerprint !== fingerprint) return executed(refusedBy(MISMATCH));
  if (existing.kind !== 'recorded') return null;
  const recorded = existing.outcome as Done | Refused;
  const isRefused = (recorded as Partial<Refused>).kind === 'refused';
  return { ...(isRefused ? recorded : restore(recorded as Done)), replayed: true };
}

/** Decides the call that started a record, and completes or releases the record. */
async function decideRecorded<Done extends object, C>(
  runner: ChangeRunner<C>,
  call: ChangeCall<Done, C>,
  started: Omit<IdempotencyResult, 'outcome'>,
): Promise<Done | Refused> {
  const { idempotency } = runner;
  const complete: CompleteRecord = (outcome) => ({ ...started, outcome });
  const release = (): Promise<void> => idempotency.release(started.recordKey, started.token);
  try {
    const { outcome, isSaved } = await decide(runner, call, complete);
    // What refused a call without a key may have changed when it is repeated.
    const isKept = !call.isKeyDerived && call.isRecorded(outcome);
    if (!isSaved && isKept) await idempotency.record(complete(outcome));
    else if (!isSaved) await release();
    return outcome;
  } catch (error) {
    // In the background, so that a client that repeats the request need not wait for the record to
    // expire.
    await release().catch(
      () => void retryUnavailable(release, MAX_RELEASE_RETRY_MS).catch(() => undefined),
    );
    throw error;
  }
}

/** Attempts the change in its turn, until no concurrent change is saved first. */
function decide<Done, C>(
  { store, inTurn }: ChangeRunner<C>,
  { plan, dryRun, turn }: ChangeCall<Done, C>,
  complete?: CompleteRecord,
): Promise<Decision<Done | Refused>> {
  const save = (change: C, outcome: Done | Refused): Promise<SaveOutcome> =>
    dryRun ? store.dryRun(change) : store.save(change, complete?.(outcome));
  const untilSaved = (): Promise<Decision<Done | Refused>> =>
    retryOnConflict(async () => attempt(save, await plan()), turn?.maxAttempts);
  return turn ? inTurn(turn.key, untilSaved) : untilSaved();
}

/** Saves what was planned; null if a concurrent change was saved first. */
async function attempt<Outcome, C>(
  save: (change: C, outcome: Outcome) => Promise<SaveOutcome>,
  planned: PlannedChange<Outcome, C>,
): Promise<Decision<Outcome> | null> {
  let { change, outcome, withoutExceeded } = planned;
  while (change !== undefined) {
    const saved = await save(change, outcome);
    if (saved.kind === 'saved') return { outcome, isSaved: true };
    if (saved.kind === 'conflict' || !withoutExceeded) return null;
    ({ change, outcome, withoutExceeded } = await withoutExceeded(saved.exceeded));
  }
  return { outcome, isSaved: false };
}

/** Saves a change, or only tries it: `save` or `dryRun` of a store. */
type Save = (change: Change) => Promise<SaveOutcome>;

/** Saves a change without an idempotency key. Null if a concurrent change was saved first. */
export const saveOnce = async <Outcome>(
  save: Save,
  planned: PlannedChange<Outcome>,
): Promise<Outcome | null> =>
  // The store would take the outcome for a record.
  (await attempt((change: Change) => save(change), planned))?.outcome ?? null;

/**
 * Plans and saves a change without an idempotency key, again while concurrent changes are saved
 * first. The outcome is not null.
 * @throws GatewayError UNAVAILABLE
 */
export const saveChange = <Outcome>(
  save: Save,
  plan: () => Promise<PlannedChange<Outcome>>,
): Promise<Outcome> => retryOnConflict(async () => saveOnce(save, await plan()));

/** How often a change is retried because a concurrent change was saved first. */
const MAX_ATTEMPTS = 24;
/**
 * How often a change is retried that takes times of a queue. With each conflict another process has
 * added its posts, so that a change succeeds after about as many attempts as there are processes.
 */
const MAX_QUEUE_ATTEMPTS = 200;
const MAX_PAUSE_MS = 20;
/** A random pause before a retry, so that two processes do not collide again in the same order. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * MAX_PAUSE_MS);
  });

/**
 * Runs an attempt until it returns something other than null, which means that a concurrent change
 * was saved first.
 * @throws GatewayError UNAVAILABLE after `maxAttempts` conflicts
 */
async function retryOnConflict<T>(
  attempt: () => Promise<T | null>,
  maxAttempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let left = maxAttempts; left > 0; left--) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await pause();
  }
  throw new GatewayError(
    'UNAVAILABLE',
    'The post is being changed by too many requests at the same time. Retry later.',
  );
}

const POST_DATES = [
  'scheduledAt',
  'createdAt',
  'updatedAt',
  'queuedAt',
  'armedAt',
  'retryAt',
  'extendAt',
  'occurrenceDate',
] as const satisfies readonly (keyof Post)[];
const JOB_DATES = ['createdAt', 'finishedAt'] as const satisfies readonly (keyof Job)[];

/** Restores dates that were recorded as JSON strings. */
export function withDates<T extends object>(record: T, keys: readonly (keyof T)[]): T {
  const dates = keys
    .filter((key) => typeof record[key] === 'string')
    .map((key) => [key, new Date(record[key] as string)]);
  return { ...record, ...Object.fromEntries(dates) };
}

/** A post that was recorded as JSON, perhaps by a release that did not have all fields. */
export const restorePost = (post: Post): Post => ({
  ...BLANK_POST,
  ...withDates(post, POST_DATES),
  analytics: post.analytics && withDates(post.analytics, ['updatedAt']),
  networkSync: post.networkSync && withDates(post.networkSync, ['attemptedAt']),
  review: post.review && withDates(post.review, ['at']),
  publicationRecord: post.publicationRecord && withDates(post.publicationRecord, ['publishedAt']),
});

/** A change of a series that was recorded as JSON, perhaps by a release that did not return it. */
export const restoreOccurrences = (
  series: OccurrenceChanges | null | undefined,
): OccurrenceChanges | null =>
  series
    ? {
        ...series,
        made: series.made.map((date) => new Date(date)),
        kept: series.kept.map((date) => new Date(date)),
        moved: series.moved.map((move) => withDates(move, ['from', 'to'])),
        removed: series.removed.map((date) => new Date(date)),
      }
    : null;

/** A job that was recorded as JSON. */
export const restoreJob = (job: Job): Job => withDates(job, JOB_DATES);
