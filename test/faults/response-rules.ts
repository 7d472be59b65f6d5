import { suite } from '../setup/suite.js';
import type { Tolerance } from './fault-kinds.js';
import type { Attempt, InjectedFault, RequestHistory } from './request-history.js';

/**
 * A response, also 503, arrives within this time. Longer in `npm run test:system`, where other tests use the
 * same cores.
 */
export const MAX_RESPONSE_MS = suite.length === 'short' ? 3_000 : 2_000;
/**
 * Limit for a result while the database is unavailable: it may come when the database is back just
 * before.
 */
const MAX_LATE_RESPONSE_MS = 4_000;
/** A duplicate request waits for the first one for up to 10 s (D27), by polling. */
const MAX_RETRY_MS = 12_000;

/**
 * Milliseconds after a fault in which it still justifies a deviation: lost connections are noticed
 * when they are used, and a killed process keeps its idempotency keys for 30 s.
 */
const GRACE_MS: Readonly<Record<Tolerance, number>> = {
  UNAVAILABLE: 1_000,
  late: 1_000,
  IDEMPOTENCY_IN_FLIGHT: 31_000,
  'no response': 0,
};

const overlaps = ({ startedAt, endedAt }: Attempt, from: number, to: number): boolean =>
  endedAt >= from && startedAt <= to;
const endsWithin = ({ startedAt, endedAt, withoutCoreMs = 0 }: Attempt, limitMs: number): boolean =>
  endedAt - startedAt - withoutCoreMs <= limitMs;

/**
 * A retry may wait for its first attempt while the database works. All outages that it waits
 * through together may take no longer than one request may wait, so that a second outage does not
 * extend the limit.
 */
function isRetryInTime(attempt: Attempt, faults: readonly InjectedFault[]): boolean {
  const { isRetry, startedAt, endedAt } = attempt;
  const outages = faults.filter(({ kind }) => isRetry && kind.tolerates.includes('late'));
  const waitedMs = outages
    .map(({ from, to, recoveryMs }) =>
      Math.max(0, Math.min(endedAt, to - recoveryMs) - Math.max(startedAt, from)),
    )
    .reduce((a, b) => a + b, 0);
  return (
    outages.some(({ from, to }) => endedAt >= from && endedAt <= to + GRACE_MS.late) &&
    waitedMs <= MAX_RESPONSE_MS &&
    endsWithin(attempt, MAX_RETRY_MS)
  );
}

/** Conditions that a tolerated response must meet. */
const CONDITIONS: Readonly<
  Record<
    Tolerance,
    (attempt: Attempt, fault: InjectedFault, faults: readonly InjectedFault[]) => boolean
  >
> = {
  /** After a kill, only the killed gateway may answer 503, while it starts. */
  UNAVAILABLE: (attempt, { target, kind }, faults) =>
    (target === null || target === attempt.gateway) &&
    attempt.status === 503 &&
    /^\d+$/.test(attempt.retryAfter ?? '') &&
    (endsWithin(attempt, kind.maxWaitMs ?? MAX_RESPONSE_MS) || isRetryInTime(attempt, faults)),
  IDEMPOTENCY_IN_FLIGHT: (attempt, { kind }) =>
    attempt.isRetry && endsWithin(attempt, kind.maxWaitMs ?? MAX_RETRY_MS),
  late: (attempt, { kind }) => endsWithin(attempt, kind.maxWaitMs ?? MAX_LATE_RESPONSE_MS),
  /** Only for requests to the killed gateway, and without delay. */
  'no response': ({ gateway, startedAt, endedAt }, { target, from }) =>
    gateway === target && endedAt - Math.max(startedAt, from) <= MAX_RESPONSE_MS,
};

const toleratingFaults = (
  { faults }: RequestHistory,
  attempt: Attempt,
  tolerance: Tolerance,
): InjectedFault[] =>
  faults.filter(
    ({ kind, from, to }) =>
      kind.tolerates.includes(tolerance) && overlaps(attempt, from, to + GRACE_MS[tolerance]),
  );
const isTolerated = (history: RequestHistory, attempt: Attempt, tolerance: Tolerance): boolean =>
  toleratingFaults(history, attempt, tolerance).some((fault) =>
    CONDITIONS[tolerance](attempt, fault, history.faults),
  );

/**
 * A result is in time, or late because of a fault, or a retry that waited for a first attempt that
 * a fault left running.
 */
const isInTime = (history: RequestHistory, attempt: Attempt): boolean =>
  endsWithin(attempt, MAX_RESPONSE_MS) ||
  isTolerated(history, attempt, 'late') ||
  (attempt.isRetry &&
    endsWithin(attempt, MAX_RETRY_MS) &&
    toleratingFaults(history, attempt, 'IDEMPOTENCY_IN_FLIGHT').length > 0);

function isAllowed(history: RequestHistory, attempt: Attempt): boolean {
  if (attempt.status === null) return isTolerated(history, attempt, 'no response');
  return attempt.code === 'UNAVAILABLE' || attempt.code === 'IDEMPOTENCY_IN_FLIGHT'
    ? isTolerated(history, attempt, attempt.code)
    : isInTime(history, attempt);
}

export const allAttempts = ({ changes, attempts }: RequestHistory): Attempt[] => [
  ...changes.flatMap((change) => change.attempts),
  ...attempts,
];

/** Responses that are not allowed, late or incomplete, and missing responses: one line each. */
export function responseViolations(history: RequestHistory): string[] {
  return allAttempts(history)
    .filter((attempt) => !isAllowed(history, attempt))
    .map((attempt) => {
      const { status, code, message, retryAfter, startedAt, endedAt, gateway } = attempt;
      const { withoutCoreMs } = attempt;
      const waited =
        withoutCoreMs === undefined ? '' : ` (${Math.round(withoutCoreMs)} ms without a core)`;
      return `${status ?? 'no response'} ${code} (${message}; Retry-After ${retryAfter}) from gateway ${gateway + 1} after ${Math.round(endedAt - startedAt)} ms${waited}, ${describeFaults(history, attempt)}`;
    });
}

/** Faults around a response, and how long before its end each one started. */
const describeFaults = ({ faults }: RequestHistory, attempt: Attempt): string =>
  faults
    .filter(({ from, to }) => overlaps(attempt, from, to + GRACE_MS.late))
    .map(({ kind, from }) => `${Math.round(attempt.endedAt - from)} ms after ${kind.name}`)
    .join(' and ') || 'without a fault';
