import fc from 'fast-check';
import { toNoteText } from '../../../src/importers/mastodon/note-text.js';

const textOf = (html: string, more: { mentions?: string[]; hasQuote?: boolean } = {}): string =>
  toNoteText({ html, mentions: [], hasQuote: false, ...more });
const LONG = 'https://www.example.com/a/very/long/path?with=query&and=more#part';
const shortened = `<a href="${LONG.replaceAll('&', '&amp;')}" target="_blank" rel="nofollow noopener"><span class="invisible">https://www.</span><span class="ellipsis">example.com/a/very/long/path?wi</span><span class="invisible">th=query&amp;and=more#part</span></a>`;
const mention = (text: string, href = 'https://other.example/@bob'): string =>
  `<span class="h-card" translate="no"><a href="${href}" class="u-url mention">@<span>${text}</span></a></span>`;

it.each<[string, string, string]>([
  ['nothing', '', ''],
  ['plain text', 'Hallo', 'Hallo'],
  ['entities', '<p>1 &lt; 2 &amp;&nbsp;&quot;3&quot; &#39;x&#39;</p>', '1 < 2 &\u00a0"3" \'x\''],
  ['paragraphs', '<p>Eins</p><p>Zwei</p>', 'Eins\n\nZwei'],
  ['line breaks', '<p>Eins<br />Zwei<br>Drei</p>', 'Eins\nZwei\nDrei'],
  ['an empty line between breaks', '<p>Eins<br><br>Zwei</p>', 'Eins\n\nZwei'],
  ['a break at a paragraph’s ends', '<p><br>Eins<br></p><p>Zwei</p>', 'Eins\n\nZwei'],
  ['empty paragraphs', '<p></p><p>Eins</p><p> </p><p>Zwei</p>', 'Eins\n\nZwei'],
  ['line breaks of the source', '<p>Eins\n  zwei</p>\n<p>Drei</p>', 'Eins zwei\n\nDrei'],
  ['spaces as typed', '<p>a  b<br>  c</p>', 'a  b\n  c'],
  ['spaces before a line break', '<p>a <br>b  <br><br> c <br></p> <p>d</p>', 'a \nb  \n\n c \n\nd'],
  ['a shortened link', `<p>Siehe ${shortened}!</p>`, `Siehe ${LONG}!`],
  [
    'a link shown in full',
    '<p><a href="https://b.example/"><span class="invisible">https://</span><span class="">b.example/</span><span class="invisible"></span></a></p>',
    'https://b.example/',
  ],
  ['a link without its scheme', '<a href="https://b.example/">b.example</a>', 'https://b.example/'],
  [
    'a shortened link with an ellipsis',
    '<a href="https://b.example/long/way">b.example/lo…</a>',
    'https://b.example/long/way',
  ],
  [
    'a link in a different encoding',
    '<a href="https://xn--mller-kva.example/%C3%A4">https://Müller.example/ä</a>',
    'https://xn--mller-kva.example/%C3%A4',
  ],
  [
    'a link with its own text',
    '<p>Hier <a href="https://b.example/x">steht es</a>.</p>',
    'Hier steht es (https://b.example/x).',
  ],
  [
    'a link whose text is another URL',
    '<a href="https://evil.example/">https://bank.example/</a>',
    'https://bank.example/ (https://evil.example/)',
  ],
  ['an empty link', '<a href="https://b.example/x"></a>', 'https://b.example/x'],
  [
    'a link without a URL',
    '<a href="javascript:alert(1)">x</a> <a>y</a> <a href="/tags/z">z</a>',
    'x y z',
  ],
  [
    'a link that is not closed',
    '<p><a href="https://b.example/">b.example<p>Zwei',
    'https://b.example/\n\nZwei',
  ],
  [
    'a link in a link',
    '<a href="https://b.example/">b.example <a href="https://c.example/">c.example</a></a>',
    'https://b.example/https://c.example/',
  ],
  [
    'a hashtag',
    '<a href="https://m.example/tags/caf%C3%A9" class="mention hashtag" rel="tag">#<span>Café</span></a>',
    '#Café',
  ],
  ['a hashtag of another server', '<a href="https://m.example/tag/x" rel="tag">#x</a>', '#x'],
  [
    'custom emoji',
    '<p>:blobcat: und <img class="emoji" alt=":party:" src="https://m.example/e.png"></p>',
    ':blobcat: und :party:',
  ],
  [
    'no hidden elements',
    '<style>p{}</style><script>x()</script><p>Da<template><p>nicht</p></template></p>',
    'Da',
  ],
  [
    'a list and a quote',
    '<p>Liste:</p><ul><li>a</li><li>b</li></ul><blockquote><p>Z</p></blockquote>',
    'Liste:\n\na\nb\n\nZ',
  ],
  ['code', '<pre><code>if x</code></pre>', 'if x'],
  [
    'scripts without spaces, right to left, joined emoji',
    '<p>陶芸が好き</p><p>مرحبا 👩🏽‍🎨</p>',
    '陶芸が好き\n\nمرحبا 👩🏽‍🎨',
  ],
  [
    'inline markup',
    '<p><b>fett</b> und <em>schräg</em><unknown>!</unknown></p>',
    'fett und schräg!',
  ],
])('reads %s', (_, html, text) => expect(textOf(html)).toBe(text));

