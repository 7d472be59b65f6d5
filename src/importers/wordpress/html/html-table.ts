import type { BlockData } from './block-data.js';
import { isBlankText } from './html-inline.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';

/** Reads the content of a cell as one text; null if it contains more than text. */
type CellText = (nodes: readonly HtmlNode[]) => string | null;

const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);
const IGNORED_ELEMENTS = new Set(['colgroup', 'col']);

/**
 * A table of plain rows; null if cells span or contain more than text, or if there is text outside
 * of cells.
 */
export function readTable(table: HtmlElement, cellText: CellText): BlockData['table'] | null {
  const rows: HtmlElement[] = [];
  let caption: string | null = '';
  const collect = (nodes: readonly HtmlNode[]): boolean =>
    nodes.every((node) => {
      if (isBlankText(node)) return true;
      if (typeof node === 'string') return false;
      if (node.name === 'tr') rows.push(node);
      else if (node.name === 'caption' && caption === '') caption = cellText(node.children);
      else
        return SECTIONS.has(node.name) ? collect(node.children) : IGNORED_ELEMENTS.has(node.name);
      return true;
    });
  if (!collect(table.children) || caption === null || rows.length === 0) return null;
  const texts = rows.map((row) => rowTexts(row, cellText));
  if (texts.some((row) => row === null)) return null;
  const first = rows[0]?.children.filter((cell) => !isBlankText(cell)) ?? [];
  const header =
    first.length > 0 && first.every((cell) => typeof cell !== 'string' && cell.name === 'th');
  return { caption, header, rows: texts.flatMap((row) => (row === null ? [] : [row])) };
}

function rowTexts(row: HtmlElement, cellText: CellText): string[] | null {
  const texts: string[] = [];
  for (const cell of row.children) {
    if (isBlankText(cell)) continue;
    if (typeof cell === 'string' || (cell.name !== 'td' && cell.name !== 'th')) return null;
    const isSpanning =
      Number(cell.attributes['colspan'] ?? 1) > 1 || Number(cell.attributes['rowspan'] ?? 1) > 1;
    const text = isSpanning ? null : cellText(cell.children);
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}
