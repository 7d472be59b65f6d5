import { contentTexts, lostContent } from '../../../src/domain/posts/content-data.js';
import { contentHtml } from '../../../src/domain/posts/content-html.js';
import type { ContentBlock } from '../../../src/domain/posts/post-content.js';

const lost = (type: ContentBlock['type'], data: unknown): string | null =>
  lostContent(
    [
      { type: 'delimiter', data: {} },
      { type, data },
    ],
    () => false,
  );

it.each<[ContentBlock['type'], object, string]>([
  ['paragraph', { text: 'a', alignment: 'left' }, '<p>a</p>'],
  ['header', { text: 'a', level: 3 }, '<h3>a</h3>'],
  [
    'list',
    {
      style: 'ordered',
      items: [{ content: 'a', meta: {}, items: [{ content: 'b', meta: {}, items: [] }] }],
    },
    '<ol><li>a<ul><li>b</li></ul></li></ol>',
  ],
  ['list', { style: 'checklist', items: [{ text: 'a', checked: true }] }, '<ul><li>a</li></ul>'],
  [
    'table',
    { withHeadings: true, stretched: false, content: [['a'], ['b']] },
    '<table><tbody><tr><th>a</th></tr><tr><td>b</td></tr></tbody></table>',
  ],
  [
    'media',
    { file: { url: 'https://b.example/a.jpg' }, caption: 'b', withBorder: true },
    '<figure><img src="https://b.example/a.jpg" alt=""><figcaption>b</figcaption></figure>',
  ],
])('an article shows what Editor.js writes: %s %j', (type, data, html) => {
  expect(lost(type, data)).toBeNull();
  expect(contentHtml([{ type, data }])).toBe(html);
});

it.each<[ContentBlock['type'], unknown, string]>([
  [
    'paragraph',
    { content: 'a' },
    'content.1.data.content would be lost. A paragraph block can have text.',
  ],
  ['paragraph', { text: { html: 'a' } }, 'content.1.data.text would be lost: it must be a text.'],
  ['list', { items: 'a' }, 'content.1.data.items would be lost: it must be a list.'],
  [
    'list',
    { items: ['a', { text: 'b', items: [{ title: 'c' }] }] },
    'content.1.data.items.1.items.0.title would be lost. An item can have text, style and items.',
  ],
  ['table', { rows: [['a'], 'b'] }, 'content.1.data.rows.1 would be lost: it must be a list.'],
  [
    'media',
    { image: 'https://b.example/a.jpg' },
    'content.1.data.image would be lost. A media block can have url, file, type, alt, caption, link.',
  ],
  [
    'html',
    { html: '<p>a</p><IFRAME src="https://b.example/"></IFRAME>' },
    'content.1.data.html contains <iframe>, which would be lost: articles cannot have it. Use a link or a media block.',
  ],
])('refuses by name what an article would not show: %s %j', (type, data, message) => {
  expect(lost(type, data)).toBe(message);
});

it('takes code as it is, and blocks that the post has already', () => {
  expect(lost('paragraph', { text: 'a', width: 1, someKey: [2], other: { on: true } })).toBeNull();
  expect(lost('code', { code: '<script></script>' })).toBeNull();
  expect(lostContent([{ type: 'paragraph', data: { foo: 'a' } }], () => true)).toBeNull();
});

it('reads the texts of an article', () => {
  expect(
    contentTexts([
      { type: 'paragraph', data: { text: 'Wo<b>r</b>ds &amp; m&#252;hle<br>more' } },
      { type: 'list', data: { style: 'ordered', items: ['a', { content: 'b', items: ['c'] }] } },
      { type: 'table', data: { rows: [['d', 'e']], caption: 'f' } },
      { type: 'media', data: { url: 'https://b.example/', alt: 'g', caption: '' } },
      { type: 'html', data: { html: '<details>h</details>' } },
    ]).map((text) => text.trim()),
  ).toEqual(['Words & mühle more', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});
