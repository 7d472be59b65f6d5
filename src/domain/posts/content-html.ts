import type { ContentBlock, ContentBlockType } from './post-content.js';

/**
 * Deeper nested lists are omitted: no real text is that deep, and the recursion would exhaust the
 * stack.
 */
const MAX_LIST_DEPTH = 50;

/**
 * Content blocks as HTML (D25), one element per line. Rich text fields (`text`, `caption`, items,
 * table cells) are inserted as markup, plain ones (URLs, `alt`, `code`) are escaped. Keys have the
 * names of content-data.ts. The data is not validated here: a missing field or one of another type counts as empty. The result is
 * not sanitized.
 */
export const contentHtml = (blocks: readonly ContentBlock[]): string =>
  blocks
    .map(({ type, data }) => WRITERS[type](fieldsOf(data)))
    .filter((html) => html !== '')
    .join('\n');

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (data: unknown): Fields =>
  typeof data === 'object' && data !== null ? (data as Fields) : {};
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
const attribute = (name: string, value: string): string => ` ${name}="${escapeHtml(value)}"`;
const elementUnlessEmpty = (tag: string, content: string): string =>
  content === '' ? '' : `<${tag}>${content}</${tag}>`;

const WRITERS: { readonly [T in ContentBlockType]: (data: Fields) => string } = {
  paragraph: ({ text }) => elementUnlessEmpty('p', textOf(text)),
  header: ({ text, level }) => elementUnlessEmpty(`h${headerLevel(level)}`, textOf(text)),
  list: (data) => listHtml(data, 0),
  media: mediaHtml,
  table: tableHtml,
  delimiter: ({ mark }) => DELIMITERS[textOf(mark)] ?? '<hr>',
  code: ({ code }) => `<pre><code>${escapeHtml(textOf(code))}</code></pre>`,
  html: ({ html }) => textOf(html),
  quote: ({ text, caption }) =>
    elementUnlessEmpty(
      'blockquote',
      `${elementUnlessEmpty('p', textOf(text))}${elementUnlessEmpty('cite', textOf(caption))}`,
    ),
};

/** WordPress's markers for the end of the teaser and of a page. */
const DELIMITERS: Readonly<Record<string, string>> = {
  more: '<!--more-->',
  page: '<!--nextpage-->',
};

const headerLevel = (level: unknown): number =>
  typeof level === 'number' && level >= 1 && level <= 6 ? Math.trunc(level) : 2;

function listHtml({ style, items }: Fields, depth: number): string {
  const entries = depth < MAX_LIST_DEPTH ? arrayOf(items) : [];
  const lines = entries.map(
    (entry) => `<li>${typeof entry === 'string' ? entry : itemHtml(fieldsOf(entry), depth)}</li>`,
  );
  return elementUnlessEmpty(style === 'ordered' ? 'ol' : 'ul', lines.join(''));
}

const itemHtml = (item: Fields, depth: number): string =>
  textOf(item['text'] ?? item['content']) + listHtml(item, depth + 1);

function mediaHtml({ url, file, type, alt, caption, link }: Fields): string {
  const source = textOf(url) || textOf(fieldsOf(file)['url']);
  if (source === '') return elementUnlessEmpty('p', textOf(caption));
  const element = (MEDIA_WRITERS[textOf(type)] ?? imageHtml)(source, textOf(alt));
  const target = textOf(link);
  const linked = target === '' ? element : `<a${attribute('href', target)}>${element}</a>`;
  return `<figure>${linked}${elementUnlessEmpty('figcaption', textOf(caption))}</figure>`;
}

type MediaWriter = (url: string, alt: string) => string;
const imageHtml: MediaWriter = (url, alt) =>
  `<img${attribute('src', url)}${attribute('alt', alt)}>`;
/** By media type; photos and gifs are images. */
const MEDIA_WRITERS: Readonly<Record<string, MediaWriter>> = {
  video: (url) => `<video${attribute('src', url)} controls></video>`,
  document: (url, alt) => `<a${attribute('href', url)}>${escapeHtml(alt === '' ? url : alt)}</a>`,
};

function tableHtml({ rows, content, header, withHeadings, footer, caption }: Fields): string {
  const hasHeader = header === true || withHeadings === true;
  const lines = arrayOf(rows ?? content).map((row, index) => {
    const cell = hasHeader && index === 0 ? 'th' : 'td';
    return `<tr>${arrayOf(row)
      .map((text) => `<${cell}>${textOf(text)}</${cell}>`)
      .join('')}</tr>`;
  });
  const footerLine = footer === true && lines.length > 1 ? lines.pop() : undefined;
  return elementUnlessEmpty(
    'table',
    elementUnlessEmpty('caption', textOf(caption)) +
      elementUnlessEmpty('tbody', lines.join('')) +
      elementUnlessEmpty('tfoot', footerLine ?? ''),
  );
}

/**
 * A comment that starts or ends a block of WordPress's editor, such as
 * `<!-- wp:heading {"level":3} -->`. A block of kind `whole` has no content in the post: the blog
 * creates its HTML for each reader.
 */
export interface BlockDelimiter {
  readonly kind: 'start' | 'end' | 'whole';
  /** Without the namespace `core/`; names of plugins' blocks contain a slash. */
  readonly name: string;
  /** A JSON object as a text, not validated; '' if there is none. */
  readonly attributes: string;
  /** Index of its first character. */
  readonly start: number;
  /** Index after its last character. */
  readonly end: number;
}

const COMMENT_START = '<!--';
const COMMENT_END = '-->';
const HEAD = /^\s+(\/?)wp:(?:core\/)?((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)(?=\s)/;
const END = '/';

/** Finds the block delimiters of an HTML text, in their order. */
export function* readBlockDelimiters(html: string): Generator<BlockDelimiter> {
  let from = 0;
  for (;;) {
    const start = html.indexOf(COMMENT_START, from);
    const close = start < 0 ? -1 : html.indexOf(COMMENT_END, start + COMMENT_START.length);
    if (close < 0) return;
    const end = close + COMMENT_END.length;
    const content = readComment(html.slice(start + COMMENT_START.length, close));
    if (content !== null) yield { ...content, start, end };
    from = content === null ? start + COMMENT_START.length : end;
  }
}

function readComment(comment: string): Pick<BlockDelimiter, 'kind' | 'name' | 'attributes'> | null {
  const [head = '', slash, name = ''] = HEAD.exec(comment) ?? [];
  // WordPress escapes hyphens of attributes: with two, browsers may end the comment elsewhere.
  if (name === '' || comment.includes('--')) return null;
  const rest = comment.slice(head.length);
  const isWhole = rest.endsWith(END);
  const attributes = (isWhole ? rest.slice(0, -END.length) : rest).trim();
  if (attributes !== '' && !(attributes.startsWith('{') && attributes.endsWith('}'))) return null;
  return { kind: slash === END ? 'end' : isWhole ? 'whole' : 'start', name, attributes };
}

/** Writes a delimiter as WordPress does. `attributes` must not contain two hyphens. */
export const formatBlockDelimiter = ({
  kind,
  name,
  attributes,
}: Pick<BlockDelimiter, 'kind' | 'name' | 'attributes'>): string =>
  `<!-- ${kind === 'end' ? END : ''}wp:${name} ${attributes === '' ? '' : `${attributes} `}${kind === 'whole' ? END : ''}-->`;
