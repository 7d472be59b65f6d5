// Runs one suite of `test` or `lab`: `node test/setup/run-suite.mjs fuzz [--quick] [--seed 7] …`. Its
// tests read the options with suite.ts.
import { spawnSync } from 'node:child_process';

/** Options of each suite, besides --quick. */
const OPTIONS = {
  agents: [],
  attack: [],
  bluesky: ['rounds'],
  conformance: [],
  concurrency: ['rounds'],
  failover: ['rounds', 'seed', 'only'],
  faults: ['rounds', 'seed', 'only'],
  fuzz: ['requests', 'seed', 'path', 'target'],
  image: [],
  load: ['minutes'],
  mastodon: ['rounds'],
  matrix: ['seed'],
  monitoring: [],
  neighbours: [],
  nginx: [],
  'primary-cpu': [],
  publishing: ['rounds', 'seed'],
  'redis-failover': [],
  replicas: [],
  restore: [],
  storage: [],
  streams: ['per-key', 'subscribers'],
  upgrade: ['from', 'release', 'seconds', 'seed'],
  wordpress: ['rounds'],
};

/** Suites that use a real network: the file of this name in `lab/real`. */
const REAL_NETWORKS = ['bluesky', 'mastodon', 'wordpress'];

const [name, ...words] = process.argv.slice(2);
if (!Object.hasOwn(OPTIONS, name ?? '')) {
  process.stderr.write(`Unknown suite. Suites: ${Object.keys(OPTIONS).join(', ')}\n`);
  process.exit(2);
}
const isName = (word) => word?.startsWith('--');
const given = Object.fromEntries(
  words.flatMap((word, index) =>
    isName(word)
      ? [[word.slice(2), isName(words[index + 1]) ? true : (words[index + 1] ?? true)]]
      : [],
  ),
);

const allowed = ['quick', ...OPTIONS[name]];
const unknown = Object.keys(given).filter((option) => !allowed.includes(option));
if (unknown.length > 0) {
  process.stderr.write(
    `The suite ${name} takes ${allowed.map((option) => `--${option}`).join(', ')}\n`,
  );
  process.exit(2);
}

/**
 * Whether a suite can run in a network namespace of its own, in which it may drop packets: as root
 * on Linux, with the programs `unshare`, `ip` and `nft`.
 */
const OWN_NETWORK = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const hasOwnNetwork =
  name === 'faults' &&
  spawnSync('unshare', [...OWN_NETWORK, 'nft', 'add', 'table', 'inet', 'probe']).status === 0;

const jest = [
  'node_modules/jest/bin/jest.js',
  '--runInBand',
  '--globals',
  JSON.stringify({ suite: { ...given, ...(hasOwnNetwork && { 'own-network': true }) } }),
  '--roots',
  '<rootDir>/test',
  '<rootDir>/lab',
  ...(REAL_NETWORKS.includes(name)
    ? ['--testMatch', `**/lab/real/${name}.ts`]
    : ['--testPathPatterns', `(test|lab)/${name}/`]),
];
const command = [process.execPath, ...jest];
const [program, ...args] = hasOwnNetwork ? ['unshare', ...OWN_NETWORK, ...command] : command;
process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
