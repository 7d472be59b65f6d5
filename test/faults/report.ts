import { allAttempts } from './response-rules.js';
import type { RequestHistory } from './request-history.js';

const max = (values: readonly number[]): number =>
  Math.round(values.reduce((a, b) => Math.max(a, b), 0));
const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
const countBy = (values: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} ${value}`).join(', ');
};

/** Summary of a run, one line per figure. */
export function reportLines(history: RequestHistory): string[] {
  const attempts = allAttempts(history);
  const durationsOf = (code: string): number[] =>
    attempts
      .filter((attempt) => attempt.code === code)
      .map(({ startedAt, endedAt }) => endedAt - startedAt);
  const kinds = [...new Set(history.faults.map(({ kind }) => kind.name))].sort();
  return [
    `${history.faults.length} faults; ${attempts.length} requests: ${countBy(attempts.map(({ status, code }) => (status === null ? 'no response' : code)))}`,
    `${history.changes.length} changes: ${countBy(history.changes.map(({ outcome }) => outcome))}; ${history.readings.length} posts read`,
    `responses: median ${median(durationsOf('OK'))} ms, longest ${max(durationsOf('OK'))} ms; 503: median ${median(durationsOf('UNAVAILABLE'))} ms, longest ${max(durationsOf('UNAVAILABLE'))} ms`,
    `503: ${countBy(attempts.filter(({ code }) => code === 'UNAVAILABLE').map(({ message }) => `× ${message}`))}`,
    ...kinds.map((kind) => {
      const injected = history.faults.filter((fault) => fault.kind.name === kind);
      const recoveries = injected.map(({ recoveryMs }) => recoveryMs);
      const unavailable = attempts.filter(
        ({ code, startedAt, endedAt }) =>
          code === 'UNAVAILABLE' &&
          injected.some(({ from, to }) => endedAt >= from && startedAt <= to),
      );
      return `${kind}: ${injected.length} times, ${unavailable.length} × 503, both gateways serve again after ${median(recoveries)} ms (median), ${max(recoveries)} ms (longest)`;
    }),
  ];
}

/** What subscribers and the receiver of the webhook got. */
export function eventLine({ subscribers, messages }: RequestHistory, connections: number): string {
  const repeated = messages.length - new Set(messages.map(({ id }) => id)).size;
  return `${subscribers.length} subscribers received ${subscribers[0]!.length} events each, on ${connections} connections; ${messages.length} messages of the webhook, ${repeated} of them repeated`;
}
