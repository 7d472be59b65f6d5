import type { Sample } from './load-generator.js';

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;
/** One decimal, for reports. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Splits a list into three parts of equal length. */
export function thirds<T>(list: readonly T[]): [T[], T[], T[]] {
  const cut = (part: number): number => Math.floor((list.length * part) / 3);
  return [list.slice(0, cut(1)), list.slice(cut(1), cut(2)), list.slice(cut(2))];
}

export const latencies = (samples: readonly Sample[]): number[] =>
  samples.map(({ latencyMs }) => latencyMs);

/** The p99 of each window of that many milliseconds. */
export function p99PerWindow(samples: readonly Sample[], windowMs: number): number[] {
  const windows = new Map<number, number[]>();
  for (const { dueAt, latencyMs } of samples) {
    const index = Math.floor(dueAt / windowMs);
    const window = windows.get(index);
    if (window) window.push(latencyMs);
    else windows.set(index, [latencyMs]);
  }
  return [...windows].sort(([a], [b]) => a - b).map(([, window]) => percentile(window, 0.99));
}

/** Count of each error. */
export function errorCounts(samples: readonly Sample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, error } of samples)
    if (error !== null) counts[`${status} ${error}`] = (counts[`${status} ${error}`] ?? 0) + 1;
  return counts;
}

/** Ratio of two measurements, with the limits of its 95 % confidence interval. */
export interface Ratio {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

/** Two-sided 95 % quantile of the normal distribution. */
const NORMAL_95 = 1.96;

/** Geometric mean of the first value of each pair divided by the second one. */
export function ratioOf(pairs: readonly (readonly number[])[]): Ratio {
  const logs = pairs.map(([first, second]) => Math.log(first! / second!));
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  const variance =
    logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / Math.max(1, logs.length - 1);
  const margin = NORMAL_95 * Math.sqrt(variance / logs.length);
  return { mean: Math.exp(mean), lower: Math.exp(mean - margin), upper: Math.exp(mean + margin) };
}
