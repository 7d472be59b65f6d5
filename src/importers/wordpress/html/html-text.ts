import { isText, isTag, type Element, type ChildNode } from 'domhandler';
import { Parser } from 'htmlparser2';
import type { MediaType, ContentBlock } from '../../../domain/posts/post-content.js';

/**
 * The `data` of each block type that the importer creates. `text`, `caption` and cells contain
 * inline markup; other texts are plain.
 */
export interface BlockData {
  paragraph: { text: string };
  header: { text: string; /** 1 to 6. */ level: number };
  list: ListData;
  media: {
    url: string;
    type: MediaType;
    alt: string;
    caption: string;
    /** URL that the picture links to, or ''. */ link: string;
  };
  table: {
    caption: string;
    /** Whether the first row contains column headers. */ header: boolean;
    rows: string[][];
  };
  /** `mark`: end of the teaser (`more`) or of a page in WordPress; null for a horizontal line. */
  delimiter: { mark: 'more' | 'page' | null };
  code: { code: string };
  html: { html: string };
  quote: { text: string; caption: string };
}
/** A list. */
export interface ListData {
  style: 'ordered' | 'unordered';
  items: ListItem[];
}
/** A list item; `items` and `style` are those of its nested list. */
export interface ListItem {
  text: string;
  style: ListData['style'];
  items: ListItem[];
}

/** A picture or video in a body. Texts are plain, '' if missing. */
export interface BodyMedia {
  readonly url: string;
  readonly type: MediaType;
  readonly alt: string;
  readonly title: string;
  readonly caption: string;
  /** ID of the file in the blog's media library; null if the body does not contain it. */
  readonly libraryId: string | null;
}

// Unknown elements are treated as inline: their text stays in its line.

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Inline elements kept in the text of a block; of other inline elements only the text is kept. */
const INLINE_MARKUP = toSet(
  'a abbr acronym b bdi bdo big br cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
);

/** Attributes kept on inline elements; styling (class, style) and event handlers are dropped. */
const INLINE_ATTRIBUTES = toSet('href title target rel lang dir datetime cite');

/**
 * Elements that only group others: their content is read as if they were absent, but their start
 * and end separate paragraphs.
 */
export const CONTAINERS = toSet(
  'p div section article main header footer aside center nav body html hgroup address li dd dt td th tr tbody thead tfoot caption figcaption',
);

/** Elements that become a separate block, or that can only be kept as HTML. */
export const BLOCK_ELEMENTS = toSet(
  'h1 h2 h3 h4 h5 h6 ul ol dir menu dl blockquote pre listing table hr figure iframe object embed video audio canvas svg math form fieldset ' +
    'button input select textarea details dialog script style noscript noembed noframes xmp plaintext template map picture title head frameset marquee applet',
);

/** Elements whose content is not visible. */
const HIDDEN_ELEMENTS = toSet('script style template head');

/** Elements that start and end a line of plain text. */
const LINE_BREAKING_ELEMENTS = new Set([
  ...CONTAINERS,
  ...BLOCK_ELEMENTS,
  'br',
  'option',
  'optgroup',
  'legend',
  'summary',
]);
for (const name of [
  'script',
  'style',
  'template',
  'button',
  'input',
  'select',
  'svg',
  'math',
  'map',
  'picture',
  'canvas',
])
  LINE_BREAKING_ELEMENTS.delete(name);

/** A picture in a text, and the link around it. */
export interface InlinePicture {
  readonly image: Element;
  readonly link: string;
}

/** Inline nodes as the text of a block. */
interface InlineText {
  /** Text with inline markup. */
  readonly text: string;
  readonly pictures: readonly InlinePicture[];
  /** False if it contains a block: the caller must then keep the HTML. */
  readonly isInline: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Escapes a text for HTML content. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

/**
 * Converts inline nodes to the text of a block.
 * @param keepsLineBreaks whether a line break in the source is visible, as in bodies of the classic
 * editor
 */
export function toInline(nodes: readonly ChildNode[], keepsLineBreaks: boolean): InlineText {
  const writer = new InlineWriter(keepsLineBreaks);
  writer.write(nodes, '');
  return { text: trimBreaks(writer.text), pictures: writer.pictures, isInline: writer.isInline };
}

/**
 * White space other than a single space, because replacing single spaces by themselves would take
 * most of the time.
 */
const LINE_SPACE = /[ \t\r\f\v]{2,}|[\t\r\f\v]/g;
const SPACE = /[ \t\r\n\f\v]{2,}|[\t\r\n\f\v]/g;

class InlineWriter {
  text = '';
  isInline = true;
  readonly pictures: InlinePicture[] = [];
  private endsWithBreak = false;

  constructor(private readonly keepsLineBreaks: boolean) {}

  write(nodes: readonly ChildNode[], link: string): void {
    for (const node of nodes) {
      if (isText(node)) this.writeText(node.data);
      else if (isTag(node)) this.writeElement(node, link);
    }
  }

  private writeText(source: string): void {
    let text = source.replace(this.keepsLineBreaks ? LINE_SPACE : SPACE, ' ');
    if (this.keepsLineBreaks) text = text.replace(/ ?\n ?/g, '\n');
    if (this.endsWithBreak && text.startsWith('\n')) text = text.slice(1);
    if (text === '') return;
    this.text += escapeText(text).replaceAll('\n', '<br>');
    this.endsWithBreak = text.endsWith('\n');
  }

