import { suite } from '../setup/suite.js';
import type { Excuse } from './fault-kinds.js';
import type { Attempt, FaultTime, Journal } from './journal.js';

/** Whoever asks is answered in this time, or hears of an outage. In `npm test` other tests have the cores too. */
export const WITHIN_MS = suite.form === 'short' ? 3_000 : 2_000;
/** What is right may come when the database is back just before that. */
const LATE_WITHIN_MS = 4_000;
/** A twin is waited for as long as 10 s (D27), and looked at between. */
const TWIN_WITHIN_MS = 12_000;

/** For how long after a fault it excuses: lost connections are found out when they are used, a killed process holds its claims of idempotency keys for 30 s. */
const AFTER_MS: Readonly<Record<Excuse, number>> = {
  UNAVAILABLE: 1_000,
  late: 1_000,
  IDEMPOTENCY_IN_FLIGHT: 31_000,
  'no answer': 0,
};

const overlaps = ({ startedAt, endedAt }: Attempt, from: number, to: number): boolean =>
  endedAt >= from && startedAt <= to;
const isTold = ({ startedAt, endedAt }: Attempt, ms: number): boolean => endedAt - startedAt <= ms;

/** Who waits for a twin may wait while the database serves; of all outages that it meets it waits through no more than one is given to wait, so that a new one gives it no more time. */
function isTwinTold(attempt: Attempt, faults: readonly FaultTime[]): boolean {
  const { hasTwin, startedAt, endedAt } = attempt;
  const outages = faults.filter(({ kind }) => hasTwin && kind.excuses.includes('late'));
  const waited = outages
    .map(({ from, to, recoveryMs }) =>
      Math.max(0, Math.min(endedAt, to - recoveryMs) - Math.max(startedAt, from)),
    )
    .reduce((a, b) => a + b, 0);
  return (
    outages.some(({ from, to }) => endedAt >= from && endedAt <= to + AFTER_MS.late) &&
    waited <= WITHIN_MS &&
    isTold(attempt, TWIN_WITHIN_MS)
  );
}

/** How an answer has to be that a fault excuses. */
const HOLDS: Readonly<
  Record<Excuse, (attempt: Attempt, fault: FaultTime, faults: readonly FaultTime[]) => boolean>
> = {
  /** Of a killed process only it speaks so, while it starts. */
  UNAVAILABLE: (attempt, { victim }, faults) =>
    (victim === null || victim === attempt.gateway) &&
    attempt.status === 503 &&
    /^\d+$/.test(attempt.retryAfter ?? '') &&
    (isTold(attempt, WITHIN_MS) || isTwinTold(attempt, faults)),
  IDEMPOTENCY_IN_FLIGHT: (attempt) => attempt.hasTwin && isTold(attempt, TWIN_WITHIN_MS),
  late: (attempt) => isTold(attempt, LATE_WITHIN_MS),
  /** Only who asked the gateway that was killed, and at once. */
  'no answer': ({ gateway, startedAt, endedAt }, { victim, from }) =>
    gateway === victim && endedAt - Math.max(startedAt, from) <= WITHIN_MS,
};

const touching = ({ faults }: Journal, attempt: Attempt, excuse: Excuse): FaultTime[] =>
  faults.filter(
    ({ kind, from, to }) =>
      kind.excuses.includes(excuse) && overlaps(attempt, from, to + AFTER_MS[excuse]),
  );
const isExcused = (journal: Journal, attempt: Attempt, excuse: Excuse): boolean =>
  touching(journal, attempt, excuse).some((fault) => HOLDS[excuse](attempt, fault, journal.faults));

/** What is answered as asked comes in time, or late for the sake of a fault; or it has waited for a twin that one left under way. */
const isInTime = (journal: Journal, attempt: Attempt): boolean =>
  isTold(attempt, WITHIN_MS) ||
  isExcused(journal, attempt, 'late') ||
  (attempt.hasTwin &&
    isTold(attempt, TWIN_WITHIN_MS) &&
    touching(journal, attempt, 'IDEMPOTENCY_IN_FLIGHT').length > 0);

function isRight(journal: Journal, attempt: Attempt): boolean {
  if (attempt.status === null) return isExcused(journal, attempt, 'no answer');
  return attempt.code === 'UNAVAILABLE' || attempt.code === 'IDEMPOTENCY_IN_FLIGHT'
    ? isExcused(journal, attempt, attempt.code)
    : isInTime(journal, attempt);
}

export const attemptsOf = ({ changes, attempts }: Journal): Attempt[] => [
  ...changes.flatMap((change) => change.attempts),
  ...attempts,
];

/** Answers that were not to be given, came too late, lack what they should say, or did not come. */
export function brokenAnswers(journal: Journal): string[] {
  return attemptsOf(journal)
    .filter((attempt) => !isRight(journal, attempt))
    .map((attempt) => {
      const { status, code, message, retryAfter, startedAt, endedAt, gateway } = attempt;
      return `${status ?? 'no answer'} ${code} (${message}; Retry-After ${retryAfter}) from gateway ${gateway + 1} after ${Math.round(endedAt - startedAt)} ms, ${around(journal, attempt)}`;
    });
}

/** Faults around an answer, and how long before its end each began. */
const around = ({ faults }: Journal, attempt: Attempt): string =>
  faults
    .filter(({ from, to }) => overlaps(attempt, from, to + AFTER_MS.late))
    .map(({ kind, from }) => `${Math.round(attempt.endedAt - from)} ms after ${kind.name}`)
    .join(' and ') || 'without a fault';
