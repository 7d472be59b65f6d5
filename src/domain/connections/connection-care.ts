import type { OauthToken } from './oauth-rules.js';

const DAY_MS = 86_400_000;
/** How long before its end people are warned of an access that only they can renew, in days. */
export const WARNING_DAYS = [7, 1] as const;

/** The access to an account. */
export interface Access {
  /** When it ends unless it is renewed; null if it has no end, or if that is not known. */
  readonly expiresAt: Date | null;
  /** Whether the gateway renews it. */
  readonly renewsItself: boolean;
}

/** When an access that was just given is renewed: at half of its life. Null if it is not. */
export const renewalTime = ({ expiresAt, renewsItself }: Access, now: Date): Date | null =>
  renewsItself && expiresAt !== null
    ? new Date(now.getTime() + Math.max(0, expiresAt.getTime() - now.getTime()) / 2)
    : null;

/** The warning that is due, in days before the end of the access; null if none is. */
export function warningDue({ expiresAt, renewsItself }: Access, now: Date): number | null {
  if (renewsItself || expiresAt === null) return null;
  const days = (expiresAt.getTime() - now.getTime()) / DAY_MS;
  return WARNING_DAYS.findLast((warning) => days <= warning) ?? null;
}

/** What the network said about an account when it was last asked. */
export interface LastCheck {
  /** Null if it was never asked. */
  readonly checkedAt: Date | null;
  /** What was wrong; null if nothing was. */
  readonly problem: string | null;
}

/** Whether the network is asked about an account: once a day, and at once if something was wrong. */
export const isCheckDue = ({ checkedAt, problem }: LastCheck, now: Date): boolean =>
  problem !== null || checkedAt === null || now.getTime() - checkedAt.getTime() >= DAY_MS;

/** When a connection is looked after next: once a day, and for renewals and warnings. */
export function nextCareTime(
  access: Access,
  { renewAt, now }: { readonly renewAt: Date | null; readonly now: Date },
): Date {
  const { expiresAt, renewsItself } = access;
  const warnings =
    renewsItself || expiresAt === null
      ? []
      : WARNING_DAYS.map((days) => expiresAt.getTime() - days * DAY_MS).filter(
          (time) => time > now.getTime(),
        );
  const renewals = renewAt === null ? [] : [renewAt.getTime()];
  return new Date(Math.min(now.getTime() + DAY_MS, ...warnings, ...renewals));
}

/**
 * What a renewed token is stored with. An answer without a refresh token keeps the one that was
 * used; a refresh token that ends before the access could be renewed again renews nothing.
 */
export function renewedAccess(
  { refreshToken, refreshExpiresAt, expiresAt }: Omit<OauthToken, 'scopes'>,
  used: { readonly refreshToken?: string; readonly refreshExpiresAt?: string },
  now: Date,
): Access & { readonly refreshToken: string | undefined; readonly refreshExpiresAt: Date | null } {
  const end = refreshExpiresAt ?? (used.refreshExpiresAt ? new Date(used.refreshExpiresAt) : null);
  const kept = refreshToken ?? used.refreshToken;
  const next = renewalTime({ expiresAt, renewsItself: true }, now);
  return {
    refreshToken: kept,
    refreshExpiresAt: end,
    expiresAt,
    renewsItself: end === null || next === null || next < end,
  };
}

/** The connected accounts of all workspaces. */
export interface AccountLoad {
  readonly connected: number;
  readonly needsReauthorization: number;
  /** Seconds for which the oldest renewal has been due; 0 if none is. */
  readonly oldestRenewalSeconds: number;
}
