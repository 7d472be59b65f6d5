import { GRANT_LEASE_MS, isLeased } from '../../domain/access/cached-grants-lifetime.js';
import type { Identity, Caller, Member, WorkspaceAccess } from '../../domain/access/viewer.js';
import { hasValidChecksum } from '../../domain/access/api-key.js';
import { rateState, type RateState, type WindowCount } from '../../domain/access/rate-window.js';
import type { Clock } from '../clock.js';
import type { Grant, KeyStore } from '../../persistence/access/key-store.js';
import { keyHashText, toKeyHash } from './key-hash.js';
import type { LocalRateCounter, SharedRateCounter, SharedWindowCount } from './rate-counters.js';

/** A cached key: its user, which never changes, and the grants read under one grants version. */
interface CachedKey {
  readonly userId: string;
  /** Empty until a grant is read; no real version is empty. */
  readonly grantsVersion: string;
  readonly grant: {
    readonly caller: Caller;
    readonly readAt: Date;
    readonly identities: Map<string, Identity<Member>>;
  } | null;
}

/** A grant, and the grants version of its user before the grant was read. */
interface ReadGrant {
  readonly grantsVersion: string;
  readonly workspaceId: string;
  readonly identity: Identity<Member>;
  readonly readAt: Date;
}

/** The oldest keys are evicted first; some thousand keys take a megabyte. */
const MAX_KEYS = 10_000;
const MAX_WORKSPACES_PER_KEY = 100;

/**
 * Caches grants, so that a request needs no database query.
 *
 * A cached grant never outlives an acknowledged change (D33). A grants version is a random value
 * that never recurs, and it is read from Redis *before* the grant that is cached under it. A change
 * commits, then deletes the versions of all users concerned, then is acknowledged. A request that
 * starts afterwards reads its user's current version from Redis: it equals the cached one only if
 * it has existed without interruption, so the grant was read after the deletion, and therefore
 * after the commit. A Redis that lost its data creates new versions.
 *
 * If the version cannot be deleted, because the process that makes the change cannot reach Redis,
 * that process waits for GRANT_LEASE_MS before it acknowledges. By then every cached grant has been
 * read again, whether Redis was stopped, frozen or unreachable only from that process. The lease
 * also bounds a Redis that restarts with older data; in addition, the cache is cleared whenever a
 * connection to Redis is lost.
 *
 * A request over its limit is rejected by the cached limit, even after the lease. A limit that is
 * raised while Redis is unreachable therefore takes effect later, but not after the end of the rate
 * window.
 */
export interface CachedGrants {
  /** By the key's hash. */
  find(hash: string): CachedKey | undefined;
  /** The identity in this workspace, if its lease has not expired. */
  leasedIdentity(cached: CachedKey, workspaceId: string, now: Date): Identity<Member> | undefined;
  /** Remembers the user of a key whose grant is not cached. */
  rememberUser(hash: string, userId: string): void;
  remember(hash: string, read: ReadGrant): void;
  forget(hash: string): void;
  clear(): void;
}

/**
 * Creates an empty cache. `grantLeaseMs` is the lifetime of a grant, `maxKeys` the maximum number
 * of cached keys.
 */
export function createCachedGrants({
  grantLeaseMs = GRANT_LEASE_MS,
  maxKeys = MAX_KEYS,
} = {}): CachedGrants {
  const keys = new Map<string, CachedKey>();

  function put(hash: string, cached: CachedKey): void {
    keys.delete(hash);
    for (const oldest of keys.keys()) {
      if (keys.size < maxKeys) break;
      keys.delete(oldest);
    }
    keys.set(hash, cached);
  }

  return {
    find: (hash) => keys.get(hash),
    leasedIdentity: ({ grant }, workspaceId, now) =>
      grant && isLeased(grant.readAt, now, grantLeaseMs)
        ? grant.identities.get(workspaceId)
        : undefined,
    /** Remembers the user of a key whose grant is not cached. */
    rememberUser(hash, userId) {
      if (!keys.has(hash)) put(hash, { userId, grantsVersion: '', grant: null });
    },
    remember(hash, { grantsVersion, workspaceId, identity, readAt }) {
      const cached = keys.get(hash);
      const { caller } = identity;
      // Keep the time of the first read: the cached caller is as old as that.
      if (
        cached?.grant &&
        cached.grantsVersion === grantsVersion &&
        isLeased(cached.grant.readAt, readAt, grantLeaseMs) &&
        cached.grant.identities.size < MAX_WORKSPACES_PER_KEY
      ) {
        cached.grant.identities.set(workspaceId, identity);
      } else
        put(hash, {
          userId: caller.user.id,
          grantsVersion,
          grant: { caller, readAt, identities: new Map([[workspaceId, identity]]) },
        });
    },
    forget: (hash) => void keys.delete(hash),
    clear: () => keys.clear(),
  };
}

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
  /** Counts a request without a key toward a limit of its own, as large as that of a user. */
  count(id: string): Promise<CountedRate>;
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
    { rateLimitOverride }: Pick<Caller, 'rateLimitOverride'>,
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
    async count(id) {
      const count = (await incrementShared(id)) ?? localCounter.increment(id, clock.now());
      return rateOf(count, { rateLimitOverride: null });
    },
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
