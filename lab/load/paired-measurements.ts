import { startLoadedGateway, type LoadedGateway } from './loaded-gateway.js';
import { median, type Ratio } from './statistics.js';

/**
 * A gateway that has served the sustained load, and one that is started when it is first needed.
 */
export interface GatewayPair {
  readonly aged: LoadedGateway;
  fresh?: LoadedGateway;
}

/**
 * Measures both gateways in turn, so that changes of the machine affect both. Every other pair
 * starts with the fresh one.
 */
export async function measureInPairs(
  gateways: GatewayPair,
  { first, pairs }: { first: number; pairs: number },
  measure: (gateway: LoadedGateway) => Promise<number>,
): Promise<number[][]> {
  const { aged } = gateways;
  gateways.fresh ??= await startLoadedGateway();
  const { fresh } = gateways;
  const values: number[][] = [];
  for (let pair = first; pair < first + pairs; pair += 1) {
    if (pair % 2 === 0) values.push([await measure(aged), await measure(fresh)]);
    else values.push([await measure(fresh), await measure(aged)].reverse());
  }
  return values;
}

/** Median of the aged and of the fresh gateway. */
export const medians = (pairs: readonly number[][]): [number, number] => [
  median(pairs.map(([aged]) => aged!)),
  median(pairs.map(([, fresh]) => fresh!)),
];
export const includes = ({ lower, upper }: Ratio, limit: number): boolean =>
  lower < limit && limit < upper;
export const describeRatio = ({ mean, lower, upper }: Ratio): string =>
  `${mean.toFixed(2)} times (${lower.toFixed(2)} to ${upper.toFixed(2)}) by the geometric mean`;
