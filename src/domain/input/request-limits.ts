/** Limits of a request apart from its patch, in both APIs. */
export const REQUEST_LIMITS = {
  /** Bytes of a body (D40); larger ones get 413. */
  bodyBytes: 1_048_576,
  /** Bytes of the body of a creation in REST v1 (D47). */
  creationBodyBytes: 8_388_608,
  /** Entries of one creation in REST v1; the minimum is 1 (D50). */
  creationItems: 500,
  /** New posts of one creation, the occurrences of series included (D47). */
  newPosts: 1_000,
  /** IDs in one deletion; the minimum is 1 (D30). */
  deletedIds: 100,
  /** Changes in one page; the minimum is 1 (D73). */
  changes: 100,
  /** Posts of one action, such as a retry; the minimum is 1 (D65). */
  postsOfAction: 100,
  /** Code points of the note of a review (D64). */
  reviewNote: 2_000,
  /** Characters of an idempotency key; the minimum is 1 (D27). */
  idempotencyKey: 255,
  /** Code points of a search query: a longer one is a mistake, since search matches words. */
  query: 1_000,
} as const;
