import fc from 'fast-check';
import {
  toSearchDocument,
  looseText,
  normalText,
} from '../../../src/domain/search/search-document.js';
import { readSearchQuery } from '../../../src/domain/search/search-query.js';
import { matchesSearch } from '../../fixtures/matching.js';

const finds = (query: string, text: string): boolean =>
  matchesSearch(readSearchQuery(query), toSearchDocument([text]));

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

describe('matchesSearch', () => {
  it.each([
    ['sale', 'Summer SALE!', true],
    // words match from their beginning, those of phrases as a whole
    ['sale', 'wholesale sales', true],
    ['sale', 'wholesale', false],
    ['sal', 'Sale', true],
    ['sa', 'Sale', false],
    ['sa', 'SA', true],
    ['"sal"', 'Sale', false],
    ['"sale"', 'sales', false],
    ['"summer sal"', 'summer sale', false],
    ['summer-sal', 'summer sale', false],
    ['202', 'in 2026', true],
    ['-sal', 'sale', false],
    ['-"sal"', 'sale', true],
    ['день', 'деньги', true],
    // umlauts
    ['Müller', 'Mueller', true],
    ['Mueller', 'Müller', true],
    ['Muller', 'Müller', true],
    ['Müller', 'Muller', true],
    ['MUELLER', 'mu\u0308ller', true],
    ['Muller', 'Mueller', false],
    ['mue', 'Müller', true],
    ['mül', 'Mueller', true],
    ['müllers', 'Mueller', false],
    ['aktuell', 'aktuell', true],
    ['akt', 'aktuell', true],
    ['neu', 'neue Bauer-Straße', true],
    ['strasse', 'Straße', true],
    ['Straße', 'Strassen', true],
    ['Koeln', 'Köln', true],
    ['"Frau Mueller"', 'Frau Müller', true],
    ['"Frau Müller"', 'Frau Mueller', true],
    ['"Frau Müller"', 'Frau Müllers', false],
    ['-Mueller', 'Herr Müller', false],
    ['Uebergroesse', 'Übergröße', true],
    ['Übergroesse', 'Uebergröße', true],
    // Korean particles
    ['서울', '서울에서 만나요', true],
    ['서울', '서울은 크다', true],
    ['서울은', '서울에서 만나요', true],
    ['서울은', '서울역', false],
    ['서울', '서울역', true],
    ['"서울"', '서울에서', true],
    ['"서울"', '서울역', false],
    ['"서울 여행"', '서울에서 여행을', true],
    ['"서울에서 여행"', '서울 여행은', true],
    ['"서울 여행"', '서울역 여행', false],
    ['책', '책을 읽다', true],
    ['책', '책방', false],
    ['사', '사과', false],
    ['-서울', '서울에서', false],
    ['tv', 'TV를 보다', true],
    // Arabic and Hebrew articles
    ['كتاب', 'الكتاب', true],
    ['كتاب', 'وبالكتاب', true],
    ['الكتاب', 'كتاب', true],
    ['الكتاب', 'للكتاب', true],
    ['الكتاب', 'كتابي', false],
    ['كتاب', 'كتابي', true],
    ['"كتاب جديد"', 'الكتاب الجديد', true],
    ['الله', 'له', false],
    ['ספר', 'הספר', true],
    ['ספר', 'כשהספר', true],
    ['הספר', 'ספר', true],
    ['הספר', 'ספרים', false],
    ['"ספר טוב"', 'הספר הטוב', true],
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

  it('finds a word of three letters or more from its beginning, and no other', () => {
    const latin = fc.string({ unit: fc.constantFrom(...'abcxyz01'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(latin, latin, latin, (before, one, after) => {
        expect(finds(one, `${one}${after}`)).toBe(one.length >= 3);
        expect(finds(`"${one}"`, `${one}${after}`)).toBe(false);
        const text = `${before}${one}${after}`;
        expect(finds(one, text)).toBe(one.length >= 3 && text.startsWith(one));
      }),
    );
  });

  it('equals a substring search with word boundaries, for phrases', () => {
    fc.assert(
      fc.property(text, fc.array(fc.oneof(chunk, fc.nat()), { maxLength: 3 }), (chunks, picks) => {
        const queryWords = picks.map((pick) =>
          typeof pick === 'number' ? (chunks[pick % chunks.length] ?? '') : pick,
        );
        const document = toSearchDocument([chunks.join(' ')]);
        const isRunEnd = (c: string | undefined): boolean =>
          /[\p{scx=Han}\p{scx=Kana}\p{scx=Hira}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{ExtPict}]/u.test(
            c ?? '',
          );
        const isContained = (needle: string): boolean => {
          const characters = [...needle.trim()];
          return document.normal.includes(
            (isRunEnd(characters[0]) ? '' : ' ') +
              needle.trim() +
              (isRunEnd(characters.at(-1)) ? '' : ' '),
          );
        };
        const plain = queryWords.every((one) => {
          const normal = normalText(one);
          return isContained(normal) || isContained(looseText(one, normal));
        });
        const hasOnlySigns =
          queryWords.every((word) => normalText(word) === '') && queryWords.join('').trim() !== '';
        const query = queryWords.map((one) => `"${one}"`).join(' ');
        expect(matchesSearch(readSearchQuery(query), document)).toBe(plain && !hasOnlySigns);
      }),
      { numRuns: 1000 },
    );
  });

  it('distinguishes a word of 100 letters from a longer one with the same beginning', () => {
    const long = 'a'.repeat(100);
    expect(finds(`"${long}"`, `${long}b`)).toBe(false);
    expect(finds(long, `${long}b`)).toBe(true);
    expect(finds(`${long}b`, `${long}b`)).toBe(true);
    expect(finds(`${long}c`, `${long}b`)).toBe(false);
  });
});
