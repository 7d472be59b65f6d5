import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { aWorkerProcess } from '../fixtures/worker-process.js';
import { emptyDatabase } from '../setup/database.js';
import { recordLoads } from '../setup/load-recorder.js';
import { copiesAmong, SHARED_PACKAGES } from '../setup/shared-packages.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { forEachTest } from '../fixtures/lifecycle.js';

/**
 * The suites with packages of their own use the root's copies of the packages that a process may
 * load only once. test/setup/one-copy.ts checks the processes of all tests.
 */
const ROOT = path.resolve(__dirname, '../..');
const DIST = path.join(ROOT, 'dist');
const ROOT_COPIES = SHARED_PACKAGES.map((name) => `node_modules/${name}`);
const loads = forEachTest(() => recordLoads());
afterEach(() => {
  killStartedPrograms();
  loads.close();
});

/** The packages below a node_modules folder, nested ones included. */
function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@')
        ? readdirSync(path.join(folder, name)).map((rest) => `${name}/${rest}`)
        : name,
    )
    .map((name) => path.join(folder, name))
    .flatMap((location) => [location, ...packagesIn(path.join(location, 'node_modules'))]);
}

/** The copies that a package resolves, of the shared packages that it declares. */
function resolvedBy(location: string): string[] {
  const manifest = JSON.parse(readFileSync(path.join(location, 'package.json'), 'utf8')) as Partial<
    Record<'dependencies' | 'peerDependencies', Record<string, string>>
  >;
  const { resolve } = createRequire(path.join(realpathSync(location), 'package.json'));
  const declared = { ...manifest.peerDependencies, ...manifest.dependencies };
  return copiesAmong(
    SHARED_PACKAGES.filter((name) => name in declared).map((name) => resolve(name)),
  );
}

it.each(['.', 'test/conformance', 'test/e2e'])(
  'every package of %s resolves the copies of the root',
  (folder) => {
    const copies = packagesIn(path.join(ROOT, folder, 'node_modules')).flatMap(resolvedBy);
    expect(copies).toContain('node_modules/graphql');
    expect(copies.filter((copy) => !ROOT_COPIES.includes(copy))).toEqual([]);
  },
);

const bundledFiles = (): string[] =>
  readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.startsWith('pages'))
    .map((file) => readFileSync(path.join(DIST, file), 'utf8'));

/**
 * The path that the bundler writes above the code of a module. It writes none above that of
 * reflect-metadata if it puts the code where it is used.
 */
const MODULE_PATH = /^\s*\/\/ (node_modules\/\S+)$/gm;
const REFLECT_METADATA = 'Symbol.for("@reflect-metadata:registry")';
const withoutReflectMetadata = (copies: readonly string[]): string[] =>
  copies.filter((copy) => copy !== 'node_modules/reflect-metadata');

/** The modules of packages in dist. */
const bundledModules = (): string[] =>
  bundledFiles()
    .flatMap((text) => [...text.matchAll(MODULE_PATH)])
    .map(([, module]) => path.join(ROOT, module!));

describe('a process loads one copy of each:', () => {
  beforeAll(buildIfChanged);

  it('the gateway and a worker, from the bundle', async () => {
    const modules = bundledModules();
    expect(withoutReflectMetadata(copiesAmong(modules))).toEqual(
      withoutReflectMetadata(ROOT_COPIES),
    );
    expect(bundledFiles().join().split(REFLECT_METADATA)).toHaveLength(2); // it is there once
    const formats = modules
      .filter((module) => module.includes('node_modules/graphql/'))
      .map((module) => path.extname(module));
    expect(new Set(formats)).toEqual(new Set(['.mjs']));

    const database = await emptyDatabase();
    const env = { ...loads.env, DATABASE_URL: database.url };
    const gateway = startProgram({ ...env, PORT: '0' });
    await waitUntil(() => gateway.output().includes('gateway is ready'), gateway);
    const worker = await aWorkerProcess(env);
    for (const { child, exit } of [worker, gateway]) {
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    }
    expect(loads.copies()).toEqual([]);
    await database.drop();
  });

  it.each([
    ['e2e', '@apollo/client, @urql/core, graphql-request'],
    ['conformance', '@graphql-eslint/eslint-plugin, @graphql-inspector/core, graphql-http'],
  ])('a program in test/%s that imports %s', async (folder, packages) => {
    const imports = ['graphql', ...packages.split(', ')]
      .map((name) => `import '${name}';`)
      .join('\n');
    const program = startProgram(
      loads.env,
      [process.execPath, '--input-type=module', `--eval=${imports}`],
      path.join(ROOT, 'test', folder),
    );
    expect([await program.exit, program.errors()]).toEqual([0, '']);
    expect(loads.copies()).toEqual([['node_modules/graphql']]);
  });
});
