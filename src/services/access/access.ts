import { hasValidChecksum } from '../../domain/access/api-key.js';
import type { Identity, WorkspaceStanding } from '../../domain/access/identity.js';
import { rateState, type RateState, type WindowCount } from '../../domain/access/rate-window.js';
import type { Caller, Viewer } from '../../domain/access/viewer.js';
import { keyHash } from './key-hash.js';
import type { KnownGrants } from './cached-grants.js';
import type { Clock, Grant, KeyStore, RateCounter, SharedCount, SharedWindows } from '../ports.js';

/** A request that passed the gate: what each door is given. */
export interface Admission extends Identity {
  readonly rate: CountedRate;
}

/** A window, and whether it was counted for all processes together, or in this one alone. */
export interface CountedRate extends RateState {
  readonly isShared: boolean;
}

/** What a request came to: nothing is counted for an unknown key; what is over the limit is counted too (D37). */
export type Entry =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over'; readonly rate: CountedRate }
  | { readonly kind: 'within'; readonly identity: Identity; readonly rate: CountedRate };

/** Knows callers by their keys, and counts what they ask. */
export interface Access {
  /**
   * Takes the raw values of Authorization (`Bearer-API <key>`) and Service-Workspace-Id. `unknown` stands for every key
   * that is none, whatever the reason (D33). Two queries at most; none where Redis vouches for what is known, and none
   * for a key of a wrong form.
   */
  enter(authorization: string | undefined, workspaceId: string | undefined): Promise<Entry>;
}

interface AccessParts {
  readonly keys: KeyStore;
  readonly known: KnownGrants;
  /** Counts over all processes; null without a Redis. */
  readonly shared: SharedWindows | null;
  /** Counts in this process where `shared` does not, from what that said last: nobody has a new budget by an outage, and the reset stays. */
  readonly own: RateCounter;
  readonly clock: Clock;
  /** Requests in a window, for users without an override (D37). */
  readonly defaultLimit: number;
}

interface Presented {
  readonly hash: Uint8Array;
  readonly name: string;
  readonly workspaceId: string;
}

/** One longer than this is no workspace id, and is not worth a parameter. */
const LONGEST_WORKSPACE_ID = 255;
const UNKNOWN: Entry = { kind: 'unknown' };

export function createAccess({
  keys,
  known,
  shared,
  own,
  clock,
  defaultLimit,
}: AccessParts): Access {
  const rateOf = (count: WindowCount | SharedCount, { rateLimitOverride }: Caller): CountedRate =>
    Object.assign(rateState(count, rateLimitOverride ?? defaultLimit), {
      isShared: 'epoch' in count,
    });
  const isExpired = ({ key }: Caller): boolean =>
    key.expiresAt !== null && key.expiresAt <= clock.now();

  function judged(count: WindowCount | SharedCount, identity: Identity): Entry {
    const rate = rateOf(count, identity.caller);
    return rate.allowed ? { kind: 'within', identity, rate } : { kind: 'over', rate };
  }

  /** Null while that is away. */
  async function takeShared(userId: string, epoch?: string): Promise<SharedCount | null> {
    const count = (await shared?.take(userId, epoch)) ?? null;
    if (count && count.count > 0) own.adopt(userId, count);
    return count;
  }

  async function read({ hash, workspaceId }: Presented): Promise<Identity | null> {
    const wanted = workspaceId.length > LONGEST_WORKSPACE_ID ? null : workspaceId || null;
    const grant = await keys.grant(hash, wanted, clock.now());
    return grant && identityOf(grant, workspaceId);
  }

  /** Of a key that was not seen before, or while Redis is away: the grant is read, then its user's request counted. */
  async function enterRead(presented: Presented): Promise<Entry> {
    const identity = await read(presented);
    if (!identity) return UNKNOWN;
    const { id } = identity.caller.user;
    const count = await takeShared(id);
    if (count) known.meet(presented.name, id);
    return judged(count ?? own.take(id, clock.now()), identity);
  }

  return {
    async enter(authorization = '', workspaceId = '') {
      const key = /^Bearer-API +(\S+)$/i.exec(authorization)?.[1];
      if (key === undefined || !hasValidChecksum(key)) return UNKNOWN;
      const hash = keyHash(key);
      const presented = { hash, name: nameOf(hash), workspaceId };
      const met = known.of(presented.name);
      if (!met || !shared || (met.grant && isExpired(met.grant.caller)))
        return enterRead(presented);

      const count = await takeShared(met.userId, met.epoch);
      if (!count) return enterRead(presented);
      if (met.grant && count.count > 0) {
        const rate = rateOf(count, met.grant.caller);
        if (!rate.allowed) return { kind: 'over', rate };
        const identity = known.leased(met, placeOf(workspaceId), clock.now());
        if (identity) return { kind: 'within', identity, rate };
      }
      const readAt = clock.now();
      const identity = await read(presented);
      if (!identity) {
        known.forget(presented.name);
        return UNKNOWN;
      }
      known.remember(presented.name, {
        epoch: count.epoch,
        workspaceId: placeOf(workspaceId),
        identity,
        readAt,
      });
      if (count.count > 0) return judged(count, identity);
      return judged((await takeShared(met.userId)) ?? own.take(met.userId, clock.now()), identity);
    },
  };
}

const nameOf = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
/** What a workspace's grant is kept under: all ids that are too long are as strange as each other. */
const placeOf = (workspaceId: string): string => workspaceId.slice(0, LONGEST_WORKSPACE_ID + 1);

const identityOf = ({ caller, viewer }: Grant, workspaceId: string): Identity => ({
  caller,
  workspace: standing(workspaceId, viewer),
});

function standing(workspaceId: string, viewer: Viewer | null): WorkspaceStanding {
  if (workspaceId === '') return { kind: 'missing' };
  return viewer ? { kind: 'member', viewer } : { kind: 'stranger' };
}