  private writeElement(element: Element, link: string): void {
    const { name, attribs, children } = element;
    if (name === 'img') this.writePicture(element, link);
    else if (BLOCK_ELEMENTS.has(name) || CONTAINERS.has(name)) this.isInline = false;
    else if (name === 'br') {
      this.text += '<br>';
      this.endsWithBreak = true;
    } else {
      const markup = INLINE_MARKUP.has(name) ? formatAttributes(attribs) : null;
      const tag = markup === null || (name === 'span' && markup === '') ? null : name;
      if (tag !== null) this.text += `<${tag}${markup}>`;
      this.write(children, name === 'a' ? (attribs['href'] ?? '') : link);
      if (tag !== null && tag !== 'wbr') this.text += `</${tag}>`;
    }
  }

  /** WordPress writes emoji and smileys as pictures whose `alt` is the character. */
  private writePicture(image: Element, link: string): void {
    if (/\b(emoji|wp-smiley)\b/.test(image.attribs['class'] ?? ''))
      this.writeText(image.attribs['alt'] ?? '');
    else this.pictures.push({ image, link });
  }
}

function formatAttributes(attributes: Readonly<Record<string, string>>): string {
  const allowedAttributes = Object.entries(attributes).filter(([name]) =>
    INLINE_ATTRIBUTES.has(name),
  );
  return allowedAttributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

/** Removes white space and line breaks at both ends. */
export function trimBreaks(html: string): string {
  let from = 0;
  let to = html.length;
  for (;;) {
    if (html.startsWith('<br>', from)) from += 4;
    else if (html[from] === ' ') from += 1;
    else break;
  }
  for (;;) {
    if (to - 4 >= from && html.startsWith('<br>', to - 4)) to -= 4;
    else if (to > from && html[to - 1] === ' ') to -= 1;
    else break;
  }
  return html.slice(from, to);
}

/** Whether a text contains nothing but markup, such as an empty <a name> or <b></b>. */
export const isBlankInline = (html: string): boolean =>
  !/^[^\s<]/.test(html) && html.replace(/<[^>]*>/g, '').trim() === '';

/** The visible text of the inline markup that `toInline` returns, with its line breaks. */
function inlineText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim();
  const text = html
    .replaceAll('<br>', '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return text.replace(/ ?\n[ \n]*/g, '\n').trim();
}

/** The text of nodes, without elements; `br` is a line break. */
export const nodeText = (nodes: readonly ChildNode[]): string =>
  nodes
    .map((node) => {
      if (isText(node)) return node.data;
      if (!isTag(node)) return '';
      return node.name === 'br' ? '\n' : nodeText(node.children);
    })
    .join('');

/** Whether a node is a text of white space only. */
export const isBlankText = (node: ChildNode): boolean => isText(node) && node.data.trim() === '';

/**
 * The visible text of HTML: entities decoded, white space collapsed as in a browser, one line per
 * paragraph, item or row.
 */
export function toPlainText(html: string): string {
  if (!/[<&\n]/.test(html)) return collapseWhitespace(html);
  const lines: string[] = [];
  let line = '';
  let hiddenDepth = 0;
  const endLine = (): void => {
    const text = collapseWhitespace(line);
    if (text !== '') lines.push(text);
    line = '';
  };
  const parser = new Parser({
    onopentag: (name) => {
      if (LINE_BREAKING_ELEMENTS.has(name)) endLine();
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth += 1;
    },
    ontext: (text) => {
      if (hiddenDepth === 0) line += text;
    },
    onclosetag: (name) => {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth -= 1;
      if (LINE_BREAKING_ELEMENTS.has(name)) endLine();
    },
  });
  parser.end(html);
  endLine();
  return lines.join('\n');
}

/** Like toPlainText, in one line, for titles and names. */
export const toPlainLine = (html: string): string => toPlainText(html).replaceAll('\n', ' ');

/** Collapses white space like a browser; U+00A0 is kept. */
const collapseWhitespace = (text: string): string =>
  text.replace(/[ \t\r\n\f\v]{2,}|[\t\r\n\f\v]/g, ' ').replace(/^ | $/g, '');

/** Content blocks as plain text, separated by an empty line. */
export const blocksToText = (blocks: readonly ContentBlock[]): string =>
  blocks
    .map(blockToText)
    .filter((text) => text !== '')
    .join('\n\n');

const BLOCK_TEXTS: { readonly [T in keyof BlockData]: (data: BlockData[T]) => string } = {
  paragraph: ({ text }) => inlineText(text),
  header: ({ text }) => inlineText(text),
  list: ({ items }) => items.map(itemText).join('\n'),
  media: ({ caption }) => inlineText(caption),
  table: ({ caption, rows }) =>
    [
      inlineText(caption),
      ...rows.map((row) => row.map((cell) => inlineText(cell).replaceAll('\n', ' ')).join('\t')),
    ]
      .join('\n')
      .trim(),
  delimiter: () => '',
  code: ({ code }) => code,
  html: ({ html }) => toPlainText(html),
  quote: ({ text, caption }) => [inlineText(text), inlineText(caption)].join('\n').trim(),
};

/**
 * Accepts only blocks created by this importer: the data of blocks from clients is not validated.
 */
function blockToText({ type, data }: ContentBlock): string {
  return (BLOCK_TEXTS[type] as (data: unknown) => string)(data);
}

const itemText = ({ text, items }: ListItem): string =>
  [inlineText(text), ...items.map(itemText)].filter((line) => line !== '').join('\n');
