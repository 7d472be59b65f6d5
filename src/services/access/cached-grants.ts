import { GRANT_LEASE_MS, isLeased } from '../../domain/access/grant-lease.js';
import type { Identity } from '../../domain/access/identity.js';
import type { Caller } from '../../domain/access/viewer.js';

/** What a process remembers of a key: whose it is, for good; the rest, as it was read in an epoch. */
interface KnownKey {
  readonly userId: string;
  /** Empty, which no epoch is, until a grant was read. */
  readonly epoch: string;
  readonly grant: {
    readonly caller: Caller;
    readonly readAt: Date;
    readonly identities: Map<string, Identity>;
  } | null;
}

/** A grant as it was read, and the epoch that its user was in before it was read. */
interface ReadGrant {
  readonly epoch: string;
  readonly workspaceId: string;
  readonly identity: Identity;
  readonly readAt: Date;
}

/** What is remembered is dropped oldest first; a megabyte is some thousand keys. */
const MOST_KEYS = 10_000;
const MOST_WORKSPACES = 100;

/**
 * What the database said of keys, so that it need not be asked at each request.
 *
 * Why nothing of it outlives a change that was acknowledged (D33): an epoch is a word that never comes again, and it is
 * taken from Redis *before* the grant is read that is kept under it. Whoever changes something commits, then removes the
 * words of everybody concerned, then acknowledges. A request that starts afterwards asks Redis for its user's word: the
 * one a grant is kept under is the same only if it stood there all the time in between, so the grant was read after the
 * removal, and so after the commit. A Redis that lost its memory has no words; those it finds are new.
 *
 * Where the word cannot be removed, because Redis is away for whoever makes the change, they wait for GRANT_LEASE_MS
 * before they acknowledge, and by then every grant has been read again: whether Redis was stopped, frozen or cut off
 * from them alone, and whether a process noticed or not. The same lease bounds what a Redis does that comes back with an
 * older memory; beyond it, all is forgotten whenever a connection to Redis is lost.
 *
 * A request over its limit is refused by what is known, leased or not: it is refused in any case. Only a limit raised
 * while Redis could not be told of it would be seen late, by the end of the window at most.
 */
export interface KnownGrants {
  /** What is known of a key by its hash. */
  of(hash: string): KnownKey | undefined;
  /** A grant that may be used now. */
  leased(known: KnownKey, workspaceId: string, now: Date): Identity | undefined;
  /** Remembers whose key it is. */
  meet(hash: string, userId: string): void;
  remember(hash: string, read: ReadGrant): void;
  forget(hash: string): void;
  forgetAll(): void;
}

export function createKnownGrants({
  lease = GRANT_LEASE_MS,
  mostKeys = MOST_KEYS,
} = {}): KnownGrants {
  const keys = new Map<string, KnownKey>();

  function put(hash: string, known: KnownKey): void {
    keys.delete(hash);
    for (const oldest of keys.keys()) {
      if (keys.size < mostKeys) break;
      keys.delete(oldest);
    }
    keys.set(hash, known);
  }

  return {
    of: (hash) => keys.get(hash),
    leased: ({ grant }, workspaceId, now) =>
      grant && isLeased(grant.readAt, now, lease) ? grant.identities.get(workspaceId) : undefined,
    meet(hash, userId) {
      if (!keys.has(hash)) put(hash, { userId, epoch: '', grant: null });
    },
    remember(hash, { epoch, workspaceId, identity, readAt }) {
      const known = keys.get(hash);
      const { caller } = identity;
      // Its lease goes on from the first reading: the caller is as old as that.
      if (
        known?.grant &&
        known.epoch === epoch &&
        isLeased(known.grant.readAt, readAt, lease) &&
        known.grant.identities.size < MOST_WORKSPACES
      ) {
        known.grant.identities.set(workspaceId, identity);
      } else
        put(hash, {
          userId: caller.user.id,
          epoch,
          grant: { caller, readAt, identities: new Map([[workspaceId, identity]]) },
        });
    },
    forget: (hash) => void keys.delete(hash),
    forgetAll: () => keys.clear(),
  };
}
