// Installs the packages of suites that have a package.json of their own, unless they are installed:
// `node test/setup/install-packages.mjs e2e …`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TEST = fileURLToPath(new URL('..', import.meta.url));

/** The folders in `test` whose packages a suite needs. Other suites need only those of the root. */
const FOLDERS_OF = {
  bench: ['bench'],
  bluesky: ['real/bluesky'],
  conformance: ['conformance', 'e2e'], // Relay's compiler is in e2e
  e2e: ['e2e'],
  graphql: ['conformance'], // graphql-http
  image: ['platforms'], // Node.js of the image
  operations: ['operations'],
  platforms: ['platforms'],
  storage: ['storage'],
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

/** The stamp of a folder in `test` is the fingerprint of the lockfile that it was installed from. */
export const stampOf = (folder) => path.join(TEST, folder, 'node_modules', '.stamp');

/** @throws Error with the output of npm if it fails */
function installPackages(folder) {
  const cwd = path.join(TEST, folder);
  const expected = fingerprint([path.join(cwd, 'package-lock.json')]);
  if (isCurrent(stampOf(folder), expected)) return;
  process.stderr.write(`Installing the packages of test/${folder} …\n`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error(
      `${stdout ?? ''}${stderr ?? ''}Cannot install the packages of test/${folder}: \`npm ci\` failed${error ? ` (${error.message})` : ''}. Check the connection to the npm registry and try again.`,
    );
  writeFileSync(stampOf(folder), expected);
}

/** Installs the packages that suites need, if a lockfile has changed since the last time. */
export function installPackagesOf(suites) {
  const folders = new Set(suites.flatMap((suite) => FOLDERS_OF[suite] ?? []));
  folders.forEach(installPackages);
}

/** The suite of a test file: the first folder of its path in `test`. */
export const suiteOf = (testFile) => path.relative(TEST, testFile).split(path.sep)[0];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    installPackagesOf(process.argv.slice(2));
  } catch ({ message }) {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}
