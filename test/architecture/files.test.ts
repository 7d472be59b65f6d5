import path from 'node:path';
import { layerOf, listFiles, sources } from './source-files.js';
import { ALONE, GROUPS, listGroup, listTestFiles, SYSTEM } from '../setup/suites.mjs';

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

it('each test file is run by npm test or by npm run test:system', () => {
  const groups = Object.keys(GROUPS);
  const inGroups = [...groups.flatMap(listGroup), ...ALONE];
  const inSystem = listTestFiles(SYSTEM).filter((file) => !file.startsWith('e2e/pages/'));
  const runners = groups.map((name) => `groups/${name}.test.ts`);
  expect([...inGroups, ...inSystem, ...runners].sort()).toEqual(listTestFiles(['.']));
});
