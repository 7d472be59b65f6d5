import { createHash } from 'node:crypto';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Change } from '../../domain/changes/change.js';
import { canonicalJson } from '../../domain/changes/merge-patch.js';
import { ERRORS, GatewayError, type Refusal } from '../../domain/errors.js';
import type { ExceededCap, SaveOutcome } from '../../domain/changes/change.js';
import type {
  ExistingRecord,
  IdempotencyRecordKey,
  IdempotencyResult,
  IdempotencyStore,
} from '../../persistence/changes/idempotency-store.js';
import type { PostingScheduleStore } from '../../persistence/posting-schedules/posting-schedule-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import { MAX_QUEUE_ATTEMPTS, retryOnConflict } from '../retry-on-conflict.js';
import { retryUnavailable } from '../retry-unavailable.js';

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
export interface Plan<Done, C = Change> {
  /** The outcome, once the change is saved. */
  readonly outcome: Done | Refused;
  /** Absent if nothing has to be saved. */
  readonly change?: C;
  /**
   * What is left if the change exceeds daily caps. Absent if everything is planned again, with
   * other times.
   */
  readonly withoutExceeded?: (
    exceeded: readonly [ExceededCap, ...ExceededCap[]],
  ) => Plan<Done, C> | Promise<Plan<Done, C>>;
}

/** A call of one kind: what it reads and plans, and what is recorded for its idempotency key. */
export interface ChangeCall<Done, C = Change> {
  readonly operation: IdempotencyRecordKey['operation'];
  /** What the keys of the operation belong to: the ID of a post, or all records of a kind. */
  readonly target: string;
  /** What another call with the same key must have in common with this one. */
  readonly input: unknown;
  readonly idempotencyKey?: string | undefined;
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
interface Decision<Done> {
  readonly outcome: Done | Refused;
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
  const { idempotencyKey: key, operation, target, dryRun } = call;
  // Rights are checked again before the record is read (D27): viewers may change nothing (D4).
  if (key === undefined || viewer.role === 'viewer')
    return executed((await decide(runner, call)).outcome);
  const { idempotency } = runner;
  const recordKey = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation,
    target,
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
    if (!isSaved && call.isRecorded(outcome)) await idempotency.record(complete(outcome));
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
  runner: ChangeRunner<C>,
  call: ChangeCall<Done, C>,
  complete?: CompleteRecord,
): Promise<Decision<Done>> {
  const { turn } = call;
  const untilSaved = (): Promise<Decision<Done>> =>
    retryOnConflict(() => attempt(runner, call, complete), turn?.maxAttempts);
  return turn ? runner.inTurn(turn.key, untilSaved) : untilSaved();
}

/** Plans and saves; null if a concurrent change was saved first. */
async function attempt<Done, C>(
  { store }: ChangeRunner<C>,
  { plan, dryRun }: ChangeCall<Done, C>,
  complete?: CompleteRecord,
): Promise<Decision<Done> | null> {
  let { change, outcome, withoutExceeded } = await plan();
  while (change !== undefined) {
    const saved = dryRun
      ? await store.dryRun(change)
      : await store.save(change, complete?.(outcome));
    if (saved.kind === 'saved') return { outcome, isSaved: true };
    if (saved.kind === 'conflict' || !withoutExceeded) return null;
    ({ change, outcome, withoutExceeded } = await withoutExceeded(saved.exceeded));
  }
  return { outcome, isSaved: false };
}
