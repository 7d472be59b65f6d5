/** SQL for a position in the write-ahead log, as a number of bytes: exact up to 8 PiB. */
export const inBytes = (position: string): string => `(${position} - '0/0'::pg_lsn)::float8`;

/** SQL for a value that is the same for a primary and its replicas, and for no other cluster. */
export const CLUSTER = '(SELECT system_identifier::text FROM pg_control_system())';

/** What replicas can have received: the log up to here is on disk. Fails on a standby. */
export const WRITTEN = 'pg_current_wal_flush_lsn()';

/** SQL for the timeline of a primary. Fails on a standby. */
export const TIMELINE = `left(pg_walfile_name(${WRITTEN}), 8)`;
