import path from 'node:path';
import { countLines, layerOf, listFiles, sources } from './source-files.js';

const MAX_LINES = 250;
const MAX_MEDIAN_LINES = 90;
const MAX_FILES_PER_FOLDER = 15;

/** Data files, which may be longer than MAX_LINES. */
const DATA_FILES: readonly string[] = [];

const code = ['src', 'test', 'tools', 'bin'].flatMap((folder) =>
  listFiles(folder, /\.(tsx?|mjs|cjs)$/),
);

it('the root of src contains the entry points only', () => {
  expect(sources.filter((file) => layerOf(file)!.endsWith('.ts')).sort()).toEqual([
    'src/cli.ts',
    'src/main.ts',
    'src/worker.ts',
  ]);
});

it(`no file has more than ${MAX_LINES} lines`, () => {
  const long = code
    .map((file) => ({ file, lines: countLines(file) }))
    .filter(({ file, lines }) => lines > MAX_LINES && !DATA_FILES.includes(file));
  expect(long.map(({ file, lines }) => `${file}: ${lines} lines`)).toEqual([]);
});

it(`the median file of src has fewer than ${MAX_MEDIAN_LINES} lines`, () => {
  const lengths = sources.map(countLines).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]!).toBeLessThan(MAX_MEDIAN_LINES);
});

it(`no folder of src or tools has more than ${MAX_FILES_PER_FOLDER} files`, () => {
  const counts = new Map<string, number>();
  for (const file of code.filter((name) => /^(src|tools)\//.test(name))) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(
    [...counts]
      .filter(([, count]) => count > MAX_FILES_PER_FOLDER)
      .map(([folder, count]) => `${folder}: ${count} files`),
  ).toEqual([]);
});

it('files are named in kebab-case for what they hold', () => {
  const vague = /^(index|common|misc)$|(^|-)(managers?|helpers?|utils?)$/;
  const stemOf = (file: string): string => path.posix.basename(file).split('.')[0]!;
  expect(code.filter((file) => /[A-Z_]/.test(stemOf(file)) || vague.test(stemOf(file)))).toEqual(
    [],
  );
});
