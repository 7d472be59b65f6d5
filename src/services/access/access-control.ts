import { hasValidChecksum } from '../../domain/access/api-key.js';
import type { Identity, WorkspaceAccess } from '../../domain/access/workspace-access.js';
import { rateState, type RateState, type WindowCount } from '../../domain/access/rate-window.js';
import type { Caller, Member } from '../../domain/access/viewer.js';
import type { Clock } from '../clock.js';
import type { Grant, KeyStore } from '../../persistence/access/key-store.js';
import type { CachedGrants } from './cached-grants.js';
import { keyHashText, toKeyHash } from './key-hash.js';
import type { LocalRateCounter, SharedRateCounter, SharedWindowCount } from './rate-counters.js';

/** An authenticated request, as the APIs receive it. */
export interface Authentication extends Identity {
  readonly rate: CountedRate;
}

/** A rate window, and whether it was counted over all processes or in this one only. */
export interface CountedRate extends RateState {
  readonly isShared: boolean;
}

/** Requests with an unknown key are not counted; requests over the limit are (D37). */
export type AccessDecision =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'rate_limited'; readonly rate: CountedRate }
  | { readonly kind: 'allowed'; readonly identity: Identity<Member>; readonly rate: CountedRate };

/** Identifies callers by their keys, and counts their requests. */
export interface AccessControl {
  /**
   * Takes the raw values of Authorization (`Bearer-API <key>`) and Service-Workspace-Id. Every
   * invalid key is `unauthenticated`, regardless of the reason (D33). At most two queries; none if
   * Redis confirms the cached grant, and none for a malformed key.
   */
  decide(
    authorization: string | undefined,
    workspaceId: string | undefined,
  ): Promise<AccessDecision>;
}

interface AccessControlDependencies {
  readonly keys: Pick<KeyStore, 'findGrant'>;
  readonly cachedGrants: CachedGrants;
  /** Null without Redis. */
  readonly sharedCounter: SharedRateCounter | null;
  /**
   * Used while `sharedCounter` is unavailable. Continues from its last counts, so that an outage
   * does not reset any budget.
   */
  readonly localCounter: LocalRateCounter;
  readonly clock: Clock;
  /** Requests per window, for users without an override (D37). */
  readonly defaultLimit: number;
}

/** The key and the workspace ID of a request. */
interface PresentedKey {
  /** The hash of the key, as a text. */
  readonly cacheKey: string;
  readonly workspaceId: string;
}

/** Longer values are not workspace IDs and are not sent to the database. */
const MAX_WORKSPACE_ID_LENGTH = 255;
const UNAUTHENTICATED: AccessDecision = { kind: 'unauthenticated' };

/** Creates the access control of a process. */
export function createAccessControl({
  keys,
  cachedGrants,
  sharedCounter,
  localCounter,
  clock,
  defaultLimit,
}: AccessControlDependencies): AccessControl {
  const rateOf = (
    count: WindowCount | SharedWindowCount,
    { rateLimitOverride }: Caller,
  ): CountedRate =>
    Object.assign(rateState(count, rateLimitOverride ?? defaultLimit), {
      isShared: 'grantsVersion' in count,
    });
  const isExpired = ({ key }: Caller): boolean =>
    key.expiresAt !== null && key.expiresAt <= clock.now();

  function toDecision(
    count: WindowCount | SharedWindowCount,
    identity: Identity<Member>,
  ): AccessDecision {
    const rate = rateOf(count, identity.caller);
    return rate.allowed ? { kind: 'allowed', identity, rate } : { kind: 'rate_limited', rate };
  }

  /** Null while the shared counter is unavailable. */
  async function incrementShared(
    userId: string,
    grantsVersion?: string,
  ): Promise<SharedWindowCount | null> {
    const known = localCounter.find(userId, clock.now());
    const count = (await sharedCounter?.increment(userId, { known, grantsVersion })) ?? null;
    if (count && count.count > 0) localCounter.adopt(userId, count);
    return count;
  }

  async function readIdentity({
    cacheKey,
    workspaceId,
  }: PresentedKey): Promise<Identity<Member> | null> {
    const requestedId = workspaceId.length > MAX_WORKSPACE_ID_LENGTH ? null : workspaceId || null;
    const grant = await keys.findGrant(toKeyHash(cacheKey), requestedId, clock.now());
    return grant && toIdentity(grant, workspaceId);
  }

  /**
   * Reads the grant first, then counts the request: for a key that is not cached, or while Redis is
   * unavailable.
   */
  async function decideUncached(presented: PresentedKey): Promise<AccessDecision> {
    const identity = await readIdentity(presented);
    if (!identity) return UNAUTHENTICATED;
    const { id } = identity.caller.user;
    const count = await incrementShared(id);
    if (count) cachedGrants.rememberUser(presented.cacheKey, id);
    return toDecision(count ?? localCounter.increment(id, clock.now()), identity);
  }

  return {
    async decide(authorization = '', workspaceId = '') {
      const key = /^Bearer-API +(\S+)$/i.exec(authorization)?.[1];
      if (key === undefined || !hasValidChecksum(key)) return UNAUTHENTICATED;
      const cacheKey = keyHashText(key);
      const presented: PresentedKey = { cacheKey, workspaceId };
      const cached = cachedGrants.find(cacheKey);
      if (!cached || !sharedCounter || (cached.grant && isExpired(cached.grant.caller)))
        return decideUncached(presented);

      const count = await incrementShared(cached.userId, cached.grantsVersion);
      if (!count) return decideUncached(presented);
      if (cached.grant && count.count > 0) {
        const rate = rateOf(count, cached.grant.caller);
        if (!rate.allowed) return { kind: 'rate_limited', rate };
        const identity = cachedGrants.leasedIdentity(
          cached,
          workspaceCacheKey(workspaceId),
          clock.now(),
        );
        if (identity) return { kind: 'allowed', identity, rate };
      }
      const readAt = clock.now();
      const identity = await readIdentity(presented);
      if (!identity) {
        cachedGrants.forget(cacheKey);
        return UNAUTHENTICATED;
      }
      cachedGrants.remember(cacheKey, {
        grantsVersion: count.grantsVersion,
        workspaceId: workspaceCacheKey(workspaceId),
        identity,
        readAt,
      });
      if (count.count > 0) return toDecision(count, identity);
      return toDecision(
        (await incrementShared(cached.userId)) ??
          localCounter.increment(cached.userId, clock.now()),
        identity,
      );
    },
  };
}

/** Truncates IDs that are too long, which bounds the memory per cached key. */
const workspaceCacheKey = (workspaceId: string): string =>
  workspaceId.slice(0, MAX_WORKSPACE_ID_LENGTH + 1);

const toIdentity = ({ caller, viewer }: Grant, workspaceId: string): Identity<Member> => ({
  caller,
  workspace: toWorkspaceAccess(workspaceId, viewer),
});

function toWorkspaceAccess(workspaceId: string, viewer: Member | null): WorkspaceAccess<Member> {
  if (workspaceId === '') return { kind: 'missing' };
  return viewer ? { kind: 'member', viewer } : { kind: 'non_member' };
}
