import fc from 'fast-check';
import { toSearchDocument, searchedTexts } from '../../../src/domain/search/search-document.js';
import { readSearchQuery } from '../../../src/domain/search/search-query.js';
import { matchesSearch } from '../../fixtures/matching.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PostFilter } from '../../../src/domain/posts/post-query.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { ALL, idsOf, NEWEST } from '../posts/post-list-data.js';

const WORDS = [
  'cat cats catalog concat ca CAT well-known 2026 20261 naïve',
  'Müller Mueller Muller müllers Übergröße uebergroesse aktuell Straße',
  '서울 서울은 서울에서 서울역 책 책을 책방 고양이 TV를 tv',
  'كتاب الكتاب بالكتاب كتابي الله ספר הספר ספרים והספר',
  '関税 海関税 ประเทศไทย ไทย 👍🔥 👍 x東y день деньги',
  `${'y'.repeat(100)} ${'y'.repeat(101)} ${'y'.repeat(130)}`,
].flatMap((line) => line.split(' '));
const GROUP = 'grp_search';
const texts = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '));

let services: TestServices;
let by: KeyedViewer;
let posts: Post[];
beforeAll(async () => {
  services = await testServices();
  by = await services.aViewer();
  const samples = fc.sample(
    fc.record({ text: texts, title: fc.option(texts), options: fc.array(texts, { maxLength: 2 }) }),
    { numRuns: 150, seed: 5 },
  );
  const account = await services.anAccount({ workspaceId: by.workspace.id });
  posts = [];
  for (const sample of samples)
    posts.push(await services.aPost({ by, account, groupId: GROUP, ...sample }));
});
afterAll(() => services?.database.drop());

async function foundBy(filter: PostFilter): Promise<string[]> {
  const slice = { kind: 'window', limit: 1000, fromEnd: false } as const;
  const page = await services.store.list(by, { filter, order: NEWEST, slice }, ALL);
  return idsOf(page.posts).sort();
}
const matched = (query: string): string[] =>
  idsOf(
    posts.filter((post) =>
      matchesSearch(readSearchQuery(query), toSearchDocument(searchedTexts(post))),
    ),
  ).sort();

const beginnings = fc
  .tuple(fc.constantFrom(...WORDS), fc.integer({ min: 1, max: 8 }))
  .map(([word, length]) => [...word].slice(0, length).join(''));
const terms = fc
  .tuple(
    fc.constantFrom('', '', '', '-'),
    fc.oneof(
      fc.constantFrom(...WORDS),
      beginnings,
      texts.map((text) => `"${text}"`),
      beginnings.map((text) => `"${text}"`),
    ),
  )
  .map((parts) => parts.join(''));
const queries = fc.array(terms, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));

test('SQL finds the posts that match in memory, from the index and row by row', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const expected = matched(query);
      found += Number(expected.length > 0 && expected.length < posts.length);
      expect(await foundBy({ query })).toEqual(expected);
      // Groups are read first, and the search is a condition of each post.
      expect(await foundBy({ query, groupIds: [GROUP] })).toEqual(expected);
    }),
    { numRuns: 300, seed: 6 },
  );
  expect(found).toBeGreaterThan(150);
});

test('queries with the syntax of PostgreSQL, and queries of any text, are read as words', async () => {
  const odd = [
    "'",
    "''",
    '\\',
    '\\\\',
    "a'b",
    "cat':*",
    'cat:*',
    'cat & dog',
    'cat | dog',
    '!cat',
    '(cat',
    'cat <-> dog',
    "'cat' <2> 'dog'",
    ':*',
    '*',
    '%',
    '_',
    'cat%',
    '$1',
    '{cat}',
    '"\\"',
    'cat\0s',
    '-',
    '--',
    '-""',
    '"',
    '"" ""',
    '\ud800',
    '\udfff cat',
    '\u200b',
    '٣٣٣',
    'cat'.repeat(330),
    'c '.repeat(500),
    'cat '.repeat(250),
    '-cat '.repeat(200),
    '"a b" '.repeat(160),
    '東'.repeat(1000),
    "'".repeat(1000),
    'ü'.repeat(1000),
    'y'.repeat(1000),
  ];
  for (const query of odd)
    expect([query, await foundBy({ query })]).toEqual([query, matched(query)]);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: fc.constantFrom(...`'"\\:*&|!()<->-ca üö서은ال`), maxLength: 40 }),
      ),
      async (query) => {
        expect(await foundBy({ query })).toEqual(matched(query));
      },
    ),
    { numRuns: 200 },
  );
});
