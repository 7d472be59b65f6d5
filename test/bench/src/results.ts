import type { Measurement } from './measure.js';
import { PRODUCT } from './servers.js';

/** What a server is beside its operations: the medians of its starts. */
export interface Standing {
  readonly server: string;
  readonly startMs: number;
  readonly idleMb: number;
  readonly loadedMb: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length === 0
    ? NaN
    : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2;
};

/** The median round of an operation on a server, figure by figure. */
export function medianOf(
  measurements: readonly Measurement[],
  server: string,
  operation: string,
): Measurement | null {
  const rounds = measurements.filter((one) => one.server === server && one.operation === operation);
  if (rounds.length === 0) return null;
  const figure = (read: (one: Measurement) => number): number => median(rounds.map(read));
  return {
    server,
    operation,
    perSecond: figure((one) => one.perSecond),
    p50: figure((one) => one.p50),
    p99: figure((one) => one.p99),
    serverCpu: figure((one) => one.serverCpu),
    databaseCpu: figure((one) => one.databaseCpu),
  };
}

export type Ratios = Record<string, Record<string, number>>;

/** How many times as many requests a second the product answers, by operation and server: the median of the rounds' own ratios. */
export function ratiosOf(measurements: readonly Measurement[]): Ratios {
  const names = (key: 'server' | 'operation'): string[] => [
    ...new Set(measurements.map((one) => one[key])),
  ];
  const rounds = (server: string, operation: string): number[] =>
    measurements
      .filter((one) => one.server === server && one.operation === operation)
      .map((one) => one.perSecond);
  const ratios: Ratios = {};
  for (const operation of names('operation')) {
    const ours = rounds(PRODUCT, operation);
    for (const server of names('server').filter((name) => name !== PRODUCT)) {
      const theirs = rounds(server, operation);
      if (theirs.length === 0 || ours.length === 0) continue;
      (ratios[operation] ??= {})[server] = Number(
        median(theirs.map((perSecond, round) => (ours[round] ?? NaN) / perSecond)).toFixed(2),
      );
    }
  }
  return ratios;
}
