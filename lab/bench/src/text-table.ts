export type Row = readonly string[];

/** A plain-text table: first column left-aligned, the others right-aligned. */
export function textTable(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (row: Row): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  );
}

export const figure = (value: number, digits = 0): string =>
  Number.isFinite(value) ? value.toFixed(digits) : '–';
