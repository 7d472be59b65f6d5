import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** Runs npm with its configuration on this machine. @throws Error with its output if it fails */
export function npm(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: Infinity,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/**
 * Copies the sources to a folder with the same packages: `npm pack` replaces package.json for a
 * moment. With `isBuilt`, copies the build, too.
 */
export function cloneTo(clone: string, { isBuilt }: { isBuilt: boolean }): void {
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ':!test', ':!lab'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  for (const file of files.split('\0').filter((name) => name !== ''))
    cpSync(path.join(ROOT, file), path.join(clone, file));
  // Links: the packages take hundreds of megabytes.
  execFileSync('cp', ['-al', path.join(ROOT, 'node_modules'), clone]);
  if (!isBuilt) return;
  for (const folder of ['dist', 'src/persistence/prisma'])
    cpSync(path.join(ROOT, folder), path.join(clone, folder), { recursive: true });
}

/** Packs a clone into an existing folder. */
export function pack(
  clone: string,
  to: string,
  env: Readonly<Record<string, string>> = {},
): { filename: string; size: number; files: { path: string }[] } {
  const output = npm(clone, ['pack', '--json', `--pack-destination=${to}`], env);
  return (JSON.parse(output.slice(output.indexOf('['))) as [ReturnType<typeof pack>])[0];
}
