/**
 * Lifetime of a cached grant in milliseconds, even if the user's grants version has not changed. It
 * makes revocations reliable while Redis is unreachable: a change is acknowledged after this time,
 * when no process uses the old grant any more (services/access/access-control.ts).
 */
export const GRANT_LEASE_MS = 10_000;

/**
 * Whether a value read at `readAt` is still within its lease of `lease` milliseconds. False if the
 * clock was set back meanwhile.
 */
export const isLeased = (readAt: Date, now: Date, lease: number): boolean => {
  const age = now.getTime() - readAt.getTime();
  return age >= 0 && age < lease;
};

/** Invalidates the grants that gateways cache per user. */
export interface GrantsVersions {
  /**
   * Gives users a new grants version. Call it after a change is committed and before it is
   * acknowledged, with every user whose grants the change affects. When it returns, no gateway uses
   * grants read before the change. Without a response from Redis, it waits until cached grants have
   * expired.
   */
  renew(userIds: readonly string[]): Promise<void>;
}
