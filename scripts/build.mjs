// Builds dist/ from src/: the Prisma client, then tsc. `--if-changed` skips it while nothing that goes into it has changed.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stamp = path.join(root, 'dist', '.stamp');
const inputs = ['src', 'prisma', 'scripts', 'package-lock.json', 'prisma.config.ts', 'tsconfig.json'];
const generated = path.join('src', 'persistence', 'prisma');

function filesUnder(entry) {
  const full = path.join(root, entry);
  if (!existsSync(full) || entry === generated) return [];
  const inside = readdirSync(full, { withFileTypes: true, recursive: false });
  return inside.flatMap((one) => {
    const name = path.join(entry, one.name);
    return one.isDirectory() ? filesUnder(name) : [name];
  });
}

function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  const files = inputs.flatMap((entry) => (entry.includes('.') ? [entry] : filesUnder(entry)));
  for (const file of files.sort()) hash.update(file).update('\0').update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

function run(...command) {
  const bin = path.join(root, 'node_modules', '.bin', command[0]);
  const { status, stdout, stderr, error } = spawnSync(bin, command.slice(1), { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}build: \`${command.join(' ')}\` failed${error ? `: ${error.message}` : ''}\n`);
    process.exit(status ?? 1);
  }
}

const wanted = fingerprint();
const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
if (!process.argv.includes('--if-changed') || built !== wanted) {
  if (!process.argv.includes('--quiet')) process.stdout.write('Building …\n');
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  run('prisma', 'generate');
  run('tsc', '-p', '.');
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, wanted);
}
