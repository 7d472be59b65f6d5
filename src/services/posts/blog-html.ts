import sanitizeHtml from 'sanitize-html';
import { contentHtml } from '../../domain/posts/content-html.js';
import type { ContentBlock } from '../../domain/posts/post-content.js';

/**
 * HTML allowed on a blog page: text, images, audio and video. No scripts, event handlers, styles,
 * frames or forms.
 */
const POLICY: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'div',
    'section',
    'article',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'blockquote',
    'pre',
    'hr',
    'figure',
    'figcaption',
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'colgroup',
    'col',
    'details',
    'summary',
    'address',
    'img',
    'video',
    'audio',
    'source',
    'a',
    'abbr',
    'acronym',
    'b',
    'bdi',
    'bdo',
    'big',
    'br',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'i',
    'ins',
    'kbd',
    'mark',
    'q',
    'rp',
    'rt',
    'ruby',
    's',
    'samp',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
    'time',
    'tt',
    'u',
    'var',
    'wbr',
  ],
  allowedAttributes: {
    '*': ['lang', 'dir', 'title'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    video: ['src', 'controls', 'width', 'height'],
    audio: ['src', 'controls'],
    source: ['src', 'type'],
    ol: ['start', 'reversed', 'type'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    blockquote: ['cite'],
    q: ['cite'],
    del: ['cite', 'datetime'],
    ins: ['cite', 'datetime'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
    source: ['http', 'https'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'template',
    'iframe',
    'noembed',
    'noframes',
    'xmp',
    'plaintext',
    'svg',
    'math',
  ],
  // Linked pages must not get access to the blog's window.
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: 'target' in attribs ? { ...attribs, rel: 'noopener noreferrer' } : attribs,
    }),
  },
  nestingLimit: 100,
};

/** One operation may select the same post's HTML under many aliases. */
const cache = new WeakMap<readonly ContentBlock[], string>();

/**
 * Content blocks as HTML for a blog (D25): contentHtml, sanitized with an allow-list. Each block is
 * sanitized separately, so that an unclosed tag ends with its block. WordPress's two markers, which
 * are comments, are kept.
 */
export function blogHtml(blocks: readonly ContentBlock[]): string {
  const html =
    cache.get(blocks) ??
    blocks
      .map(safeHtml)
      .filter((blockHtml) => blockHtml !== '')
      .join('\n');
  cache.set(blocks, html);
  return html;
}

function safeHtml(block: ContentBlock): string {
  const html = contentHtml([block]);
  return block.type === 'delimiter'
    ? html
    : sanitizeHtml(truncateTags(html, MAX_TAGS), POLICY).trim();
}

/**
 * Maximum tags of one block, more than any real table has; the rest is omitted. The parser takes
 * quadratic time for unclosed tags, 10 s for a megabyte of them.
 */
const MAX_TAGS = 20_000;
const TAG = /<[a-z/!?]/gi;

function truncateTags(html: string, max: number): string {
  let count = 0;
  for (const { index } of html.matchAll(TAG)) {
    count += 1;
    if (count > max) return html.slice(0, index);
  }
  return html;
}
