import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** Folders whose files are generated, or are built separately. */
const GENERATED = [
  'src/persistence/prisma',
  'src/playground/operations',
  'test/operations/generated',
  'lab/bench/generated',
  'lab/bench/src/generated',
];
const IGNORED = ['node_modules', 'dist'];

/** Files below a folder of the repository whose name matches, without generated ones. */
export function listFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (!entry.isDirectory()) return pattern.test(entry.name) ? [file] : [];
    return IGNORED.includes(entry.name) || GENERATED.includes(file) ? [] : listFiles(file, pattern);
  });
}

export const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** `rest` for src/rest/router.ts, `main.ts` for src/main.ts, null outside src. */
export function layerOf(file: string): string | null {
  const [top, layer] = file.split('/');
  return top === 'src' && layer !== undefined ? layer : null;
}

/** An import, a re-export or an `import()`. */
export interface ImportStatement {
  readonly file: string;
  /** A package, or the path of a file of the repository. */
  readonly target: string;
  readonly isPackage: boolean;
  /** Whether it imports types only. */
  readonly isType: boolean;
  /** Whether it is an `import()`, which runs after the file is loaded. */
  readonly isLazy: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'/gms;
const ALL_TYPES = /^\{(\s*type\s[^,}]+,?)+\s*\}$/;

export function importsOf(file: string): ImportStatement[] {
  const text = readText(file);
  const toImport = (specifier: string, isType: boolean, isLazy: boolean): ImportStatement => {
    const isPackage = !specifier.startsWith('.');
    const target = isPackage
      ? specifier
      : path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
    return { file, target, isPackage, isType, isLazy };
  };
  return [
    ...[...text.matchAll(STATEMENT)].map(([, type, names = '', specifier]) =>
      toImport(specifier!, type !== undefined || ALL_TYPES.test(names), false),
    ),
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, specifier]) =>
      toImport(specifier!, false, true),
    ),
  ];
}

export const sources = listFiles('src', /\.tsx?$/);
export const imports = sources.flatMap(importsOf);
