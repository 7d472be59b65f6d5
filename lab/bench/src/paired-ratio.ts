import { figure } from './text-table.js';

/** Two-sided 95 % quantiles of Student's t distribution, by degrees of freedom from 1 on. */
const T_QUANTILES = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12,
  2.11, 2.1, 2.09,
];
const LARGE_SAMPLE_QUANTILE = 2.05;

export interface PairedRatio {
  readonly mean: number;
  /** Bounds of the 95 % confidence interval. */
  readonly from: number;
  readonly to: number;
}

/**
 * Geometric mean of the ratios of paired values, with its confidence interval, which is infinitely
 * wide for a single pair.
 */
export function pairedRatio(values: readonly number[], others: readonly number[]): PairedRatio {
  // A database process that ends takes its CPU time along: such pairs have no ratio.
  const logs = values.map((value, pair) => Math.log(value / others[pair]!)).filter(Number.isFinite);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const degrees = logs.length - 1;
  const quantile = T_QUANTILES[degrees - 1] ?? LARGE_SAMPLE_QUANTILE;
  const margin = degrees === 0 ? Infinity : quantile * Math.sqrt(squares / degrees / logs.length);
  return { mean: Math.exp(mean), from: Math.exp(mean - margin), to: Math.exp(mean + margin) };
}

export const ratioCell = ({ mean, from, to }: PairedRatio): string =>
  `${figure(mean, 3)} [${figure(from, 3)}, ${figure(to, 3)}]`;
