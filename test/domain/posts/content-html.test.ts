import { contentHtml } from '../../../src/domain/posts/content-html.js';
import type { ContentBlock } from '../../../src/domain/posts/post-content.js';

it.each<[ContentBlock['type'], unknown, string]>([
  ['paragraph', { text: 'a <b>b</b>' }, '<p>a <b>b</b></p>'],
  ['header', { text: 'a', level: 4 }, '<h4>a</h4>'],
  ['header', { text: 'a', level: 9 }, '<h2>a</h2>'],
  [
    'list',
    { style: 'ordered', items: ['a', { text: 'b', style: 'unordered', items: [{ text: 'c' }] }] },
    '<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>',
  ],
  [
    'media',
    {
      url: 'https://b.example/a.jpg?a=1&b="',
      alt: '<Hund>',
      caption: '<i>Hund</i>',
      link: 'https://b.example/',
    },
    '<figure><a href="https://b.example/"><img src="https://b.example/a.jpg?a=1&amp;b=&quot;" alt="&lt;Hund&gt;"></a><figcaption><i>Hund</i></figcaption></figure>',
  ],
  [
    'media',
    { url: 'https://b.example/a.mp4', type: 'video' },
    '<figure><video src="https://b.example/a.mp4" controls></video></figure>',
  ],
  [
    'media',
    { url: 'https://b.example/a.pdf', type: 'document', alt: 'A & B' },
    '<figure><a href="https://b.example/a.pdf">A &amp; B</a></figure>',
  ],
  [
    'table',
    { header: true, caption: 'T', rows: [['a'], ['b', 1]] },
    '<table><caption>T</caption><tbody><tr><th>a</th></tr><tr><td>b</td><td>1</td></tr></tbody></table>',
  ],
  [
    'table',
    { footer: true, rows: [['a'], ['b']] },
    '<table><tbody><tr><td>a</td></tr></tbody><tfoot><tr><td>b</td></tr></tfoot></table>',
  ],
  ['table', { footer: true, rows: [['a']] }, '<table><tbody><tr><td>a</td></tr></tbody></table>'],
  ['delimiter', {}, '<hr>'],
  ['delimiter', { mark: 'more' }, '<!--more-->'],
  ['delimiter', { mark: 'page' }, '<!--nextpage-->'],
  ['delimiter', { mark: '--><script>' }, '<hr>'],
  ['code', { code: 'a < b' }, '<pre><code>a &lt; b</code></pre>'],
  ['html', { html: '<details>x</details>' }, '<details>x</details>'],
  ['quote', { text: 'a', caption: 'b' }, '<blockquote><p>a</p><cite>b</cite></blockquote>'],
  ['paragraph', null, ''],
  ['list', { items: 'a' }, ''],
  ['table', { rows: [null] }, '<table><tbody><tr></tr></tbody></table>'],
  ['paragraph', { text: { toString: 'a' } }, ''],
])('writes %s %j', (type, data, html) => {
  expect(contentHtml([{ type, data }])).toBe(html);
});

it('writes one block per line and omits empty ones', () => {
  expect(
    contentHtml([
      { type: 'paragraph', data: { text: 'a' } },
      { type: 'header', data: {} },
      { type: 'delimiter', data: {} },
    ]),
  ).toBe('<p>a</p>\n<hr>');
});

it('stops at a maximum depth of nested lists', () => {
  let items: unknown = [];
  for (let depth = 0; depth < 20_000; depth += 1) items = [{ text: 'a', items }];
  expect(contentHtml([{ type: 'list', data: { items } }]).match(/a/g)).toHaveLength(50);
});
