import type { Hit } from './arrivals.js';

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  0;

/** A list in three parts of one length each, as they came. */
export function thirds<T>(list: readonly T[]): [T[], T[], T[]] {
  const cut = (part: number): number => Math.floor((list.length * part) / 3);
  return [list.slice(0, cut(1)), list.slice(cut(1), cut(2)), list.slice(cut(2))];
}

/** The p99 of each window of so many milliseconds. */
export function p99s(hits: readonly Hit[], windowMs: number): number[] {
  const windows = new Map<number, number[]>();
  for (const { dueAt, took } of hits) {
    const window = Math.floor(dueAt / windowMs);
    const times = windows.get(window);
    if (times) times.push(took);
    else windows.set(window, [took]);
  }
  return [...windows].sort(([a], [b]) => a - b).map(([, times]) => percentile(times, 0.99));
}

/** How often each trouble was met; successes are left out. */
export function troublesOf(hits: readonly Hit[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, trouble } of hits)
    if (trouble !== null)
      counts[`${status} ${trouble}`] = (counts[`${status} ${trouble}`] ?? 0) + 1;
  return counts;
}

/** How many times one thing is another. */
export interface Ratio {
  readonly times: number;
  readonly least: number;
  readonly most: number;
}

const NORMAL_95 = 1.96;

/** How many times the first of each pair is the second: the geometric mean, and between what it lies by 95 of 100 such runs. */
export function ratioOf(pairs: readonly (readonly number[])[]): Ratio {
  const logs = pairs.map(([one, other]) => Math.log(one! / other!));
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  const variance =
    logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / Math.max(1, logs.length - 1);
  const error = NORMAL_95 * Math.sqrt(variance / logs.length);
  return { times: Math.exp(mean), least: Math.exp(mean - error), most: Math.exp(mean + error) };
}
