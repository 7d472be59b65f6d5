import { readBody } from '../../../src/importers/wordpress/html/html-blocks.js';
import { blocksToText } from '../../../src/importers/wordpress/html/html-text.js';
import { blogHtml } from '../../../src/services/posts/blog-html/blog-html.js';
import { exportOf, itemOf } from '../../fixtures/small-wxr.js';
import { postsOf } from './read-export.js';

const html = (source: string) => ({ type: 'html', data: { html: source } });
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } });
const blocksOf = (source: string) => readBody(source).blocks;

const PARAGRAPH = '<!-- wp:paragraph --><p>Eins</p><!-- /wp:paragraph -->';
const LATEST = '<!-- wp:latest-posts {"postsToShow":3} /-->';
const QUERY = `<!-- wp:query {"queryId":1} -->
<div class="wp-block-query"><!-- wp:post-template -->
<!-- wp:post-title {"isLink":true} /-->
<!-- /wp:post-template -->
<!-- wp:paragraph --><p class="has-text-align-center">Das war’s</p><!-- /wp:paragraph --></div>
<!-- /wp:query -->`;
const LINKS =
  '<!-- wp:social-links --><ul class="wp-block-social-links"><!-- wp:social-link {"url":"https://m.example/@ada","service":"mastodon"} /--></ul><!-- /wp:social-links -->';
const FORM =
  '<!-- wp:acme/card {"kind":"b"} --><div class="acme"><p>Karte</p></div><!-- /wp:acme/card -->';

it.each<[string, string, object[]]>([
  [
    'a block without content, in its place',
    `${PARAGRAPH}\n\n${LATEST}\n\n${PARAGRAPH}`,
    [paragraph('Eins'), html(LATEST), paragraph('Eins')],
  ],
  [
    'a block with the namespace of core',
    '<!-- wp:core/archives /-->',
    [html('<!-- wp:core/archives /-->')],
  ],
  ['a block that contains others', `${PARAGRAPH}${QUERY}`, [paragraph('Eins'), html(QUERY)]],
  ['a list of social links', LINKS, [html(LINKS)]],
  ['a block of a plugin', `${FORM}${PARAGRAPH}`, [html(FORM), paragraph('Eins')]],
  [
    'a block inside columns, without the columns',
    `<!-- wp:columns --><div class="wp-block-columns"><!-- wp:column --><div class="wp-block-column">${PARAGRAPH}${LATEST}</div><!-- /wp:column --></div><!-- /wp:columns -->`,
    [paragraph('Eins'), html(LATEST)],
  ],
  [
    'custom HTML as HTML',
    '<!-- wp:html -->\n<p>a <b>b</b></p>\n<script>c()</script>\n<!-- /wp:html -->',
    [html('<p>a <b>b</b></p>\n<script>c()</script>')],
  ],
  [
    'custom HTML without content',
    `<!-- wp:html -->\n<!-- /wp:html -->${PARAGRAPH}`,
    [paragraph('Eins')],
  ],
  [
    'a block in the middle of a table',
    `<!-- wp:html --><!-- /wp:html --><table><tr><td>a${LATEST}</td></tr></table>`,
    [html('<table><tr><td>a'), html(LATEST)],
  ],
  [
    'a block that does not end',
    `<!-- wp:query --><p>a</p>${LATEST}`,
    [paragraph('a'), html(LATEST)],
  ],
  ['an end without a start', `<!-- /wp:query -->${LATEST}`, [html(LATEST)]],
  [
    'a comment that is no delimiter',
    `${PARAGRAPH}<!-- wp:a b /--><!-- wp:x {"a":"--"} /--><!-- wp:UPPER /-->`,
    [paragraph('Eins')],
  ],
  [
    'an element that becomes HTML, without the delimiters inside it',
    '<!-- wp:list --><ul><!-- wp:list-item --><li><dl><dt>a</dt></dl></li><!-- /wp:list-item --></ul><!-- /wp:list -->',
    [html('<ul><li><dl><dt>a</dt></dl></li></ul>')],
  ],
])('reads %s', (_, source, blocks) => expect(blocksOf(source)).toEqual(blocks));

it('keeps the text and the media of kept blocks', () => {
  const body = readBody(
    `${PARAGRAPH}<!-- wp:acme/card --><p>Zwei <img class="wp-image-4" src="https://b.example/a.jpg" alt="Hund"></p><video><source src="https://b.example/b.mp4"></video><!-- /wp:acme/card -->`,
  );
  expect(blocksToText(body.blocks)).toBe('Eins\n\nZwei');
  expect(body.media.map(({ url, type, libraryId }) => [url, type, libraryId])).toEqual([
    ['https://b.example/a.jpg', 'photo', '4'],
    ['https://b.example/b.mp4', 'video', null],
  ]);
});

it('returns kept blocks to the blog unchanged', async () => {
  const [post] = await postsOf(
    exportOf(itemOf({ body: [PARAGRAPH, LATEST, QUERY, LINKS, FORM].join('\n') })),
  );
  expect(blogHtml(post!.content)).toBe(['<p>Eins</p>', LATEST, QUERY, LINKS, FORM].join('\n'));
});

it('finds kept blocks in a megabyte of delimiters in time', () => {
  const start = process.cpuUsage();
  for (const part of [
    '<!-- wp:group -->',
    '<!-- wp:query -->',
    '<!-- wp:a /-->',
    '<!-- /wp:a -->',
    '<!-- wp:a {',
  ])
    blocksOf(part.repeat(1_000_000 / part.length));
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(10_000);
});
