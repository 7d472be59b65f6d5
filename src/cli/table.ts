/** Takes two columns on a terminal. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
/** Takes none. */
const ZERO = /[\p{Mn}\p{Me}\u200d\ufe0f]/u;

const widthOf = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (ZERO.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1), 0);

/** A text on one line of a terminal, whatever it holds. */
export const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

type Cell = string | number | null;

/** Rows under their heads, each column as wide as it has to be; numbers stand to the right, what is not there is a dash. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [
    heads,
    ...rows.map((row) =>
      row.map((cell) => (cell === null || cell === '' ? '–' : onOneLine(String(cell)))),
    ),
  ];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column]!))));
  const isNumeric = heads.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  const padded = (text: string, column: number): string => {
    const space = ' '.repeat(widths[column]! - widthOf(text));
    return isNumeric[column] ? space + text : text + space;
  };
  return cells.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** A time for people: UTC, to the minute. */
export const minuteOf = (time: Date | null): string | null =>
  time && `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;
