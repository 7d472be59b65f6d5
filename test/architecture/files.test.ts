import path from 'node:path';
import { layerOf, listFiles, sources } from './source-files.js';

const code = ['src', 'test', 'lab', 'tools', 'bin'].flatMap((folder) =>
  listFiles(folder, /\.(tsx?|mjs|cjs)$/),
);

it('the root of src contains the entry points only', () => {
  expect(sources.filter((file) => layerOf(file)!.endsWith('.ts')).sort()).toEqual([
    'src/cli.ts',
    'src/main.ts',
    'src/worker.ts',
  ]);
});

it('files are named in kebab-case for what they hold', () => {
  const vague = /^(index|common|misc)$|(^|-)(managers?|helpers?|utils?)$/;
  const stemOf = (file: string): string => path.posix.basename(file).split('.')[0]!;
  expect(code.filter((file) => /[A-Z_]/.test(stemOf(file)) || vague.test(stemOf(file)))).toEqual(
    [],
  );
});
