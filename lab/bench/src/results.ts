import type { Measurement } from './measure.js';
import { PRODUCT } from './servers.js';

/** Start time and memory of a server: medians of its starts. */
export interface ServerFigures {
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

/** Medians of the rounds of an operation on a server. */
export function medianOf(
  measurements: readonly Measurement[],
  server: string,
  operation: string,
): Measurement | null {
  const rounds = measurements.filter(
    (measurement) => measurement.server === server && measurement.operation === operation,
  );
  if (rounds.length === 0) return null;
  const figure = (read: (measurement: Measurement) => number): number => median(rounds.map(read));
  return {
    server,
    operation,
    perSecond: figure((measurement) => measurement.perSecond),
    p50: figure((measurement) => measurement.p50),
    p99: figure((measurement) => measurement.p99),
    serverCpu: figure((measurement) => measurement.serverCpu),
    databaseCpu: figure((measurement) => measurement.databaseCpu),
  };
}

export type Ratios = Record<string, Record<string, number>>;

const ownPerOther = (own: number, other: number): number => own / other;
const cpuOf = ({ serverCpu, databaseCpu }: Measurement): number => serverCpu + databaseCpu;

/**
 * Requests per second of the product divided by those of each other server, by operation: medians
 * of the ratios of the rounds.
 */
export const ratiosOf = (measurements: readonly Measurement[]): Ratios =>
  roundRatios(measurements, ({ perSecond }) => perSecond, ownPerOther);

/** CPU time per request of each other server and its database, divided by that of the product. */
export const cpuRatiosOf = (measurements: readonly Measurement[]): Ratios =>
  roundRatios(measurements, cpuOf, (own, other) => other / own);

function roundRatios(
  measurements: readonly Measurement[],
  valueOf: (measurement: Measurement) => number,
  ratioOf: (own: number, other: number) => number,
): Ratios {
  const names = (key: 'server' | 'operation'): string[] => [
    ...new Set(measurements.map((measurement) => measurement[key])),
  ];
  const rounds = (server: string, operation: string): number[] =>
    measurements
      .filter((measurement) => measurement.server === server && measurement.operation === operation)
      .map(valueOf);
  const ratios: Ratios = {};
  for (const operation of names('operation')) {
    const own = rounds(PRODUCT, operation);
    for (const server of names('server').filter((name) => name !== PRODUCT)) {
      const others = rounds(server, operation);
      if (others.length === 0 || own.length === 0) continue;
      (ratios[operation] ??= {})[server] = Number(
        median(others.map((other, round) => ratioOf(own[round] ?? NaN, other))).toFixed(2),
      );
    }
  }
  return ratios;
}
