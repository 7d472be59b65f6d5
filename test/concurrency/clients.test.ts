import { buildWhatIsStarted, faultsOf, killStarted } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { contendedCaps } from './caps.js';
import { contendedChanges } from './changes.js';
import { contendedDeletions } from './deletions.js';
import { contendedSeries } from './series.js';
import { aStage, type Stage } from './stage.js';
import { twins } from './twins.js';

jest.setTimeout(1_800_000);

let stage: Stage;
beforeAll(async () => {
  buildWhatIsStarted();
  stage = await aStage();
});
afterAll(async () => {
  await stage.close();
  killStarted();
});

/** How far each goes in `npm test`, with `--quick`, and else. */
it.each([
  [
    '64 clients who change, relabel and delete the same posts leave one order of versions',
    contendedChanges,
    { short: 5, quick: 25, full: 300 },
  ],
  [
    'each post of overlapping deletions goes once, and all or nothing whole',
    contendedDeletions,
    { short: 4, quick: 25, full: 300 },
  ],
  [
    'twenty twins of an idempotency key have one effect and one answer',
    twins,
    { short: 4, quick: 25, full: 300 },
  ],
  [
    'as many posts get into a day as its cap has places',
    contendedCaps,
    { short: 2, quick: 12, full: 100 },
  ],
  [
    'series that are edited while their children are deleted stay whole',
    contendedSeries,
    { short: 4, quick: 12, full: 100 },
  ],
] as const)('%s', async (_what, play, lengths) => {
  const { broken, figures } = await play(stage, suite.number('rounds', lengths[suite.form]));
  suite.tell(`${figures}; slowest answer ${stage.asker.slowest()} ms`);
  expect(broken.slice(0, 20)).toEqual([]);
});

it('let nothing be logged as a fault', () => {
  expect(stage.gateways.processes.flatMap(faultsOf)).toEqual([]);
});
