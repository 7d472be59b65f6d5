import { attemptsOf } from './answers.js';
import type { Journal } from './journal.js';

const most = (values: readonly number[]): number =>
  Math.round(values.reduce((a, b) => Math.max(a, b), 0));
const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
const countBy = (values: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} ${value}`).join(', ');
};

/** What a run came to, as lines for people. */
export function figuresOf(journal: Journal): string[] {
  const attempts = attemptsOf(journal);
  const took = (code: string): number[] =>
    attempts
      .filter((one) => one.code === code)
      .map(({ startedAt, endedAt }) => endedAt - startedAt);
  const kinds = [...new Set(journal.faults.map(({ kind }) => kind.name))].sort();
  return [
    `${journal.faults.length} faults; ${attempts.length} requests: ${countBy(attempts.map(({ status, code }) => (status === null ? 'without an answer' : code)))}`,
    `${journal.changes.length} changes: ${countBy(journal.changes.map(({ outcome }) => outcome))}; ${journal.readings.length} posts read`,
    `answers: ${median(took('OK'))} ms in the middle, ${most(took('OK'))} ms at most; 503: ${median(took('UNAVAILABLE'))} ms in the middle, ${most(took('UNAVAILABLE'))} ms at most`,
    `503: ${countBy(attempts.filter(({ code }) => code === 'UNAVAILABLE').map(({ message }) => `× ${message}`))}`,
    ...kinds.map((kind) => {
      const times = journal.faults.filter((fault) => fault.kind.name === kind);
      const hit = attempts.filter(
        ({ code, startedAt, endedAt }) =>
          code === 'UNAVAILABLE' &&
          times.some(({ from, to }) => endedAt >= from && startedAt <= to),
      );
      return `${kind}: ${times.length} times, ${hit.length} × 503, both gateways serve again after ${median(times.map(({ recoveryMs }) => recoveryMs))} ms in the middle, ${most(times.map(({ recoveryMs }) => recoveryMs))} ms at most`;
    }),
  ];
}
