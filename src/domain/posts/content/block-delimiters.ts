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
