/** `2026-11-21T09:30:00+00:00`: UTC in whole seconds, with `+00:00` instead of `Z` (D8). */
export const timestamp = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** Like `timestamp`; null stays null. */
export const timestampOrNull = (at: Date | null): string | null => at && timestamp(at);
