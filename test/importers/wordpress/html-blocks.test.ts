import { readBody } from '../../../src/importers/wordpress/html/html-blocks.js';
import { toPlainText } from '../../../src/importers/wordpress/html/html-text.js';

const htmlBlocks = (source: string) => readBody(source).blocks;
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } });
const html = (source: string) => ({ type: 'html', data: { html: source } });
const picture = (fields: object) => ({
  type: 'media',
  data: {
    url: 'https://b.example/a.jpg',
    type: 'photo',
    alt: '',
    caption: '',
    link: '',
    ...fields,
  },
});
const IMG = '<img src="https://b.example/a.jpg" alt="Hund">';

it.each<[string, string, object[]]>([
  ['empty', '  \n', []],
  [
    'classic paragraphs',
    'Eins\nzwei\n\n<b>drei</b> & vier',
    [paragraph('Eins<br>zwei'), paragraph('<b>drei</b> &amp; vier')],
  ],
  ['Windows line ends', 'Eins\r\n\r\nZwei', [paragraph('Eins'), paragraph('Zwei')]],
  ['a break already there', 'Eins<br />\nzwei', [paragraph('Eins<br>zwei')]],
  [
    'block editor',
    '<!-- wp:paragraph -->\n<p class="x">Eins\nzwei <a href="/z" onclick="x()">drei</a></p>\n<!-- /wp:paragraph -->',
    [paragraph('Eins zwei <a href="/z">drei</a>')],
  ],
  [
    'header',
    '<h3>Über <i>uns</i></h3>',
    [{ type: 'header', data: { text: 'Über <i>uns</i>', level: 3 } }],
  ],
  [
    'horizontal rule',
    'a<hr>b',
    [paragraph('a'), { type: 'delimiter', data: { mark: null } }, paragraph('b')],
  ],
  [
    'markers',
    'a<!--more Weiter-->b<!--nextpage-->c',
    [
      paragraph('a'),
      { type: 'delimiter', data: { mark: 'more' } },
      paragraph('b'),
      { type: 'delimiter', data: { mark: 'page' } },
      paragraph('c'),
    ],
  ],
  [
    'nested lists',
    '<ul><li>a<ol><li>b</li></ol></li>\n<li><p>c</p><p>d</p></li></ul>',
    [
      {
        type: 'list',
        data: {
          style: 'unordered',
          items: [
            { text: 'a', style: 'ordered', items: [{ text: 'b', style: 'ordered', items: [] }] },
            { text: 'c<br><br>d', style: 'unordered', items: [] },
          ],
        },
      },
    ],
  ],
  [
    'a list with a table',
    '<ul><li><table><tr><td>a</td></tr></table></li></ul>',
    [html('<ul><li><table><tr><td>a</td></tr></table></li></ul>')],
  ],
  [
    'quote',
    '<blockquote><p>Weise</p><cite>Anna</cite></blockquote>',
    [{ type: 'quote', data: { text: 'Weise', caption: 'Anna' } }],
  ],
  [
    'code',
    '<pre><code>if (a &lt; b)\n\n  x</code></pre>',
    [{ type: 'code', data: { code: 'if (a < b)\n\n  x' } }],
  ],
  ['verse', '<pre>Ein <b>Vers</b></pre>', [html('<pre>Ein <b>Vers</b></pre>')]],
  [
    'table',
    '<table><caption>T</caption><thead><tr><th>a</th></tr></thead><tbody><tr><td><b>1</b></td></tr></tbody></table>',
    [{ type: 'table', data: { caption: 'T', header: true, rows: [['a'], ['<b>1</b>']] } }],
  ],
  [
    'a table’s caption and footer',
    '<figure class="wp-block-table"><table><tfoot><tr><td>3</td></tr></tfoot><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table><figcaption>Zahlen <b>bis 3</b></figcaption></figure>',
    [
      {
        type: 'table',
        data: {
          caption: 'Zahlen <b>bis 3</b>',
          header: false,
          footer: true,
          rows: [['1'], ['2'], ['3']],
        },
      },
    ],
  ],
  [
    'a footer of two rows',
    '<table><tfoot><tr><td>1</td></tr><tr><td>2</td></tr></tfoot></table>',
    [html('<table><tfoot><tr><td>1</td></tr><tr><td>2</td></tr></tfoot></table>')],
  ],
  [
    'a table with two captions',
    '<figure><table><caption>a</caption><tr><td>1</td></tr></table><figcaption>b</figcaption></figure>',
    [{ type: 'table', data: { caption: 'a', header: false, rows: [['1']] } }, paragraph('b')],
  ],
  [
    'a video with a caption',
    '<figure><video src="https://b.example/a.mp4"></video><figcaption>Film</figcaption></figure>',
    [picture({ url: 'https://b.example/a.mp4', type: 'video', caption: 'Film' })],
  ],
  [
    'spanning cells',
    '<table><tr><td colspan="2">1</td></tr></table>',
    [html('<table><tr><td colspan="2">1</td></tr></table>')],
  ],
  [
    'picture with link',
    `<a href="https://b.example/">${IMG}</a>`,
    [picture({ alt: 'Hund', link: 'https://b.example/' })],
  ],
  [
    'picture in text',
    `vor ${IMG} nach`,
    [paragraph('vor'), picture({ alt: 'Hund' }), paragraph('nach')],
  ],
  [
    'picture deep in text',
    `vor <b>${IMG} nach</b>`,
    [paragraph('vor <b> nach</b>'), picture({ alt: 'Hund' })],
  ],
  [
    'figure',
    `<figure>${IMG}<figcaption>Ein <i>Hund</i></figcaption></figure>`,
    [picture({ alt: 'Hund', caption: 'Ein <i>Hund</i>' })],
  ],
  [
    'gallery',
    `<figure><figure>${IMG}<figcaption>eins</figcaption></figure><figure>${IMG}</figure><figcaption>alle</figcaption></figure>`,
    [picture({ alt: 'Hund', caption: 'eins' }), picture({ alt: 'Hund' }), paragraph('alle')],
  ],
  [
    'caption shortcode',
    `a [caption id="x"]${IMG} Ein Hund[/caption] b`,
    [paragraph('a'), picture({ alt: 'Hund', caption: 'Ein Hund' }), paragraph('b')],
  ],
  [
    'caption attribute',
    `[caption caption="Ein ] Hund"]${IMG}[/caption]`,
    [picture({ alt: 'Hund', caption: 'Ein ] Hund' })],
  ],
  ['caption without end', '[caption id="x"] hier', [paragraph('[caption id="x"] hier')]],
  [
    'picture without an http URL',
    '<img src="data:image/png;base64,AA">',
    [html('<img src="data:image/png;base64,AA">')],
  ],
  ['emoji', 'a <img class="emoji" alt="😀" src="https://s.example/x.png">', [paragraph('a 😀')]],
  [
    'iframe',
    'a <iframe src="https://v.example/"></iframe> b',
    [paragraph('a'), html('<iframe src="https://v.example/"></iframe>'), paragraph('b')],
  ],
  ['containers', '<div class="row"><div><p>a</p></div>b</div>', [paragraph('a'), paragraph('b')]],
  [
    'an unclosed <b>',
    '<b>a\n<h2>b</h2>\nc',
    [paragraph('<b>a<br></b>'), { type: 'header', data: { text: 'b', level: 2 } }, paragraph('c')],
  ],
  ['a link around a header', '<a href="/x"><h2>a</h2></a>', [html('<a href="/x"><h2>a</h2></a>')]],
  ['other shortcodes', '[contact-form]', [paragraph('[contact-form]')]],
])('reads %s', (_, source, blocks) => {
  expect(htmlBlocks(source)).toEqual(blocks);
});

it('fills a gallery from the library, and keeps the shortcode if there are no files', () => {
  const file = {
    url: 'https://b.example/a.jpg',
    type: 'photo',
    alt: 'Hund',
    title: '',
    caption: 'A & B',
    libraryId: '4',
  } as const;
  const requestedIds: unknown[] = [];
  const gallery = (ids: readonly string[] | null) => {
    requestedIds.push(ids);
    return ids === null ? [] : [file];
  };
  const body = readBody('[gallery ids="4, 5"]\n\n[gallery]', { gallery });
  expect(requestedIds).toEqual([['4', '5'], null]);
  expect(body).toEqual({
    blocks: [picture({ alt: 'Hund', caption: 'A &amp; B' }), paragraph('[gallery]')],
    media: [file],
  });
});

it.each([
  ['<p>a</p><p>b&amp;c</p>', 'a\nb&c'],
  ['a<script>x</script><style>y</style> b', 'a b'],
  ['1 < 2 &nbsp;!', '1 < 2 \u00a0!'],
])('reads %s as plain text', (source, text) => {
  expect(toPlainText(source)).toBe(text);
});
