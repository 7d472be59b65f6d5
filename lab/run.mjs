// `npm run lab -- <name> [options]`: measurements, and suites that need an idle machine, other
// servers or hours. Installs the packages that they need, and builds the gateway.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installPackagesOf } from '../test/setup/install-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What has a command of its own. Each other name is that of a suite. */
const PROGRAMS = {
  bench: 'lab/bench/run.mjs',
  platforms: 'lab/platforms/run.mjs',
  upgrade: 'lab/upgrade/run.mjs',
};
const SUITES = [
  'agents',
  'bluesky',
  'failover',
  'image',
  'load',
  'mastodon',
  'monitoring',
  'nginx',
  'primary-cpu',
  'redis-failover',
  'replicas',
  'restore',
  'storage',
  'streams',
  'wordpress',
];

const [name = '', ...options] = process.argv.slice(2);
const program = Object.hasOwn(PROGRAMS, name)
  ? [PROGRAMS[name]]
  : SUITES.includes(name) && ['test/setup/run-suite.mjs', name];

/** Runs a program of Node.js in the root of the repository, and ends with it if it fails. */
function run(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!program) {
  const names = [...Object.keys(PROGRAMS), ...SUITES].sort().join(', ');
  process.stderr.write(`Give one of these names: ${names}\n`);
  process.exit(2);
}
try {
  installPackagesOf([name]);
} catch ({ message }) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
run('tools/build.mjs', '--if-changed', '--quiet');
run(...program, ...options);
