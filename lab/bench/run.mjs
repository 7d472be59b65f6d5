// `npm run bench`: builds the product and the benchmark if they have changed, and runs it with the
// given arguments.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../tools/bundle.mjs';
import { fingerprint, isCurrent, stampOf } from '../../test/setup/install-packages.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const schema = path.join(root, 'prisma', 'schema.prisma');
const stamp = path.join(here, 'dist', '.stamp');
/** Changes with each build of the product. */
const productStamp = path.join(root, 'dist', '.server.stamp');
/** The modules of the product that the benchmark imports: `importBuilt<…>('domain/posts/states')`. */
const PRODUCT_IMPORT = /\bimportBuilt<[^]*?>\(\s*'([^']+)'/g;

/**
 * Prisma generators of the benchmark: a client for the peers on Prisma, and the types for Pothos.
 */
const GENERATORS = `generator client {
  provider            = "prisma-client"
  previewFeatures     = ["relationJoins"]
  output              = "../src/generated/client"
  moduleFormat        = "esm"
  importFileExtension = "js"
}

generator pothos {
  provider     = "prisma-pothos-types"
  clientOutput = "./client/client.js"
  output       = "../src/generated/pothos.ts"
}
`;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}generated`))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

function run(cwd, command, ...args) {
  const env = {
    ...process.env,
    PATH: path.join(here, 'node_modules', '.bin') + path.delimiter + process.env.PATH,
  }; // Prisma looks for its generators there
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(
    `${stdout ?? ''}${stderr ?? ''}bench: \`${[command, ...args].join(' ')}\` failed${error ? `: ${error.message}` : ''}\n`,
  );
  process.exit(status ?? 1);
}

/** Bundles the modules of the product that the benchmark imports, each as a file of its own. */
async function bundleProduct() {
  const modules = filesIn(path.join(here, 'src')).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(PRODUCT_IMPORT)].map(([, module]) => module),
  );
  const entries = Object.fromEntries(modules.map((module) => [module, `src/${module}.ts`]));
  await bundle({ root, entries, to: path.join(here, 'dist', 'product') });
}

async function build() {
  run(root, process.execPath, path.join(root, 'tools', 'build.mjs'), '--if-changed', '--quiet');
  const expected = fingerprint([
    ...filesIn(path.join(here, 'src')),
    path.join(here, 'tsconfig.json'),
    fileURLToPath(import.meta.url),
    schema,
    productStamp,
    stampOf('lab/bench'),
  ]);
  if (isCurrent(stamp, expected)) return;
  process.stderr.write('Building the benchmark …\n');
  rmSync(path.join(here, 'dist'), { recursive: true, force: true });
  mkdirSync(path.join(here, 'generated'), { recursive: true });
  writeFileSync(
    path.join(here, 'generated', 'schema.prisma'),
    readFileSync(schema, 'utf8').replace(/^generator client \{[^}]*\}\n/m, GENERATORS),
  );
  run(here, 'prisma', 'generate');
  run(here, 'tsc', '-p', '.');
  await bundleProduct();
  writeFileSync(stamp, expected);
}

await build();
const child = spawn(
  process.execPath,
  [path.join(here, 'dist', 'main.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// it stops its servers first
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
