import { suite } from '../setup/suite.js';
import type { Attempt, FaultTime, Journal } from './journal.js';

/**
 * Whoever asks hears of an outage in this time; whoever waits for a twin of the same idempotency key, in this time from
 * its begin. In `npm test` other tests have the cores too.
 */
const UNAVAILABLE_WITHIN_MS = suite.form === 'short' ? 3_000 : 2_000;
/** What is right may come when the database is back just before that. */
const RIGHT_WITHIN_MS = 4_000;
/** A twin is waited for as long as 10 s (D27), and looked at between. */
const TWIN_WITHIN_MS = 12_000;
/** A killed process holds its claims of idempotency keys for 30 s. */
const CLAIMS_HELD_MS = 31_000;
/** What a fault leaves behind for a moment: lost connections that are found out when they are used. */
const AFTER_MS = 1_000;

const touches = ({ startedAt, endedAt }: Attempt, { from, to }: FaultTime, after = AFTER_MS): boolean => endedAt >= from && startedAt <= to + after;
const heardInTime = ({ startedAt, endedAt, isKeyed }: Attempt, { from }: FaultTime): boolean =>
  endedAt - (isKeyed ? Math.max(startedAt, from) : startedAt) <= UNAVAILABLE_WITHIN_MS;
const tookLess = ({ startedAt, endedAt }: Attempt, ms: number): boolean => endedAt - startedAt <= ms;

/** What a request may be answered beside what it asks for, during which fault. */
const ALLOWED: Readonly<Record<string, (attempt: Attempt, fault: FaultTime) => boolean>> = {
  UNAVAILABLE: (attempt, fault) => touches(attempt, fault) && heardInTime(attempt, fault),
  IDEMPOTENCY_IN_FLIGHT: (attempt, fault) => touches(attempt, fault, CLAIMS_HELD_MS) && tookLess(attempt, TWIN_WITHIN_MS),
};
/** Without any answer stays only who asked a gateway that was killed. */
const CUT_OFF = (attempt: Attempt, fault: FaultTime): boolean => fault.kind === 'a gateway is killed' && touches(attempt, fault);
/** What is answered as asked needs no fault. */
const IN_GOOD_TIME = (attempt: Attempt): boolean => tookLess(attempt, attempt.isKeyed ? TWIN_WITHIN_MS : RIGHT_WITHIN_MS);

export const attemptsOf = ({ changes, attempts }: Journal): Attempt[] => [...changes.flatMap((change) => change.attempts), ...attempts];

/** Answers that were not to be given, came too late, or did not come. */
export function brokenAnswers(journal: Journal): string[] {
  return attemptsOf(journal).flatMap((attempt) => {
    const { status, code, message, startedAt, endedAt } = attempt;
    const rule = status === null ? CUT_OFF : ALLOWED[code];
    if (rule ? journal.faults.some((fault) => rule(attempt, fault)) : IN_GOOD_TIME(attempt)) return [];
    return [`${status ?? 'no answer'} ${code} (${message}) from gateway ${attempt.gateway + 1} after ${Math.round(endedAt - startedAt)} ms, during ${faultsOf(journal, attempt)}`];
  });
}

const faultsOf = ({ faults }: Journal, attempt: Attempt): string => faults.filter((fault) => touches(attempt, fault)).map(({ kind }) => kind).join(' and ') || 'no fault';
