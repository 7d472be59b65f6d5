import sanitizeHtml from 'sanitize-html';
import { contentHtml } from '../../../domain/posts/content-html.js';
import type { ContentBlock } from '../../../domain/posts/post-content.js';
import { BLOG_HTML_POLICY } from './blog-html-policy.js';
import { sanitizeWordpressBlocks } from './wordpress-block-html.js';

/** One operation may select the same post's HTML under many aliases. */
const cache = new WeakMap<readonly ContentBlock[], string>();

/**
 * Content blocks as HTML for a blog (D25): contentHtml, sanitized with an allow-list. Each block is
 * sanitized separately, so that an unclosed tag ends with its block. WordPress's two markers and
 * the block delimiters in `html` blocks, which are comments, are kept.
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
