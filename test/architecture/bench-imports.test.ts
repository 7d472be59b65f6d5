import { listFiles, readText } from './source-files.js';

/** `const { a, b } = await importBuilt<…>('path')`: the benchmark imports built modules by path. */
const IMPORT = /\{([^{}]*)\}\s*=\s*await importBuilt<[\s\S]*?>\(\s*'([^']+)',?\s*\)/g;

const imports = listFiles('lab/bench/src', /\.ts$/).flatMap((file) =>
  [...readText(file).matchAll(IMPORT)].flatMap(([, names, module]) =>
    names!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => ({ file, name, module: module! })),
  ),
);

it('finds the imports of the benchmark', () => {
  expect(imports.map(({ name }) => name)).toContain('applyMigrations');
});

it.each(imports)('$file imports $name, which src/$module.ts exports', ({ name, module }) => {
  expect(readText(`src/${module}.ts`)).toMatch(
    new RegExp(`^export (?:async )?(?:const|function|class) ${name}\\b`, 'm'),
  );
});
