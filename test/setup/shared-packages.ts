import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/**
 * Packages of which a process must load one copy. With two of graphql, `instanceof` fails for
 * objects of the other; with two of the others, decorators register in one and readers look in the
 * other.
 */
export const SHARED_PACKAGES = ['graphql', 'reflect-metadata', 'type-graphql'];

const COPY = new RegExp(
  `^.*/node_modules/(?:${SHARED_PACKAGES.join('|')})(?=/(?!.*/node_modules/))`,
);

/** The folders of shared packages that files belong to, relative to the root of the repository. */
export const copiesAmong = (files: readonly string[]): string[] =>
  [
    ...new Set(
      files
        .map((file) => COPY.exec(file.replaceAll(path.sep, '/'))?.[0])
        .filter((folder) => folder !== undefined)
        .map((folder) => path.relative(ROOT, folder).replaceAll(path.sep, '/')),
    ),
  ].sort();
