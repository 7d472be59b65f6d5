/** Characters that take two columns on a terminal. */
const DOUBLE_WIDTH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
/** Characters that take no column. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\u200d\ufe0f]/u;

const displayWidth = (text: string): number =>
  [...text].reduce(
    (sum, character) =>
      sum + (ZERO_WIDTH.test(character) ? 0 : DOUBLE_WIDTH.test(character) ? 2 : 1),
    0,
  );

/** Replaces whitespace and control characters, so that the text stays on one line of a terminal. */
export const toOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

type Cell = string | number | null;

/** Formats rows as aligned columns. Numbers are right-aligned; a missing value is a dash. */
export function formatTable(
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const cells = [
    headers,
    ...rows.map((row) =>
      row.map((cell) => (cell === null || cell === '' ? '–' : toOneLine(String(cell)))),
    ),
  ];
  const widths = headers.map((_, column) =>
    Math.max(...cells.map((row) => displayWidth(row[column]!))),
  );
  const isNumeric = headers.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  const pad = (text: string, column: number): string => {
    const space = ' '.repeat(widths[column]! - displayWidth(text));
    return isNumeric[column] ? space + text : text + space;
  };
  return cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** Formats a time in UTC, to the minute. */
export const formatMinute = (time: Date | null): string | null =>
  time && `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;
