import fc from 'fast-check';
import { readBody } from '../../../src/importers/wordpress/html/html-blocks.js';
import { blocksToText } from '../../../src/importers/wordpress/html/html-text.js';

const htmlBlocks = (source: string) => readBody(source).blocks;
const IMG = '<img src="https://b.example/a.jpg" alt="Hund">';

/** The visible text, determined independently: with patterns instead of a parser. */
const visibleLetters = (source: string): string =>
  source
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, '');
const word = fc.stringMatching(/^[a-zäöü0-9]{1,8}$/);
const tagged = (tags: readonly string[], inner: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...tags), inner).map(([tag, text]) => `<${tag}>${text}</${tag}>`);
const { body } = fc.letrec<{ body: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'body' },
    word,
    fc.constantFrom(
      '\n',
      '\n\n',
      ' ',
      '&amp;',
      '&lt;',
      '<br>',
      '<hr>',
      '<!--more-->',
      IMG,
      '[caption]',
      '[gallery]',
    ),
    tagged(['b', 'i', 'code', 'span', 'font', 'x-y', 'a', 'a href="/x"'], tie('body')).map((text) =>
      text.replaceAll('</a href="/x">', '</a>'),
    ),
    tagged(
      ['p', 'div', 'h2', 'blockquote', 'pre', 'figure', 'section', 'button', 'details'],
      tie('body'),
    ),
    tagged(
      ['ul', 'ol'],
      fc
        .array(tagged(['li', 'p', 'ul'], tie('body')), { maxLength: 3 })
        .map((items) => items.join('\n')),
    ),
    tagged(['table'], tagged(['tr', 'tbody', 'caption'], tagged(['td', 'th', 'tr'], tie('body')))),
  ),
  body: fc
    .array(tie('part'), { maxLength: 4, depthIdentifier: 'body' })
    .map((parts) => parts.join('')),
}));

it('keeps every visible letter', () => {
  fc.assert(
    fc.property(body, (source) => {
      const letters = (text: string): string => [...text.replace(/\s+/g, '')].sort().join('');
      expect(letters(blocksToText(htmlBlocks(source)))).toBe(letters(visibleLetters(source)));
    }),
    { numRuns: 500 },
  );
});

it('processes extreme markup', () => {
  const deep = '<div>'.repeat(50_000) + 'tief' + '<b>'.repeat(50_000) + 'tiefer';
  expect(blocksToText(htmlBlocks(deep))).toContain('tief');
  expect(blocksToText(htmlBlocks(`<ul>${'<li><ul>'.repeat(5_000)}ende`))).toContain('ende');
  expect(
    blocksToText(htmlBlocks(`<table>${'<tr><td>x</td></tr>'.repeat(60_000)}</table>`)).length,
  ).toBeGreaterThan(60_000);
  expect(htmlBlocks('[caption '.repeat(100_000))).toHaveLength(1);
  expect(htmlBlocks(`a${' '.repeat(500_000)}b`)).toEqual([
    { type: 'paragraph', data: { text: 'a b' } },
  ]);
});
