/** SQL for a position in the write-ahead log, as a number of bytes: exact up to 8 PiB. */
export const inBytes = (position: string): string => `(${position} - '0/0'::pg_lsn)::float8`;

/** SQL for a value that is the same for a primary and its replicas, and for no other cluster. */
export const CLUSTER = '(SELECT system_identifier::text FROM pg_control_system())';
