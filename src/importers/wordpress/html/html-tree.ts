/** A text, or an element with its position in the source. */
export type HtmlNode = string | HtmlElement;
/** An element with its children. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  /** Index of the first character in the source. */
  readonly start: number;
  /** Index after the last character in the source. */
  end: number;
}

/** Whether a node is an element, not a text. */
export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';
