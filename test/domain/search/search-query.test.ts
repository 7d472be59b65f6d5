import fc from 'fast-check';
import {
  readSearchQuery,
  type Lexeme,
  type SearchTerm,
} from '../../../src/domain/search/search-query.js';

describe('readSearchQuery', () => {
  /** Lexemes; an asterisk marks a prefix. */
  const lexemesOf = (words: string): Lexeme[] =>
    words.split(' ').map((word) => ({
      token: word.replace('*', ''),
      isPrefix: word.endsWith('*'),
    }));
  const term = (forms: string[], patterns: string[] | null = null): SearchTerm => ({
    forms: forms.map(lexemesOf),
    patterns,
  });

  it.each<[string, SearchTerm[], SearchTerm[]]>([
    ['', [], []],
    ['  ', [], []],
    ['  !? "" - -"" ', [term([])], []],
    ['Café crème', [term(['cafe*']), term(['creme*'])], []],
    ['to go', [term(['to']), term(['go'])], []],
    ['"cafe"', [term(['cafe'])], []],
    ['"Big sale" now', [term(['big sale'], [' big sale ']), term(['now*'])], []],
    ['“Big sale”', [term(['big sale'], [' big sale '])], []],
    [
      'sale -spam -"old news"',
      [term(['sale*'])],
      [term(['spam*']), term(['old news'], [' old news '])],
    ],
    ['-only', [], [term(['only*'])]],
    ['#Tag @me', [term(['tag*']), term(['me'])], []],
    ['well-known', [term(['well known'], [' well known '])], []],
    ['a,b；c', [term(['a']), term(['b']), term(['c'])], []],
    ['東', [term(['東'])], []],
    ['東京', [term(['東京'])], []],
    ['東京都', [term(['東京 京都'], ['東京都'])], []],
    ['東京tower', [term(['東京 tower'], ['東京 tower '])], []],
    ['27" screen', [term(['27']), term(['screen*'])], []],
    ['"open end', [term(['open*']), term(['end*'])], []],
    ['-"open end', [term(['end*'])], [term(['open*'])]],
    ['nul\0byte \ud800', [term(['nul byte'], [' nul byte '])], []],
    ['Müller', [term(['muller*', 'mueller*'])], []],
    [
      '"Müller GmbH"',
      [term(['muller gmbh', 'mueller gmbh'], [' muller gmbh ', ' mueller gmbh '])],
      [],
    ],
    ['서울', [term(['서울*'])], []],
    ['"서울"', [term(['서울*'], [' 서울 '])], []],
    ['책', [term(['책*'], [' 책 '])], []],
    ['서울은', [term(['서울은*', '서울*'], [' 서울은', ' 서울 '])], []],
    ['الكتاب', [term(['الكتاب*', 'كتاب'])], []],
    ['x'.repeat(120), [term([`${'x'.repeat(100)}*`], [` ${'x'.repeat(120)}`])], []],
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
        readSearchQuery(String.fromCharCode(...codes));
      }),
      { numRuns: 1000 },
    );
  });
});
