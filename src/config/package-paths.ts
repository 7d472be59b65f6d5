import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder with a package.json: this module runs in src, in the bundle and in tests. */
function findPackageRoot(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, 'package.json')) || parent === folder
    ? folder
    : findPackageRoot(parent);
}

/** The folder of package.json: the root of a clone, or of the installed package. */
export const PACKAGE_ROOT = findPackageRoot(path.dirname(fileURLToPath(import.meta.url)));

/** The version of this build. */
export const readPackageVersion = (): string =>
  (
    JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
      readonly version: string;
    }
  ).version;

/** Whether npm installed the package. Its folder is then replaced by updates. */
const isInstalled = path.basename(path.dirname(PACKAGE_ROOT)) === 'node_modules';

/** Folder of data if DATA_DIR is unset: in a clone, or in the current folder if installed. */
export const defaultDataDir = (): string =>
  path.join(isInstalled ? process.cwd() : PACKAGE_ROOT, '.data');

/** The migrations of this build, one folder each. */
export const MIGRATIONS_DIR = path.join(PACKAGE_ROOT, 'prisma', 'migrations');

/** The program of the processes that decode pictures. */
export const PICTURE_PROGRAM = path.join(PACKAGE_ROOT, 'dist', 'picture-process.js');

/** Output folder of the page bundler. */
export const PAGES_DIR = path.join(PACKAGE_ROOT, 'dist', 'pages');
