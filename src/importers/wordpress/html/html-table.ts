import { isTag, type ChildNode, type Element } from 'domhandler';
import type { BlockData } from './block-data.js';
import { isBlankText } from './html-inline.js';

/** Reads the content of a cell as one text; null if it contains more than text. */
type CellText = (nodes: readonly ChildNode[]) => string | null;

const SECTIONS = new Set(['thead', 'tbody']);
const IGNORED_ELEMENTS = new Set(['colgroup', 'col']);

/**
 * A table of plain rows; null if cells span or contain more than text, if there is text outside of
 * cells, or if the footer has several rows.
 */
export function readTable(table: Element, cellText: CellText): BlockData['table'] | null {
  const rows: Element[] = [];
  const footerRows: Element[] = [];
  let caption: string | null = '';
  const collect = (nodes: readonly ChildNode[], target: Element[]): boolean =>
    nodes.every((node) => {
      if (isBlankText(node)) return true;
      if (!isTag(node)) return false;
      if (node.name === 'tr') target.push(node);
      else if (node.name === 'caption' && caption === '') caption = cellText(node.children);
      else if (node.name === 'tfoot') return collect(node.children, footerRows);
      else
        return SECTIONS.has(node.name)
          ? collect(node.children, target)
          : IGNORED_ELEMENTS.has(node.name);
      return true;
    });
  if (!collect(table.children, rows) || caption === null || footerRows.length > 1) return null;
  rows.push(...footerRows);
  if (rows.length === 0) return null;
  const texts = rows.map((row) => rowTexts(row, cellText));
  if (texts.some((row) => row === null)) return null;
  const first = rows[0]?.children.filter((cell) => !isBlankText(cell)) ?? [];
  const header = first.length > 0 && first.every((cell) => isTag(cell) && cell.name === 'th');
  return {
    caption,
    header,
    ...(footerRows.length > 0 && { footer: true }),
    rows: texts.flatMap((row) => (row === null ? [] : [row])),
  };
}

function rowTexts(row: Element, cellText: CellText): string[] | null {
  const texts: string[] = [];
  for (const cell of row.children) {
    if (isBlankText(cell)) continue;
    if (!isTag(cell) || (cell.name !== 'td' && cell.name !== 'th')) return null;
    const isSpanning =
      Number(cell.attribs['colspan'] ?? 1) > 1 || Number(cell.attribs['rowspan'] ?? 1) > 1;
    const text = isSpanning ? null : cellText(cell.children);
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}
