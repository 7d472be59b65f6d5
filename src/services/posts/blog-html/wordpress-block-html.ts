import sanitizeHtml from 'sanitize-html';
import {
  formatBlockDelimiter,
  readBlockDelimiters,
  type BlockDelimiter,
} from '../../../domain/posts/content/block-delimiters.js';
import { WORDPRESS_BLOCK_POLICY } from './blog-html-policy.js';

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
export function sanitizeWordpressBlocks(html: string): string | null {
  const delimiters: string[] = [];
  let [marked, from] = ['', 0];
  for (const delimiter of readBlockDelimiters(html)) {
    const safe = toSafeDelimiter(delimiter);
    marked += html.slice(from, delimiter.start);
    if (safe !== null) {
      marked += `<${PLACEHOLDER} n="${delimiters.length}"></${PLACEHOLDER}>`;
      delimiters.push(safe);
    }
    from = delimiter.end;
  }
  if (from === 0) return null;
  // Only elements match: the sanitizer escapes `<` in texts and attributes.
  return sanitizeHtml(marked + html.slice(from), POLICY)
    .replace(PLACEHOLDER_ELEMENT, (_, number: string) => delimiters[Number(number)] ?? '')
    .replace(PLACEHOLDER_TAG, '');
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
      const safe = typeof value === 'string' ? toSafeText(value) : value;
      isChanged ||= safe !== value;
      return safe;
    });
    return isChanged ? formatAttributes(attributes) : json;
  } catch {
    return null;
  }
}

const UNSAFE_SCHEME = /^(?:javascript|vbscript|data):/i;
/** Browsers ignore these characters at the start and in the scheme of a URL. */
const IGNORED_IN_SCHEME = /[\u0000-\u0020]/g;

/** WordPress inserts some attributes as HTML, others as URLs. */
function toSafeText(text: string): string {
  if (UNSAFE_SCHEME.test(text.replace(IGNORED_IN_SCHEME, ''))) return '';
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
