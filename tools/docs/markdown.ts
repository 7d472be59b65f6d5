/** A word as it is typed. */
export const code = (text: string | number): string => `\`${text}\``;

/** Several words as they are typed. */
export const codes = (words: readonly string[]): string => words.map(code).join(', ');

/** How a cell says that there is nothing. */
export const NOTHING = '–';

const cell = (text: string | number): string =>
  String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table of Markdown. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');

/** A page of the reference; each part is a paragraph, a heading or a table. */
export const page = (title: string, ...parts: readonly string[]): string =>
  [
    `# ${title}`,
    '<!-- Made by `npm run schema` from the tables of the code: change those, not this page. -->',
    ...parts,
  ].join('\n\n') + '\n';

/** A number with its thousands apart. */
export const number = (value: number): string => new Intl.NumberFormat('en').format(value);
