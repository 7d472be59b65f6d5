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
