import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createReferencePages } from '../../../tools/docs/reference-pages.js';
import { ERRORS } from '../../../src/domain/errors.js';
import { NETWORK_FAILURES } from '../../../src/domain/networks/network-failures.js';
import { STATE_FILTERS } from '../../../src/domain/posts/states.js';
import { SETTINGS } from '../../../src/config/settings.js';

const FOLDER = path.resolve(__dirname, '../../../docs/reference');
const pages = createReferencePages();

/** The rows of all tables of a page, each as its cells. */
const rowsOf = (file: string): string[][] =>
  pages[file]!.split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /));
const firstCells = (file: string): string[] =>
  rowsOf(file).map(([first]) => first!.replaceAll('`', ''));

it('match the tables of the code; run `npm run schema` to update them', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(pages).sort());
  for (const [file, text] of Object.entries(pages))
    expect([file, readFileSync(path.join(FOLDER, file), 'utf8')]).toEqual([file, text]);
});

it.each(Object.keys(pages))('%s has complete tables without unformatted values', (file) => {
  const tables = pages[file]!.split('\n\n').filter((part) => part.startsWith('| '));
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) {
    const [head, ...rows] = table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ (?<!\\)\| /).length);
    expect(new Set(rows)).toEqual(new Set([head]));
  }
  expect(pages[file]).not.toMatch(/undefined|null \||\[object|NaN|\|  \|/);
});

it('list every error, state and setting', () => {
  expect(firstCells('errors.md')).toEqual(
    expect.arrayContaining([...Object.keys(ERRORS), ...Object.keys(NETWORK_FAILURES)]),
  );
  expect(firstCells('states.md')).toEqual(expect.arrayContaining(Object.keys(STATE_FILTERS)));
  expect(firstCells('settings.md')).toEqual(
    expect.arrayContaining(Object.values(SETTINGS).map(({ name }) => name)),
  );
});

it('state the rules of the interface document', () => {
  expect(rowsOf('rules.md')).toContainEqual([
    '`youtube`',
    'Video network',
    '`title` (at most 100 characters), `text` (at most 5,000 characters)',
    '`labels`',
  ]);
  expect(rowsOf('rules.md')).toContainEqual(['`tiktok`', 'Short-video network', '–', '`labels`']);
  expect(rowsOf('caps.md')).toContainEqual([
    '`linkedin`',
    '`post`',
    '`page`',
    'all',
    '12',
    '18',
    '24',
    'Professional network page posts',
  ]);
  expect(rowsOf('states.md')).toContainEqual([
    '`deleted_on_network`',
    'The post no longer exists on its network: the network reported it, or the gateway removed it.',
    '`published_posted`, `published_hidden`',
    '`published_deleted`',
    '[D22](../decisions.md#interface-decisions)',
  ]);
  expect(rowsOf('limits.md')).toContainEqual([
    '`options`',
    'at most 10 entries, each 1 to 200 characters',
  ]);
});
