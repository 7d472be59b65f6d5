import type { WindowCount } from '../../domain/access/rate-window.js';
import type { ApiKey, Caller, Member } from '../../domain/access/viewer.js';

/** A key's user and, if they are a member of the requested workspace, their membership. */
export interface Grant {
  readonly caller: Caller;
  readonly viewer: Member | null;
}

/** Reads the grants of keys. */
export interface KeyStore {
  /** Null for unknown, revoked and expired keys alike (D33). */
  findGrant(hash: Uint8Array, workspaceId: string | null, now: Date): Promise<Grant | null>;
}

/** A key, and a workspace in which it is used. */
export interface KeyUse {
  readonly keyId: string;
  readonly workspaceId: string;
}

/** Reads the grants of keys that were authenticated before, whose streams are open. */
export interface KeyUseStore {
  /** In the order of the uses. Null for revoked and expired keys. */
  findGrants(uses: readonly KeyUse[], now: Date): Promise<readonly (Grant | null)[]>;
  /** Indexes of the uses that are over: key, membership or API access has ended. */
  findEnded(uses: readonly KeyUse[], now: Date): Promise<readonly number[]>;
}

/** A stored key, without its value. */
export interface KeyRecord extends ApiKey {
  userId: string;
  revokedAt: Date | null;
  /** The ID of the key that replaced this one. */
  replacedBy: string | null;
}
type NewKeyRecord = Omit<KeyRecord, 'revokedAt' | 'replacedBy'>;

/** Administration of keys by operators. */
export interface KeyAdmin {
  addKey(key: NewKeyRecord, hash: Uint8Array): Promise<void>;
  keys(userId?: string): Promise<KeyRecord[]>;
  /** False if the key does not exist. */
  revokeKey(id: string, at: Date): Promise<boolean>;
  /**
   * Adds a key that replaces another key of the same user, which expires at `until` or earlier.
   * False if the old key is not valid any more or was already replaced.
   */
  replaceKey(
    id: string,
    by: { readonly key: NewKeyRecord; readonly hash: Uint8Array; readonly until: Date },
  ): Promise<boolean>;
}

/** Counts requests in this process. */
export interface LocalRateCounter {
  increment(key: string, now: Date): WindowCount;
  /** Continues from a shared count. */
  adopt(key: string, count: WindowCount): void;
  /** The open window of the key. */
  find(key: string, now: Date): KnownWindow | undefined;
}

/** A window as a process last saw it. */
export type KnownWindow = Pick<WindowCount, 'count' | 'resetAt'>;

/** A count over all processes, and the grants version of the user at that moment. */
export interface SharedWindowCount extends WindowCount {
  readonly grantsVersion: string;
}
/** What a process knows about the counts of a user or an address. */
export interface CountExpectations {
  /** If the shared counter has lost counts of this window, it continues from them. */
  readonly known?: KnownWindow | undefined;
  /** Any if undefined. */
  readonly grantsVersion?: string | undefined;
}
/** Counts requests over all processes (D37, D38). */
export interface SharedRateCounter {
  /**
   * Counts one request. If the user's grants version differs from the expected one, nothing is
   * counted, `count` is 0 and cached grants of the user have to be read again. Null while the
   * counter is unavailable.
   */
  increment(key: string, expectations?: CountExpectations): Promise<SharedWindowCount | null>;
}
