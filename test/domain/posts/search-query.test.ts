import fc from 'fast-check';
import {
  matchesSearch,
  readSearchQuery,
  type SearchTerm,
} from '../../../src/domain/posts/search-query.js';
import { normalText } from '../../../src/domain/posts/search-text.js';

const finds = (query: string, text: string): boolean =>
  matchesSearch(readSearchQuery(query), normalText(text));

const word = fc
  .string({
    unit: fc.constantFrom(...'abcxyzäéÑçßŁабвёαάςאבעםابت한국हि01'),
    minLength: 1,
    maxLength: 8,
  })
  .filter((w) => normalText(w) !== '');
const run = fc.string({
  unit: fc.constantFrom(...'東京都海关税收ひらがなカタガー々ประเทศไยิ่ລາວខ្មែរမြန်မာ'),
  minLength: 1,
  maxLength: 12,
});
const chunk = fc.oneof(
  word,
  run,
  fc.constantFrom('#tag', '@me', 'https://a.example/b-c', '👍🔥', 'x東y'),
);
const text = fc.array(chunk, { minLength: 1, maxLength: 10 });

describe('readSearchQuery', () => {
  const term = (tokens: string[], pattern: string | null = null): SearchTerm => ({
    tokens,
    pattern,
  });

  it.each([
    ['', [], []],
    ['  ', [], []],
    ['  !? "" - -"" ', [term([''])], []],
    ['Café crème', [term(['cafe']), term(['creme'])], []],
    ['"Big sale" now', [term(['big', 'sale'], ' big sale '), term(['now'])], []],
    ['“Big sale”', [term(['big', 'sale'], ' big sale ')], []],
    [
      'sale -spam -"old news"',
      [term(['sale'])],
      [term(['spam']), term(['old', 'news'], ' old news ')],
    ],
    ['-only', [], [term(['only'])]],
    ['#Tag @me', [term(['tag']), term(['me'])], []],
    ['well-known', [term(['well', 'known'], ' well known ')], []],
    ['a,b；c', [term(['a']), term(['b']), term(['c'])], []],
    ['東', [term(['東'])], []],
    ['東京', [term(['東京'])], []],
    ['東京都', [term(['東京', '京都'], '東京都')], []],
    ['東京tower', [term(['東京', 'tower'], '東京 tower ')], []],
    ['27" screen', [term(['27']), term(['screen'])], []],
    ['"open end', [term(['open']), term(['end'])], []],
    ['-"open end', [term(['end'])], [term(['open'])]],
    ['nul\0byte \ud800', [term(['nul', 'byte'], ' nul byte ')], []],
  ])('%j', (query, all, none) => {
    expect(readSearchQuery(query)).toEqual({ all, none });
  });

  it('never throws', () => {
    const units = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(34, 45, 32)),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(units, (codes) => {
        finds(String.fromCharCode(...codes), 'text');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('matchesSearch', () => {
  it.each([
    ['sale', 'Summer SALE!', true],
    ['sale', 'wholesale sales', false],
    ['summer sale', 'sale of the summer', true],
    ['"summer sale"', 'sale of the summer', false],
    ['"summer sale"', 'A summer, sale', true],
    ['sale -summer', 'summer sale', false],
    ['-summer', 'winter sale', true],
    ['tag', 'look #Tag', true],
    ['#tag', 'a tag', true],
    ['services.example', 'https://www.services.example/deals', true],
    ['deals', 'https://www.services.example/deals', true],
    ['关税', '海关税收', true],
    ['海税', '海关税收', false],
    ['海关收', '海关税收', false],
    ['关税收 海', '海关税收', true],
    ['京都東京', '東京都と京都、東京', false],
    ['ไทย', 'ประเทศไทย', true],
    ['か', 'が', false],
    ['resume', 'Résumé', true],
    ['RÉSUMÉ', 'resume', true],
    ['👍', 'nice 👍🏽🔥', true],
    ['!!!', 'anything', false],
    ['€', '5 €', false],
    ['%', '5 %', false],
    ['"', 'a "b"', false],
    ['-€', 'anything', false],
    ['€ sale', 'Summer sale', true],
    [' ', 'anything', true],
    ['', '', true],
    ['x', '', false],
  ])('%j in %j: %s', (query, inText, expected) => {
    expect(finds(query, inText)).toBe(expected);
  });

  it('finds adjacent words, quoted or not', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (chunks, a, b) => {
        const [from, to] = [a % chunks.length, b % chunks.length].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const query = chunks.slice(from, to + 1).join(' ');
        expect(finds(query, chunks.join(' '))).toBe(true);
        expect(finds(`"${query}"`, chunks.join(' '))).toBe(true);
        expect(finds(`-"${query}"`, chunks.join(' '))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('ignores case and accents', () => {
    fc.assert(
      fc.property(word, (one) => {
        for (const variant of [
          one.toUpperCase(),
          one.toLowerCase(),
          one.normalize('NFD'),
          one.normalize('NFKC'),
          one.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
        ]) {
          expect(finds(variant, `say ${one}`)).toBe(true);
          expect(finds(one, `say ${variant}`)).toBe(true);
        }
      }),
    );
  });

  it('finds every part of a run', () => {
    fc.assert(
      fc.property(run, fc.nat(), fc.nat(), (one, a, b) => {
        const characters = [...one.normalize('NFKC')];
        const [from, to] = [a % characters.length, b % characters.length].sort((x, y) => x - y) as [
          number,
          number,
        ];
        expect(finds(characters.slice(from, to + 1).join(''), `x ${one}y`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('does not find words inside other words', () => {
    fc.assert(
      fc.property(word, word, word, (before, one, after) => {
        const piece = normalText(one).trim();
        fc.pre(
          !piece.includes(' ') &&
            normalText(before + one + after).trim() !== piece &&
            normalText(`${before}${one}${after}`).trim().split(' ').length === 1,
        );
        expect(finds(one, before + one + after)).toBe(false);
      }),
    );
  });

  it('equals a substring search with word boundaries', () => {
    fc.assert(
      fc.property(text, fc.array(fc.oneof(chunk, fc.nat()), { maxLength: 3 }), (chunks, picks) => {
        const queryWords = picks.map((pick) =>
          typeof pick === 'number' ? (chunks[pick % chunks.length] ?? '') : pick,
        );
        const normal = normalText(chunks.join(' '));
        const plain = queryWords.every((one) => {
          const needle = normalText(one);
          const isRunEnd = (c: string | undefined): boolean =>
            /[\p{scx=Han}\p{scx=Kana}\p{scx=Hira}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{ExtPict}]/u.test(
              c ?? '',
            );
          const characters = [...needle.trim()];
          return normal.includes(
            (isRunEnd(characters[0]) ? '' : ' ') +
              needle.trim() +
              (isRunEnd(characters.at(-1)) ? '' : ' '),
          );
        });
        const hasOnlySigns =
          queryWords.every((word) => normalText(word) === '') && queryWords.join('').trim() !== '';
        expect(matchesSearch(readSearchQuery(queryWords.join(' ')), normal)).toBe(
          plain && !hasOnlySigns,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('distinguishes a word of 100 letters from a longer one with the same beginning', () => {
    const long = 'a'.repeat(100);
    expect(finds(long, `${long}b`)).toBe(false);
    expect(finds(`${long}b`, `${long}b`)).toBe(true);
    expect(finds(`${long}c`, `${long}b`)).toBe(false);
  });
});
