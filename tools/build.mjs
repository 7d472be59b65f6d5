// Builds dist/ from src/: the server (the Prisma client, then tsc) and the pages (Vite), side by side. `--if-changed` skips what is built of the same sources already.
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
    without: [generated, ...pageSources],
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
    without: [],
    clear: () => remove(path.join(dist, 'pages')),
    build: () => buildPages({ from: path.join(root, 'src'), to: path.join(dist, 'pages') }),
  },
];

function filesUnder(entry, without) {
  const full = path.join(root, entry);
  if (!existsSync(full) || without.includes(entry)) return [];
  return readdirSync(full, { withFileTypes: true }).flatMap((one) => {
    const name = path.join(entry, one.name);
    return one.isDirectory() ? filesUnder(name, without) : [name];
  });
}

function fingerprint({ sources, without }) {
  const hash = createHash('sha256').update(process.version);
  const files = sources.flatMap((entry) =>
    entry.includes('.') ? [entry] : filesUnder(entry, without),
  );
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

const remove = (entry) => rmSync(entry, { recursive: true, force: true });

/** @throws Error with all that the command said, where it fails */
function run(command, ...args) {
  const bin = path.join(root, 'node_modules', '.bin', command);
  const child = spawn(bin, args, { cwd: root, shell: process.platform === 'win32' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    const fail = (reason) =>
      reject(new Error(`${said}build: \`${[command, ...args].join(' ')}\` failed${reason}`));
    child.once('error', ({ message }) => fail(`: ${message}`));
    child.once('close', (status) => (status === 0 ? resolve() : fail('')));
  });
}

const stampOf = ({ name }) => path.join(dist, `.${name}.stamp`);
const isBuilt = (part) =>
  existsSync(stampOf(part)) && readFileSync(stampOf(part), 'utf8') === fingerprint(part);

async function build(part) {
  const wanted = fingerprint(part);
  remove(stampOf(part));
  part.clear();
  mkdirSync(dist, { recursive: true });
  await part.build();
  writeFileSync(stampOf(part), wanted);
}

const wanted = process.argv.includes('--if-changed')
  ? PARTS.filter((part) => !isBuilt(part))
  : PARTS;
if (wanted.length > 0 && !process.argv.includes('--quiet')) process.stdout.write('Building …\n');
for (const { status, reason } of await Promise.allSettled(wanted.map(build))) {
  if (status === 'fulfilled') continue;
  process.stderr.write(`${reason.message}\n`);
  process.exitCode = 1;
}
