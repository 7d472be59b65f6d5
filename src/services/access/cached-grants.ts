import { GRANT_LEASE_MS, isLeased } from '../../domain/access/cached-grants-lifetime.js';
import type { Identity } from '../../domain/access/workspace-access.js';
import type { Caller, Member } from '../../domain/access/viewer.js';

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
