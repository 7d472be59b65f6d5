import type { Row } from '../text-table.js';
import { bottlenecksOf, serversOf, type Needs } from './needs.js';
import type { Scenario } from './scenario.js';

/** A number with two significant digits, or all digits of its integer part. */
export function rounded(value: number): string {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.max(value, 1e-9))));
  const factor = 10 ** (value >= 100 ? 1 - Math.floor(Math.log10(value)) : digits);
  return (Math.round(value * factor) / factor).toLocaleString('en', { maximumFractionDigits: 2 });
}

/** What the scenario needs: resource, needed, available on one server, servers. */
export const needRows = ({ needs }: Needs): Row[] =>
  needs.map((need) => {
    const { resource, unit, needed, available } = need;
    return [
      resource,
      `${rounded(needed)} ${unit}`,
      available === null ? '–' : `${rounded(available)} ${unit}`,
      `${serversOf(need) ?? '–'}`,
    ];
  });

/** The bottlenecks in the order in which they are reached: where, resource, and what is done. */
export const bottleneckRows = (needs: Needs, scenario: Scenario): Row[] =>
  bottlenecksOf(needs).map(({ resource, share, solution }) => [
    `${rounded(share * 100)}%`,
    `${rounded(share * scenario.posts)} posts, ${rounded(share * scenario.requestsPerSecond)} requests/s, ${rounded(share * scenario.publicationsPerSecond)} publications/s`,
    resource,
    solution,
  ]);
