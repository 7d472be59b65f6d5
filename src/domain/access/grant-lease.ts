/**
 * For how long a process may use what it read of a grant before it reads again, in milliseconds, even where the user's
 * access epoch has not changed. It is what makes revocations sure when Redis cannot be told of them: whoever changed
 * something waits this long before saying so, and by then nobody uses what was read before (services/access/known-grants.ts).
 */
export const GRANT_LEASE_MS = 10_000;

/** Whether what was read then may be used now, under a lease of so many milliseconds; not so when the clock was set back in between. */
export const isLeased = (readAt: Date, now: Date, lease: number): boolean => {
  const age = now.getTime() - readAt.getTime();
  return age >= 0 && age < lease;
};
