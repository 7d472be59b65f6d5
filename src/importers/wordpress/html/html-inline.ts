import type { HtmlElement, HtmlNode } from './html-tree.js';
import { BLOCKS, BOXES, KEPT_ATTRIBUTES, KEPT_INLINE } from './html-words.js';

/** A picture in a text, and the link around it. */
export interface InlinePicture {
  readonly image: HtmlElement;
  readonly link: string;
}

/** Inline nodes as the text of a block. */
interface InlineText {
  /** Text with inline markup. */
  readonly text: string;
  readonly pictures: readonly InlinePicture[];
  /** False when something in it is no inline text: the whole then has to stay the HTML it is. */
  readonly fits: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

/** @param breaks whether a line's end in the source is one for the reader, as in bodies of the classic editor */
export function toInline(nodes: readonly HtmlNode[], breaks: boolean): InlineText {
  const writer = new InlineWriter(breaks);
  writer.write(nodes, '');
  return { text: trimBreaks(writer.text), pictures: writer.pictures, fits: writer.fits };
}

/** White space that is not one single blank: replacing each blank by itself is most of the work. */
const LINE_SPACE = /[ \t\r\f\v]{2,}|[\t\r\f\v]/g;
const SPACE = /[ \t\r\n\f\v]{2,}|[\t\r\n\f\v]/g;

class InlineWriter {
  text = '';
  fits = true;
  readonly pictures: InlinePicture[] = [];
  private endsWithBreak = false;

  constructor(private readonly breaks: boolean) {}

  write(nodes: readonly HtmlNode[], link: string): void {
    for (const node of nodes) {
      if (typeof node === 'string') this.writeText(node);
      else this.writeElement(node, link);
    }
  }

  private writeText(source: string): void {
    let text = source.replace(this.breaks ? LINE_SPACE : SPACE, ' ');
    if (this.breaks) text = text.replace(/ ?\n ?/g, '\n');
    if (this.endsWithBreak && text.startsWith('\n')) text = text.slice(1);
    if (text === '') return;
    this.text += escapeText(text).replaceAll('\n', '<br>');
    this.endsWithBreak = text.endsWith('\n');
  }

  private writeElement(element: HtmlElement, link: string): void {
    const { name, attributes, children } = element;
    if (name === 'img') this.writePicture(element, link);
    else if (BLOCKS.has(name) || BOXES.has(name)) this.fits = false;
    else if (name === 'br') {
      this.text += '<br>';
      this.endsWithBreak = true;
    } else {
      const kept = KEPT_INLINE.has(name) ? keptAttributes(attributes) : null;
      const tag = kept === null || (name === 'span' && kept === '') ? null : name;
      if (tag !== null) this.text += `<${tag}${kept}>`;
      this.write(children, name === 'a' ? (attributes['href'] ?? '') : link);
      if (tag !== null && tag !== 'wbr') this.text += `</${tag}>`;
    }
  }

  /** WordPress shows an emoji or a smiley as a picture whose alternative is the character itself. */
  private writePicture(image: HtmlElement, link: string): void {
    if (/\b(emoji|wp-smiley)\b/.test(image.attributes['class'] ?? ''))
      this.writeText(image.attributes['alt'] ?? '');
    else this.pictures.push({ image, link });
  }
}

function keptAttributes(attributes: Readonly<Record<string, string>>): string {
  const kept = Object.entries(attributes).filter(([name]) => KEPT_ATTRIBUTES.has(name));
  return kept.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

/** Without white space and line breaks at either end. */
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

/** Whether nothing but markup is in it: an empty <a name> or <b></b> makes no paragraph. */
export const isBlankInline = (html: string): boolean =>
  !/^[^\s<]/.test(html) && html.replace(/<[^>]*>/g, '').trim() === '';

/** The text of toInline's markup as a reader sees it, a line for each line. */
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

/** The characters under a node, elements left out. */
export const nodeText = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) =>
      typeof node === 'string' ? node : node.name === 'br' ? '\n' : nodeText(node.children),
    )
    .join('');

export const isBlankText = (node: HtmlNode): boolean =>
  typeof node === 'string' && node.trim() === '';
