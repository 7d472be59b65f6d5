import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A file of the image. */
interface ImageFile {
  /** Absolute, as in a container. */
  readonly name: string;
  readonly bytes: number;
}

/** The files of an image, which is mounted in this folder. Links are not followed. */
export const readImageFiles = (mounted: string): ImageFile[] =>
  readdirSync(mounted, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: file.slice(mounted.length), bytes: lstatSync(file).size }));

/** The parts of an image. A file belongs to the first part that it matches. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['Node.js', /^\/usr\/local\//],
  ['library that reads pictures', /^\/app\/node_modules\/@img\//],
  ['browser pages', /^\/app\/dist\/pages\//],
  ['gateway, worker and commands', /^\/app\//],
  ['Debian', /^\//],
];

/** The size of each part in bytes. */
export function measureParts(files: readonly ImageFile[]): Map<string, number> {
  const sizes = new Map(PARTS.map(([part]) => [part, 0]));
  for (const { name, bytes } of files) {
    const [part] = PARTS.find(([, pattern]) => pattern.test(name))!;
    sizes.set(part, sizes.get(part)! + bytes);
  }
  return sizes;
}

/** What an attacker could build or install software with, and what only the build needs. */
const UNWANTED: readonly RegExp[] = [
  /\/(npm|npx|corepack|yarn|pnpm|git|curl|wget|pip3?)$/,
  /\/(gcc|g\+\+|cc|c\+\+|clang|ld|make|cmake|python3?|go|rustc|tsc|esbuild|swc|rolldown|vite)$/,
  /\/(postgres|initdb|pg_ctl|redis-server|nginx)$/,
  /^\/app\/(src|test|tools|docs|deploy|\.git|Dockerfile|compose\.yml|tsconfig\.json|package-lock\.json)/,
  /^\/app\/(?!node_modules\/).*\.[cm]?tsx?$/,
  /^\/(app|data|home)\/(.*\/)?(\.env[^/]*|\.npmrc|.*\.(log|backup|dump|key|crt|pem))$/,
  /\/npmrc$/,
];

/** Names of the files that the image must not contain. */
export const findUnwanted = (files: readonly ImageFile[]): string[] =>
  files.map(({ name }) => name).filter((name) => UNWANTED.some((pattern) => pattern.test(name)));