it.each<[string, string, string[], string]>([
  [
    'another server’s account in full',
    mention('bob'),
    ['@bob@other.example'],
    '@bob@other.example',
  ],
  [
    'an account of the same server unchanged',
    mention('bob', 'https://m.example/@bob'),
    ['@bob'],
    '@bob',
  ],
  [
    'the same name on two servers',
    `${mention('bob', 'https://m.example/@bob')} ${mention('bob@other.example')}`,
    ['@bob', '@bob@other.example'],
    '@bob @bob@other.example',
  ],
  ['an ambiguous name unchanged', mention('bob'), ['@bob@one.example', '@bob@two.example'], '@bob'],
  [
    'an account that the post does not list unchanged',
    mention('eve'),
    ['@bob@other.example', '@everyone@other.example'],
    '@eve',
  ],
  ['a name in different case', mention('Bob'), ['@bob@other.example'], '@bob@other.example'],
])('writes %s', (_, html, mentions, text) =>
  expect(textOf(`<p>${html} hallo</p>`, { mentions })).toBe(`${text} hallo`),
);

it('omits the fallback paragraph of a quote only if the post has a quote', () => {
  const html =
    '<p class="quote-inline">RE: <a href="https://b.example/1">https://b.example/1</a><br>x</p><p>Genau.</p>';
  expect(textOf(html, { hasQuote: true })).toBe('Genau.');
  expect(textOf(html)).toBe('RE: https://b.example/1\nx\n\nGenau.');
});

/**
 * Converts a text to HTML like Mastodon: an empty line ends a paragraph, a line break becomes `br`.
 */
const toMastodonHtml = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .split(/\n\n/)
    .map((part) => `<p>${part.replaceAll('\n', '<br />')}</p>`)
    .join('');

it('restores any text that Mastodon converted to HTML', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .map((text) => text.replace(/\s/gu, ''))
    .filter((text) => text !== '' && !/[\u00ad\ufeff\u0000-\u001f]/.test(text));
  const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const text = fc
    .array(
      fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('\n\n'));
  fc.assert(
    fc.property(text, (typed) => {
      expect(textOf(toMastodonHtml(typed))).toBe(typed);
    }),
    { numRuns: 300 },
  );
});

it('keeps every word and link of any markup, and no tags', () => {
  const link = '<a href="https://b.example/">';
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    link,
    '</a>',
    '<br>',
    '<span class="invisible">',
    '</span>',
    '<ul><li>',
    '</li>',
    'Wort ',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
      const text = textOf(parts.join(''));
      const count = (needle: string): number => text.split(needle).length - 1;
      expect([count('Wort'), count('https://b.example/')]).toEqual(
        ['Wort ', link].map((expected) => parts.filter((part) => part === expected).length),
      );
      expect(text).not.toMatch(/[<>]|^\n|\n$/);
    }),
    { numRuns: 300 },
  );
});

it('processes very long and deeply nested markup', () => {
  const long = `${'<p>'.repeat(20_000)}x${'<br>'.repeat(20_000)}y`;
  expect(textOf(long)).toMatch(/^x\n+y$/);
  expect(textOf(`<p>${'a<br>'.repeat(100_000)}</p>`).length).toBe(199_999);
});
