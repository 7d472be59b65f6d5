/** How much one request may bring beside a change, through either door. */
export const REQUEST_LIMITS = {
  /** Bytes of a body (D40); one more is 413. */
  bodyBytes: 1_048_576,
  /** Ids of one deletion, at least 1 (D30). */
  deletedIds: 100,
  /** Characters of an idempotency key, at least 1 (D27). */
  idempotencyKey: 255,
  /** Code points of a search: it looks at words, and a longer one is a mistake. */
  query: 1_000,
} as const;
