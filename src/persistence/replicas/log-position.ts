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

/** SQL for a position in the write-ahead log, as a number of bytes: exact up to 8 PiB. */
export const inBytes = (position: string): string => `(${position} - '0/0'::pg_lsn)::float8`;

/** SQL for a value that is the same for a primary and its replicas, and for no other cluster. */
export const CLUSTER = '(SELECT system_identifier::text FROM pg_control_system())';

/** What replicas can have received: the log up to here is on disk. Fails on a standby. */
export const WRITTEN = 'pg_current_wal_flush_lsn()';

/** SQL for the timeline of a primary. Fails on a standby. */
export const TIMELINE = `left(pg_walfile_name(${WRITTEN}), 8)`;
