// Builds dist/ from src/: the server (Prisma client, then tsc) and, concurrently, the browser pages
// (Vite).
// --if-changed  skips a part whose sources have not changed since its last build
// --quiet       prints errors only
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(root, 'dist');
const generated = path.join('src', 'persistence', 'prisma');
const pageSources = [path.join('src', 'playground'), path.join('src', 'api-docs')];

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
      await run('prisma', 'generate');
      await run('tsc', '-p', '.');
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

/** @throws Error with the output of the command if it fails */
function run(command, ...args) {
  const bin = path.join(root, 'node_modules', '.bin', command);
  const child = spawn(bin, args, { cwd: root, shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    const fail = (reason) =>
      reject(new Error(`${output}build: \`${[command, ...args].join(' ')}\` failed${reason}`));
    child.once('error', ({ message }) => fail(`: ${message}`));
    child.once('close', (status) => (status === 0 ? resolve() : fail('')));
  });
}

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
  process.stderr.write(`${reason.message}\n`);
  process.exitCode = 1;
}
