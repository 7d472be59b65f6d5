import { createHash } from 'node:crypto';
import { ERRORS, GatewayError, type Refusal } from '../../domain/errors.js';
import { canonicalJson } from '../../domain/changes/merge-patch.js';
import { retryUnavailable } from '../retry-unavailable.js';
import type {
  ExistingRecord,
  IdempotencyRecordKey,
  IdempotencyResult,
  IdempotencyStore,
} from './post-ports.js';

/** How long a duplicate request waits for the first one (D27). */
const MAX_DUPLICATE_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 50;
/** How long a failed release is retried; afterwards the record expires by itself. */
const MAX_RELEASE_RETRY_MS = 30_000;

/**
 * Creates the result that the work passes to the store, to complete the record in the transaction
 * of its change.
 */
export type CompleteRecord = (outcome: unknown) => IdempotencyResult;

/**
 * `recorded`: the outcome was recorded with the change; `record`: it has to be recorded; `discard`:
 * it must not be (401, 403, 412 …).
 */
export interface WorkResult<T> {
  readonly outcome: T;
  readonly recording: 'recorded' | 'record' | 'discard';
}

interface KeyedInput {
  readonly recordKey: IdempotencyRecordKey;
  readonly input: unknown;
}

/** Outcome of `runOnce`: of the work, or replayed from the record. */
export type RunOnceOutcome<T> =
  | { readonly kind: 'executed'; readonly outcome: T }
  | { readonly kind: 'replayed'; readonly outcome: unknown }
  | { readonly kind: 'mismatch'; readonly refusal: Refusal };

const MISMATCH: Refusal = {
  code: 'IDEMPOTENCY_MISMATCH',
  message: ERRORS.IDEMPOTENCY_MISMATCH.description,
  path: ['idempotencyKey'],
  rule: 'D27',
};

/**
 * Runs the work once per idempotency key: waits for a duplicate request in flight, replays a
 * recorded outcome, and returns a mismatch if the key was used with a different input.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT after 10 seconds
 */
export async function runOnce<T>(
  store: IdempotencyStore,
  { recordKey, input }: KeyedInput,
  work: (complete: CompleteRecord) => Promise<WorkResult<T>>,
): Promise<RunOnceOutcome<T>> {
  const fingerprint = fingerprintOf(input);
  const deadline = performance.now() + MAX_DUPLICATE_WAIT_MS;
  for (;;) {
    const start = await store.start(recordKey, fingerprint);
    if (start.kind === 'started') {
      const run = new RecordedRun(store, recordKey, start.token);
      return { kind: 'executed', outcome: await run.execute(work) };
    }
    const earlier = outcomeOf(start, fingerprint);
    if (earlier) return earlier;
    if (performance.now() > deadline) throw new GatewayError('IDEMPOTENCY_IN_FLIGHT');
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/**
 * Runs a dry run, which starts no record: the outcome is that of `runOnce`, except that it does not
 * wait for a duplicate request in flight.
 */
export async function runDry<T>(
  store: IdempotencyStore,
  { recordKey, input }: KeyedInput,
  work: () => Promise<T>,
): Promise<RunOnceOutcome<T>> {
  const existing = await store.find(recordKey);
  const earlier = existing && outcomeOf(existing, fingerprintOf(input));
  return earlier ?? { kind: 'executed', outcome: await work() };
}

const fingerprintOf = (input: unknown): string =>
  createHash('sha256').update(canonicalJson(input)).digest('base64url');

/** What an earlier request with the same key determines; null while it runs with the same input. */
function outcomeOf(
  existing: ExistingRecord,
  fingerprint: string,
): Exclude<RunOnceOutcome<never>, { kind: 'executed' }> | null {
  if (existing.fingerprint !== fingerprint) return { kind: 'mismatch', refusal: MISMATCH };
  return existing.kind === 'recorded' ? { kind: 'replayed', outcome: existing.outcome } : null;
}

/** One run of the work under a started record. */
class RecordedRun {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly recordKey: IdempotencyRecordKey,
    private readonly token: string,
  ) {}

  async execute<T>(work: (complete: CompleteRecord) => Promise<WorkResult<T>>): Promise<T> {
    const complete: CompleteRecord = (outcome) => ({
      recordKey: this.recordKey,
      token: this.token,
      outcome,
    });
    try {
      const { outcome, recording } = await work(complete);
      if (recording === 'record') await this.store.record(complete(outcome));
      if (recording === 'discard') await this.release();
      return outcome;
    } catch (error) {
      await this.release().catch(() => void this.releaseInBackground());
      throw error;
    }
  }

  private release(): Promise<void> {
    return this.store.release(this.recordKey, this.token);
  }

  /** So that a client that repeats the request need not wait for the record to expire. */
  private releaseInBackground(): Promise<void> {
    return retryUnavailable(() => this.release(), MAX_RELEASE_RETRY_MS).catch(() => undefined);
  }
}
