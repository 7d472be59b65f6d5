// Runs one suite as far as it goes: `node test/setup/run-suite.mjs fuzz [--quick] [--seed 7] …`. What it is told reaches its tests by suite.ts.
import { spawnSync } from 'node:child_process';

/** What each suite understands, beside --quick. */
const OPTIONS = {
  attack: [],
  conformance: [],
  concurrency: ['rounds'],
  faults: ['rounds', 'seed', 'only'],
  fuzz: ['requests', 'seed', 'path', 'lane'],
  load: ['minutes'],
};

const [name, ...words] = process.argv.slice(2);
if (!Object.hasOwn(OPTIONS, name ?? '')) {
  process.stderr.write(`There are the suites ${Object.keys(OPTIONS).join(', ')}\n`);
  process.exit(2);
}
const isName = (word) => word?.startsWith('--');
const told = Object.fromEntries(
  words.flatMap((word, at) =>
    isName(word) ? [[word.slice(2), isName(words[at + 1]) ? true : (words[at + 1] ?? true)]] : [],
  ),
);

const known = ['quick', ...OPTIONS[name]];
const unknown = Object.keys(told).filter((option) => !known.includes(option));
if (unknown.length > 0) {
  process.stderr.write(`test:${name} takes ${known.map((option) => `--${option}`).join(', ')}\n`);
  process.exit(2);
}

const jest = [
  'node_modules/jest/bin/jest.js',
  '--runInBand',
  '--globals',
  JSON.stringify({ suite: told }),
  '--testPathIgnorePatterns',
  '/node_modules/',
  '--testPathPatterns',
  `test/${name}/`,
];
process.exitCode = spawnSync(process.execPath, jest, { stdio: 'inherit' }).status ?? 1;
