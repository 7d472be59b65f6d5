// The checks that `npm test` makes before the tests: types, format and lint. Prints what fails.
import { runPackage } from './run-package.mjs';

/** The format check takes as long as the others together, on one core: it runs beside them. */
const LANES = [
  [['prettier', '--check', '.']],
  [
    ['tsc', '-p', 'test'], // includes src and tools
    ['tsc', '-p', 'test/e2e'],
    ['tsc', '-p', 'src/playground'],
    ['oxlint', '--type-aware', '--deny-warnings'],
  ],
];

async function runLane(commands) {
  for (const command of commands) await runPackage(...command);
}

for (const { status, reason } of await Promise.allSettled(LANES.map(runLane))) {
  if (status === 'fulfilled') continue;
  process.stderr.write(`${reason.message}\n`);
  process.exitCode = 1;
}
