// Installs the packages of suites that have a package.json of their own, unless they are installed:
// `node test/setup/install-packages.mjs e2e …`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEST = path.join(ROOT, 'test');

/** The folders whose packages a suite needs. Other suites need only those of the root. */
const FOLDERS_OF = {
  agents: ['lab/agents'],
  bench: ['lab/bench'],
  bluesky: ['lab/real/bluesky', 'test/e2e'], // the browser that gives consent on real servers
  conformance: ['test/conformance', 'test/e2e'], // Relay's compiler is in e2e
  e2e: ['test/e2e'],
  graphql: ['test/conformance'], // graphql-http
  image: ['lab/platforms'], // Node.js of the image
  mastodon: ['test/e2e'],
  operations: ['test/operations'],
  platforms: ['lab/platforms'],
  storage: ['lab/storage'],
  wordpress: ['test/e2e'],
};

/** Identifies the names and the content of files. */
export const fingerprint = (files) =>
  files
    .reduce(
      (hash, file) => hash.update(path.relative(TEST, file)).update(readFileSync(file)),
      createHash('sha256'),
    )
    .digest('hex');

/** Whether a stamp file contains the fingerprint. */
export const isCurrent = (stamp, expected) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === expected;

/** The stamp of a folder is the fingerprint of the lockfile that it was installed from. */
export const stampOf = (folder) => path.join(ROOT, folder, 'node_modules', '.stamp');

/** @throws Error with the output of npm if it fails */
function installPackages(folder) {
  const cwd = path.join(ROOT, folder);
  const expected = fingerprint([path.join(cwd, 'package-lock.json')]);
  if (isCurrent(stampOf(folder), expected)) return;
  process.stderr.write(`Installing the packages of ${folder} …\n`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error(
      `${stdout ?? ''}${stderr ?? ''}Cannot install the packages of ${folder}: \`npm ci\` failed${error ? ` (${error.message})` : ''}. Check the connection to the npm registry and try again.`,
    );
  writeFileSync(stampOf(folder), expected);
}

/** Installs the packages that suites need, if a lockfile has changed since the last time. */
export function installPackagesOf(suites) {
  const folders = new Set(suites.flatMap((suite) => FOLDERS_OF[suite] ?? []));
  folders.forEach(installPackages);
}

/** The suite of a test file: the folder in `test` or `lab`. */
export const suiteOf = (testFile) => path.relative(ROOT, testFile).split(path.sep)[1];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    installPackagesOf(process.argv.slice(2));
  } catch ({ message }) {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}
