/** A text, or an element with its position in the source. */
export type HtmlNode = string | HtmlElement;
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  readonly start: number;
  /** Index after the last character. */
  end: number;
}

export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';
