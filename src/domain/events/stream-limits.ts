/** Limits and intervals of event streams (D74). */
export const STREAM_LIMITS = {
  /** Streams that a key may have open at once. */
  perKey: 10,
  /** A client that does not read is disconnected when it is this many events behind. */
  eventsBehind: 1_000,
  /** Account IDs in one subscription. */
  accountIds: 100,
  /** Interval of the comments that keep a connection open. */
  commentMs: 15_000,
  /** How often streams of ended keys and memberships are looked for: they end within a second. */
  revocationCheckMs: 500,
  /** How often each process reports the number of its streams. */
  reportMs: 2_000,
  /** After this time without a report, the streams of a process are no longer counted. */
  reportLeaseMs: 6_000,
  /** What clients are told to wait before they connect again, when a process stops. */
  retryMs: 1_000,
} as const;
