// Builds dist/ from src/: the server (Prisma client, then the bundle) and, concurrently, the browser
// pages. Does not check types: `npm test` does.
// --if-changed  skips a part whose sources have not changed since its last build
// --quiet       prints errors only
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.mjs';
import { bundle } from './bundle.mjs';
import { runPackage } from './run-package.mjs';

// Bundlers choose between the variants of packages by it, such as that of React for development.
process.env.NODE_ENV = 'production';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(root, 'dist');
const generated = path.join('src', 'persistence', 'prisma');
const pageSources = ['playground', 'sandbox-page', 'connect-page', 'api-docs'].map((folder) =>
  path.join('src', folder),
);

/** The entry points of the service, by the names of their files in dist. */
const ENTRIES = {
  main: 'src/main.ts',
  worker: 'src/worker.ts',
  cli: 'src/cli.ts',
  'picture-process': 'src/media/picture-process.ts',
};

/** The generated client, which the server and the tests import. */
const PRISMA_CLIENT = {
  name: 'prisma-client',
  sources: ['prisma/schema.prisma', 'package-lock.json', 'prisma.config.ts'],
  exclude: [],
  clear: () => undefined,
  build: () => runPackage('prisma', 'generate'),
};
const PARTS = [
  {
    name: 'server',
    sources: ['src', 'prisma', 'tools', 'package-lock.json', 'prisma.config.ts', 'tsconfig.json'],
    exclude: [generated, ...pageSources],
    clear: () =>
      (existsSync(dist) ? readdirSync(dist) : [])
        .filter((name) => name !== 'pages' && !name.startsWith('.'))
        .forEach((name) => remove(path.join(dist, name))),
    async build() {
      if (!existsSync(path.join(root, generated)) || !isBuilt(PRISMA_CLIENT))
        await build(PRISMA_CLIENT);
      await bundle({ root, entries: ENTRIES, to: dist });
    },
  },
  {
    name: 'pages',
    sources: [
      ...pageSources,
      path.join('src', 'graphql', 'schema.graphql'),
      'tools',
      'package-lock.json',
    ],
    exclude: [],
    clear: () => remove(path.join(dist, 'pages')),
    build: () => buildPages({ from: path.join(root, 'src'), to: path.join(dist, 'pages') }),
  },
];

function listFiles(entry, exclude) {
  const full = path.join(root, entry);
  if (!existsSync(full) || exclude.includes(entry)) return [];
  return readdirSync(full, { withFileTypes: true }).flatMap((child) => {
    const name = path.join(entry, child.name);
    return child.isDirectory() ? listFiles(name, exclude) : [name];
  });
}

function hashSources({ sources, exclude }) {
  const hash = createHash('sha256').update(process.version);
  const files = sources.flatMap((entry) =>
    entry.includes('.') ? [entry] : listFiles(entry, exclude),
  );
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

const remove = (entry) => rmSync(entry, { recursive: true, force: true });

const stampFileOf = ({ name }) => path.join(dist, `.${name}.stamp`);
const isBuilt = (part) =>
  existsSync(stampFileOf(part)) && readFileSync(stampFileOf(part), 'utf8') === hashSources(part);

async function build(part) {
  const hash = hashSources(part);
  remove(stampFileOf(part));
  part.clear();
  mkdirSync(dist, { recursive: true });
  await part.build();
  writeFileSync(stampFileOf(part), hash);
}

const partsToBuild = process.argv.includes('--if-changed')
  ? PARTS.filter((part) => !isBuilt(part))
  : PARTS;
if (partsToBuild.length > 0 && !process.argv.includes('--quiet'))
  process.stdout.write('Building …\n');
for (const { status, reason } of await Promise.allSettled(partsToBuild.map(build))) {
  if (status === 'fulfilled') continue;
  process.stderr.write(`build: ${reason.message}\n`);
  process.exitCode = 1;
}
