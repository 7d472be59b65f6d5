import type { SeededDatabase } from './bench-environment.js';
import { DIALECTS } from './dialects.js';
import type { Request } from './requests.js';
import {
  compareSides,
  type Growth,
  type MeasuredGateway,
  type ScaleContext,
  type Sends,
} from './scale-comparison.js';
import { topic } from './seed-texts.js';

const dialect = DIALECTS.contract;
const MAX_RATIO = 1.3;

/** From 10,000 posts to all of them, in workspaces of the same size. */
export async function bySize(context: ScaleContext, small: MeasuredGateway): Promise<Growth[]> {
  const sideOf = (
    gateway: MeasuredGateway,
    createRequests: (targets: SeededDatabase['targets']) => readonly Request[],
  ): readonly [MeasuredGateway, Sends] => [gateway, createRequests(gateway.seeded.targets)];
  const compareBoth = (
    name: string,
    createRequests: (targets: SeededDatabase['targets']) => readonly Request[],
  ): Promise<Growth> =>
    compareSides(
      context,
      { name, from: sideOf(small, createRequests), to: sideOf(context.large, createRequests) },
      MAX_RATIO,
    );
  return [
    await compareBoth('Q1k, ms', ({ readers }) =>
      readers.map((workspace) => dialect.posts({ workspace, counted: false })),
    ),
    await compareBoth('Q2, ms', ({ details }) =>
      details.map(({ workspace, id }) => dialect.post(workspace, id)),
    ),
    await compareSides(
      context,
      { name: 'M1, ms', from: [small, 'updates'], to: [context.large, 'updates'] },
      MAX_RATIO,
    ),
    await compareBoth('S1, 200 matches in a workspace, ms', ({ readers }) =>
      readers.map((workspace, index) => dialect.posts({ workspace, query: topic(index) })),
    ),
  ];
}
