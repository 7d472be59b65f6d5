import { readText } from './source-files.js';

/** Files that start a gateway, or say how to. */
const FILES = [
  '.env.example',
  'Dockerfile',
  'docs/deploying.md',
  'docs/operating.md',
  'src/config/node-options.ts',
  'test/faults/deployment.ts',
  'test/setup/memory.ts',
  'tools/topology.mjs',
];

const { scripts } = JSON.parse(readText('package.json')) as { scripts: { start: string } };
const options = scripts.start.match(/--\S+/g) ?? [];

it('npm start passes options for garbage collection to Node.js', () => {
  expect(options).toContain('--max-semi-space-size=64');
});

it.each(FILES)('%s has the same options of Node.js as npm start', (file) => {
  const text = readText(file);
  expect(options.filter((option) => !text.includes(option))).toEqual([]);
});
