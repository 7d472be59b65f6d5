import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import {
  BLOCK_ELEMENTS,
  CONTAINERS,
  INLINE_ATTRIBUTES,
  INLINE_MARKUP,
} from './html-element-names.js';

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
export function inlineText(html: string): string {
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
