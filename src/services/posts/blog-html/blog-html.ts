import sanitizeHtml from 'sanitize-html';
import {
  formatBlockDelimiter,
  readBlockDelimiters,
  type BlockDelimiter,
  contentHtml,
} from '../../../domain/posts/content-html.js';
import { inSlices } from '../../long-work.js';
import { BLOG_HTML_POLICY, WORDPRESS_BLOCK_POLICY } from './blog-html-policy.js';
import type { ContentBlock } from '../../../domain/posts/post-content.js';

/**
 * Content blocks as HTML for a blog (D25): contentHtml, sanitized with an allow-list. Each block is
 * sanitized separately, so that an unclosed tag ends with its block. WordPress's two markers and
 * the block delimiters in `html` blocks, which are comments, are kept.
 */
export function blogHtml(blocks: readonly ContentBlock[]): string {
  const steps = sanitized(blocks);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** One operation may select the same post's HTML under many aliases. */
const cache = new WeakMap<readonly ContentBlock[], string | Promise<string>>();

/** The same for a response: a promise for long content, which does not stop other requests. */
export function blogHtmlInSlices(blocks: readonly ContentBlock[]): string | Promise<string> {
  const html = cache.get(blocks) ?? inSlices(sanitized(blocks));
  cache.set(blocks, html);
  return html;
}

function* sanitized(blocks: readonly ContentBlock[]): Generator<void, string, void> {
  const texts: string[] = [];
  for (const block of blocks) {
    texts.push(safeHtml(block));
    yield;
  }
  return texts.filter((html) => html !== '').join('\n');
}

function safeHtml(block: ContentBlock): string {
  const html = contentHtml([block]);
  if (block.type === 'delimiter') return html;
  const limited = truncateTags(html, MAX_TAGS);
  const blocks = block.type === 'html' ? sanitizeWordpressBlocks(limited) : null;
  return (blocks ?? sanitizeHtml(limited, BLOG_HTML_POLICY)).trim();
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

/** Stands for a delimiter while the HTML is sanitized, because the sanitizer drops comments. */
const PLACEHOLDER = 'wp-block';
const PLACEHOLDER_ELEMENT = new RegExp(`<${PLACEHOLDER} n="(\\d+)"></${PLACEHOLDER}>`, 'g');
/** Placeholders that the HTML itself contained. */
const PLACEHOLDER_TAG = new RegExp(`</?${PLACEHOLDER}[^>]*>`, 'g');
const POLICY: sanitizeHtml.IOptions = {
  ...WORDPRESS_BLOCK_POLICY,
  allowedTags: [...WORDPRESS_BLOCK_POLICY.allowedTags, PLACEHOLDER],
  allowedAttributes: { ...WORDPRESS_BLOCK_POLICY.allowedAttributes, [PLACEHOLDER]: ['n'] },
};

/**
 * Sanitizes HTML that contains blocks of WordPress's editor and keeps their delimiters, so that
 * blocks of a blog's post return to the blog. Null if the HTML contains no delimiter.
 */
function sanitizeWordpressBlocks(html: string): string | null {
  const delimiters: SafeDelimiter[] = [];
  let [marked, from] = ['', 0];
  for (const delimiter of readBlockDelimiters(html)) {
    marked += `${html.slice(from, delimiter.start)}<${PLACEHOLDER} n="${delimiters.length}"></${PLACEHOLDER}>`;
    delimiters.push({ kind: delimiter.kind, text: toSafeDelimiter(delimiter) });
    from = delimiter.end;
  }
  if (from === 0) return null;
  // Only elements match: the sanitizer escapes `<` in texts and attributes.
  const safe = sanitizeHtml(marked + html.slice(from), POLICY);
  const kept = [...safe.matchAll(PLACEHOLDER_ELEMENT)].map(
    ([, number]) => delimiters[Number(number)],
  );
  const balanced = withoutUnpaired(kept);
  let index = 0;
  return safe
    .replace(PLACEHOLDER_ELEMENT, () => balanced[index++] ?? '')
    .replace(PLACEHOLDER_TAG, '');
}

interface SafeDelimiter {
  readonly kind: BlockDelimiter['kind'];
  /** Null if its attributes are not safe. */
  readonly text: string | null;
}

/**
 * The texts of delimiters; null for a start without an end and an end without a start, which would
 * make the content blocks before or after this one part of another block.
 */
function withoutUnpaired(delimiters: readonly (SafeDelimiter | undefined)[]): (string | null)[] {
  const texts = delimiters.map((delimiter) => delimiter?.text ?? null);
  const open: number[] = [];
  delimiters.forEach((delimiter, index) => {
    if (delimiter?.kind === 'start') open.push(index);
    if (delimiter?.kind !== 'end') return;
    // Like WordPress, an end delimiter ends the innermost block, regardless of its name.
    const start = open.pop();
    if (start !== undefined && texts[start] !== null && delimiter.text !== null) return;
    texts[index] = null;
    if (start !== undefined) texts[start] = null;
  });
  for (const index of open) texts[index] = null;
  return texts;
}

/** The delimiter with safe attributes; null if they are not a JSON object. */
function toSafeDelimiter(delimiter: BlockDelimiter): string | null {
  const attributes = toSafeAttributes(delimiter.attributes);
  return attributes === null ? null : formatBlockDelimiter({ ...delimiter, attributes });
}

function toSafeAttributes(json: string): string | null {
  if (json === '') return '';
  try {
    let isChanged = false;
    const attributes: unknown = JSON.parse(json, (_, value: unknown) => {
      const safe = typeof value === 'string' ? toSafeText(value) : withSafeKeys(value);
      isChanged ||= safe !== value;
      return safe;
    });
    return isChanged ? formatAttributes(attributes) : json;
  } catch {
    return null;
  }
}

/** WordPress sanitizes the keys of attributes, too: a plugin may insert them as HTML. */
function withSafeKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isSafe = Object.keys(value).every((key) => toSafeText(key) === key);
  return isSafe
    ? value
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSafeText(key), inner]));
}

const UNSAFE_SCHEME = /^(?:javascript|vbscript|data):/i;
/** Browsers ignore these characters at the start and in the scheme of a URL. */
const IGNORED_IN_SCHEME = /[\u0000-\u0020]/g;
/** Character references that a URL in an attribute of an element may contain. */
const REFERENCE = /&(?:#x([\da-f]+)|#(\d+)|(tab|newline|colon));?/gi;
const NAMED: Readonly<Record<string, string>> = { tab: '', newline: '', colon: ':' };

const decodeReferences = (text: string): string =>
  text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!;
    const code = hex === undefined ? parseInt(decimal!, 10) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

/** WordPress inserts some attributes as HTML, others as URLs. */
function toSafeText(text: string): string {
  if (UNSAFE_SCHEME.test(decodeReferences(text).replace(IGNORED_IN_SCHEME, ''))) return '';
  return text.includes('<') ? sanitizeHtml(text, WORDPRESS_BLOCK_POLICY) : text;
}

/** WordPress writes these characters as escapes, so that they cannot end the comment. */
const ESCAPED = /--|[<>&]/g;
const formatAttributes = (attributes: unknown): string =>
  JSON.stringify(attributes).replace(ESCAPED, (characters) =>
    [...characters]
      .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
