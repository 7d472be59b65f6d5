import sanitizeHtml from 'sanitize-html';
import { contentHtml } from '../../domain/posts/content-html.js';
import type { ContentBlock } from '../../domain/posts/post.js';

/** What may stand in a blog's page: text, pictures and films. No scripts, handlers, styles, frames or forms. */
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
  // A page opened from the blog must not reach back into it.
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: 'target' in attribs ? { ...attribs, rel: 'noopener noreferrer' } : attribs,
    }),
  },
  nestingLimit: 100,
};

/** An operation may ask for one post's under many aliases. */
const known = new WeakMap<readonly ContentBlock[], string>();

/**
 * Content blocks as the HTML that the CMS gets (D25): contentHtml under an allow-list. Each block is sanitised by itself,
 * so that a tag one of them leaves open ends with it; WordPress's own two marks, which are comments, pass.
 */
export function blogHtml(blocks: readonly ContentBlock[]): string {
  const html =
    known.get(blocks) ??
    blocks
      .map(safeHtml)
      .filter((one) => one !== '')
      .join('\n');
  known.set(blocks, html);
  return html;
}

function safeHtml(block: ContentBlock): string {
  const html = contentHtml([block]);
  return block.type === 'delimiter' ? html : sanitizeHtml(upToTags(html, MOST_TAGS), POLICY).trim();
}

/** Tags of one block: no table that people read has as many. What follows is left out: tags left open cost the parser their number squared, 10 s for a megabyte. */
const MOST_TAGS = 20_000;
const TAG = /<[a-z/!?]/gi;

function upToTags(html: string, most: number): string {
  let count = 0;
  for (const { index } of html.matchAll(TAG)) {
    count += 1;
    if (count > most) return html.slice(0, index);
  }
  return html;
}
