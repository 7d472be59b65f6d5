import { blogHtml } from '../../../../src/services/posts/blog-html/blog-html.js';

const htmlOf = (html: string): string => blogHtml([{ type: 'html', data: { html } }]);
const LATEST = '<!-- wp:latest-posts {"postsToShow":3} /-->';

it.each([
  LATEST,
  '<!-- wp:acme/card {"title":"a \\u003cb\\u003eb\\u003c/b\\u003e","url":"https://b.example/?a=1\\u0026b=2"} --><p>a</p><!-- /wp:acme/card -->',
  '<!-- wp:group --><div class="wp-block-group" id="top" style="padding-top:var(--wp--preset--spacing--50);background-color:#8ed1fc"><!-- wp:archives /--></div><!-- /wp:group -->',
  '<!-- wp:file --><a href="https://b.example/a.pdf" class="wp-block-file__button" download>a</a><!-- /wp:file -->',
])('keeps %s', (html) => expect(htmlOf(html)).toBe(html));

it.each<[string, string, string]>([
  [
    'a delimiter in an attribute',
    `<img src="https://b.example/a.jpg" alt='${LATEST}'>`,
    '<img src="https://b.example/a.jpg" alt="&lt;wp-block n=&quot;0&quot;&gt;&lt;/wp-block&gt;" />',
  ],
  ['a delimiter in a comment', `<!-- x ${LATEST} --> y -->`, 'y --&gt;'],
  ['a delimiter in a script', `<script>${LATEST}</script>`, ''],
  ['other comments', `<!-- a --><!--><script>alert(1)</script>${LATEST}`, LATEST],
  [
    'HTML inside a block',
    `<!-- wp:html --><img src="x" onerror="a()"><!-- /wp:html -->`,
    '<!-- wp:html --><img src="x" /><!-- /wp:html -->',
  ],
  [
    'a style that is not allowed',
    `${LATEST}<p style="position:fixed;background-image:url(x);color:red">a</p>`,
    `${LATEST}<p style="color:red">a</p>`,
  ],
  ['attributes that are no JSON', '<!-- wp:a {x} /-->', ''],
  [
    'a comment that ends in an attribute',
    '<!-- wp:a {"b":"--><script>alert(1)</script>"} /-->',
    '"} /--&gt;',
  ],
  [
    'a script in an attribute',
    '<!-- wp:a {"b":["\\u003cscript\\u003ealert(1)\\u003c/script\\u003e--\\u0026"],"c":1} /-->'.replace(
      '--\\u0026',
      '\\u002d\\u002d\\u0026',
    ),
    '<!-- wp:a {"b":["\\u002d\\u002d\\u0026amp;"],"c":1} /-->',
  ],
  [
    'a script in a URL of an attribute',
    '<!-- wp:a {"url":" java\\tscript:alert(1)"} /-->',
    '<!-- wp:a {"url":""} /-->',
  ],
  ['an end of an outer block', `<!-- /wp:group --><p>a</p>${LATEST}`, `<p>a</p>${LATEST}`],
  ['a start without an end', `<!-- wp:acme/hidden --><p>a</p>${LATEST}`, `<p>a</p>${LATEST}`],
  [
    'an end that is dropped with the script around it',
    `<!-- wp:a --><p>a</p><script><!-- /wp:a --></script>`,
    '<p>a</p>',
  ],
  [
    'a start whose attributes are dropped, with its end',
    '<!-- wp:group --><!-- wp:a {x} --><p>a</p><!-- /wp:a --><!-- /wp:group --><p>b</p>',
    '<!-- wp:group --><p>a</p><!-- /wp:group --><p>b</p>',
  ],
  [
    'a script in a key of an attribute',
    '<!-- wp:a {"\\u003cscript\\u003e1\\u003c/script\\u003e":{"<img src=x onerror=a()>":1}} /-->',
    '<!-- wp:a {"":{"\\u003cimg src=\\"x\\" /\\u003e":1}} /-->',
  ],
  ...[
    '&#106;avascript:a()',
    '&#x6A;avascript&colon;a()',
    'java&Tab;script:a()',
    '&#0000106avascript:a()',
  ].map((url): [string, string, string] => [
    `the URL ${url} in an attribute`,
    `<!-- wp:a {"url":"${url}"} /-->`,
    '<!-- wp:a {"url":""} /-->',
  ]),
  [
    'its own placeholders',
    `${LATEST}<wp-block n="0" title="a"></wp-block><wp-block n="7"></wp-block><wp-block>b`,
    `${LATEST}b`,
  ],
])('sanitizes %s', (_, html, expected) => {
  const result = htmlOf(html);
  expect(result).toBe(expected);
  expect(result.replace(/<!-- \/?wp:[^]*?-->/g, '')).not.toMatch(/script>|onerror|<!--/);
});

it('does not keep delimiters in texts of other blocks', () => {
  expect(blogHtml([{ type: 'paragraph', data: { text: `a ${LATEST}` } }])).toBe('<p>a </p>');
});

it('keeps what one content block contains apart from the others', () => {
  const blocks = blogHtml([
    { type: 'html', data: { html: '<!-- wp:acme/members-only -->' } },
    { type: 'paragraph', data: { text: 'a' } },
    { type: 'html', data: { html: `<!-- /wp:acme/members-only -->${LATEST}` } },
  ]);
  expect(blocks).toBe(`<p>a</p>\n${LATEST}`);
});
