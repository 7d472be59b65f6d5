/**
 * A position in the write-ahead log of the database, in bytes. A server that has replayed the log
 * up to the position after a commit has this commit.
 */
export type LogPosition = number;

/** As PostgreSQL writes it: the upper and the lower 32 bits, hexadecimal. */
const TEXT = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;
const LOWER = 2 ** 32;

/** The position of a text such as `16/B374D848`; undefined if the text is none. */
export function readLogPosition(text: string): LogPosition | undefined {
  const [, upper, lower] = TEXT.exec(text) ?? [];
  if (upper === undefined || lower === undefined) return undefined;
  return parseInt(upper, 16) * LOWER + parseInt(lower, 16);
}

/** A position as `readLogPosition` reads it. */
export const presentLogPosition = (position: LogPosition): string =>
  [Math.floor(position / LOWER), position % LOWER]
    .map((part) => part.toString(16).toUpperCase())
    .join('/');
