import { buildIfChanged, errorLinesOf, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { contendedCaps } from './caps.js';
import { contendedChanges } from './changes.js';
import { contendedCreations, contendedQueues } from './creations.js';
import { contendedDeletions } from './deletions.js';
import { contendedSeries } from './series.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import { duplicateRequests } from './duplicate-requests.js';

jest.setTimeout(1_800_000);

let environment: TestEnvironment;
beforeAll(async () => {
  buildIfChanged();
  environment = await createTestEnvironment();
});
afterAll(async () => {
  await environment.close();
  killStartedPrograms();
});

/** Rounds in `npm run test:system`, with `--quick`, and in the full run. */
it.each([
  [
    '64 clients that change, label and delete the same posts produce one order of versions',
    contendedChanges,
    { short: 5, quick: 25, full: 300 },
  ],
  [
    'overlapping deletions report each post as deleted once, and all-or-nothing deletions are complete',
    contendedDeletions,
    { short: 4, quick: 25, full: 300 },
  ],
  [
    'twenty duplicate requests with one idempotency key have one effect and one response',
    duplicateRequests,
    { short: 4, quick: 25, full: 300 },
  ],
  [
    'as many posts as the daily cap allows are moved into one day',
    contendedCaps,
    { short: 2, quick: 12, full: 100 },
  ],
  [
    'as many posts as the daily cap allows are created for one day',
    contendedCreations,
    { short: 1, quick: 6, full: 50 },
  ],
  [
    'posts that are added to one queue at the same time get a slot each',
    contendedQueues,
    { short: 1, quick: 6, full: 50 },
  ],
  [
    'series stay consistent when they are edited while their children are deleted',
    contendedSeries,
    { short: 4, quick: 12, full: 100 },
  ],
] as const)('%s', async (_title, scenario, lengths) => {
  const { violations, summary } = await scenario(
    environment,
    suite.number('rounds', lengths[suite.length]),
  );
  suite.report(`${summary}; slowest response ${environment.gatewayClient.slowest()} ms`);
  expect(violations.slice(0, 20)).toEqual([]);
});

it('no scenario logs an error', () => {
  expect(environment.gateways.processes.flatMap(errorLinesOf)).toEqual([]);
});
