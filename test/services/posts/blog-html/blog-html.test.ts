import type { ContentBlock, ContentBlockType } from '../../../../src/domain/posts/post-content.js';
import { readBody } from '../../../../src/importers/wordpress/html/html-blocks.js';
import { toPlainText } from '../../../../src/importers/wordpress/html/html-text.js';
import { blogHtml } from '../../../../src/services/posts/blog-html/blog-html.js';

const ATTACKS = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//x.example></ScRiPt>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<a href="javascript:alert(1)">a</a>',
  '<a href="&#106;avascript:alert(1)">a</a>',
  '<a href="java\tscript:alert(1)">a</a>',
  '<a href=" \u0001javascript:alert(1)">a</a>',
  '<a href="data:text/html,<script>alert(1)</script>">a</a>',
  '<a href="vbscript:x">a</a>',
  '<iframe src="https://x.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="x"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">a</button></form>',
  '<math><mi xlink:href="javascript:alert(1)">a</mi></math>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<p style="background:url(javascript:alert(1))" onclick="alert(1)" class="x">a</p>',
  '<base href="javascript:alert(1)//">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel="stylesheet" href="javascript:alert(1)">',
  '<video src="javascript:alert(1)" onplay="alert(1)">',
  '<video><source onerror="alert(1)"></video>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<template><script>alert(1)</script></template>',
  '<textarea></textarea><img src=x onerror=alert(1)>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '<<script>alert(1)//<</script>',
  '<img src="x" alt="--><script>alert(1)</script>">',
  '<!--><script>alert(1)</script>-->',
  '<details open ontoggle=alert(1)>a</details>',
  '<img srcset="javascript:alert(1)">',
  '<a href="//x.example">a</a>',
  '<a target=_blank href="https://x.example">a</a>',
  '<input autofocus onfocus=alert(1)>',
];

/** Where rich or plain text can be put: each kind of block, each of its fields. */
const INSERTIONS: readonly ((attack: string) => ContentBlock)[] = [
  ...(['paragraph', 'header', 'quote', 'media', 'html', 'code', 'delimiter'] as const).map(
    (type: ContentBlockType) => (attack: string) => ({
      type,
      data: {
        text: attack,
        caption: attack,
        level: attack,
        url: attack,
        alt: attack,
        link: attack,
        html: attack,
        code: attack,
        mark: attack,
      },
    }),
  ),
  (attack) => ({
    type: 'list',
    data: { style: attack, items: [attack, { text: attack, items: [attack] }] },
  }),
  (attack) => ({
    type: 'table',
    data: { caption: attack, header: true, rows: [[attack], [attack]] },
  }),
  (attack) => ({ type: 'media', data: { url: attack, type: 'video', caption: attack } }),
  (attack) => ({ type: 'media', data: { url: attack, type: 'document', alt: attack } }),
];

const TAG = /<\/?([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/g;
const DANGEROUS_TAGS =
  /^(script|style|iframe|object|embed|form|input|button|svg|math|base|meta|link|template|noscript|textarea|xmp)$/;

it.each(ATTACKS)('neutralises %s', (attack) => {
  for (const insert of INSERTIONS) {
    const html = blogHtml([insert(attack)]);
    // What is left beside well-formed tags is text, in which a < is escaped.
    expect(html.replace(TAG, '')).not.toContain('<');
    for (const [, name = '', attributes = ''] of html.matchAll(TAG)) {
      expect(name).not.toMatch(DANGEROUS_TAGS);
      for (const [, attribute = '', value = ''] of attributes.matchAll(
        /\s([a-z-]+)(?:="([^"]*)")?/g,
      )) {
        expect(attribute).not.toMatch(/^(on.*|style|class|srcset|srcdoc|formaction)$/);
        // Browsers leave out white space and control characters before they look for a scheme.
        const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(
          toPlainText(value).replace(/[\s\u0000-\u0020]/g, ''),
        )?.[1];
        if (['href', 'src', 'cite'].includes(attribute))
          expect(['http', 'https', 'mailto', 'tel', undefined]).toContain(scheme);
      }
    }
  }
});

it('keeps allowed HTML', () => {
  const html =
    '<p>a <a href="https://b.example/" title="t">b</a> <code>c</code> <time datetime="2020-01-01">d</time></p>';
  expect(blogHtml([{ type: 'html', data: { html } }])).toBe(html);
  expect(blogHtml([{ type: 'delimiter', data: { mark: 'more' } }])).toBe('<!--more-->');
  expect(blogHtml([{ type: 'html', data: { html: '<a href="/x" target="_blank">x</a>' } }])).toBe(
    '<a href="/x" target="_blank" rel="noopener noreferrer">x</a>',
  );
  const paid = '<a href="https://b.example/" target="_blank" rel="sponsored nofollow opener">x</a>';
  expect(blogHtml([{ type: 'html', data: { html: paid } }])).toBe(
    '<a href="https://b.example/" target="_blank" rel="sponsored nofollow noopener noreferrer">x</a>',
  );
});

it('closes an unclosed tag at the end of its block', () => {
  expect(
    blogHtml([
      { type: 'html', data: { html: '<b>a' } },
      { type: 'paragraph', data: { text: 'b' } },
    ]),
  ).toBe('<b>a</b>\n<p>b</p>');
});

it('keeps the text of a body converted to blocks and back', () => {
  const body = `Eins & <b>zwei</b>\n\n<h2>Drei</h2><ul><li>vier<ol><li>fünf</li></ol></li></ul><blockquote>sechs<cite>sieben</cite></blockquote>
<table><tr><th>acht</th></tr><tr><td>neun</td></tr></table><pre>zehn &lt; elf</pre>[caption]<img src="https://b.example/a.jpg" alt="x"> zwölf[/caption]<dl><dt>13</dt><dd>14</dd></dl>`;
  const text = [
    'Eins & zwei',
    'Drei',
    'vier',
    'fünf',
    'sechs',
    'sieben',
    'acht',
    'neun',
    'zehn < elf',
    'zwölf',
    '13',
    '14',
  ].join('\n');
  const there = (html: string): string => blogHtml(readBody(html).blocks);
  expect(toPlainText(there(body))).toBe(text);
  expect(toPlainText(there(there(body)))).toBe(text);
});

it.each(['<b>', '<ul><li>', '<b></i>', '<zz>'])(
  'sanitizes a megabyte of unclosed %s in time',
  (tag) => {
    const start = process.cpuUsage();
    const html = blogHtml([
      { type: 'html', data: { html: tag.repeat(1_000_000 / tag.length) } },
      { type: 'paragraph', data: { text: 'after' } },
    ]);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(2_000);
    expect(html.endsWith('<p>after</p>')).toBe(true);
  },
);

it('keeps 20,000 tags of a block', () => {
  const table = (rows: number): string =>
    blogHtml([
      { type: 'table', data: { rows: Array.from({ length: rows }, () => Array(97).fill('x')) } },
    ]);
  expect(table(100).match(/<td>x<\/td>/g)).toHaveLength(9_700);
  expect(table(200).match(/<td>x<\/td>/g)!.length).toBeLessThan(10_000);
});
