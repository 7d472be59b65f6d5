import { randomBytes } from 'node:crypto';
import { KEY_ENTROPY_BYTES, createKeyValue } from '../../domain/access/api-key.js';
import type { Scope, ApiKey } from '../../domain/access/viewer.js';
import { keyHash } from './key-hash.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { AdminStore, KeyRecord } from '../../persistence/admin/admin-store.js';

interface NewKey {
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | null;
}

/** Outcome of a rotation; `none`: the key does not exist or is not valid any more. */
type Rotation =
  | {
      readonly kind: 'rotated';
      readonly key: ApiKey;
      readonly value: string;
      readonly userId: string;
      readonly oldKeyExpiresAt: Date;
    }
  | { readonly kind: 'replaced'; readonly by: string }
  | { readonly kind: 'none' };

/** Administration of keys by operators. */
export interface Keys {
  /** Creates a key. Only the hash of `value` is stored, so it cannot be shown again (D33). */
  create(key: NewKey): Promise<{ key: ApiKey; value: string }>;
  /** Keys of all users or of one, newest first, including revoked and expired ones. */
  list(userId?: string): Promise<KeyRecord[]>;
  /**
   * Replaces a valid key by a new one of the same user, name and scopes. The old key stays valid
   * for the grace period `graceMs`, but not beyond its own expiry. A key can be replaced only once;
   * if the new value was lost, rotate the new key. Without `expiresAt` the new key expires when the
   * old one would have.
   */
  rotate(
    id: string,
    options: { readonly graceMs: number; readonly expiresAt?: Date },
  ): Promise<Rotation>;
  /**
   * Effective from the next request. False if the key does not exist; revoking again keeps the
   * first time.
   */
  revoke(id: string): Promise<boolean>;
}

/** `spk_live_` and four characters: enough to tell keys apart, too few to guess the key. */
export const KEY_PREFIX_LENGTH = 13;

/** Creates the administration of keys over a key store. */
export function createKeys({
  records,
  ids,
  clock,
}: {
  records: Pick<AdminStore, 'addKey' | 'keys' | 'replaceKey' | 'revokeKey'>;
  ids: Ids;
  clock: Clock;
}): Keys {
  function newKey({ name, scopes, expiresAt }: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>): {
    key: ApiKey;
    value: string;
  } {
    const value = createKeyValue(randomBytes(KEY_ENTROPY_BYTES));
    return {
      value,
      key: {
        id: ids.prefixed('key'),
        name,
        scopes,
        prefix: value.slice(0, KEY_PREFIX_LENGTH),
        createdAt: clock.now(),
        expiresAt,
      },
    };
  }
  return {
    async create({ userId, expiresAt = null, ...rest }) {
      const created = newKey({ ...rest, expiresAt });
      await records.addKey({ ...created.key, userId }, keyHash(created.value));
      return created;
    },
    async rotate(id, { graceMs, expiresAt }) {
      const find = async (): Promise<KeyRecord | undefined> =>
        (await records.keys()).find((record) => record.id === id);
      const old = await find();
      if (!old || old.replacedBy !== null) return refusalOf(old);
      const { userId } = old;
      const created = newKey({ ...old, expiresAt: expiresAt ?? old.expiresAt });
      const graceEnd = new Date(created.key.createdAt.getTime() + graceMs);
      const oldKeyExpiresAt = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
      const isReplaced = await records.replaceKey(id, {
        key: { ...created.key, userId },
        hash: keyHash(created.value),
        until: oldKeyExpiresAt,
      });
      // Another operator may have replaced or revoked the key meanwhile.
      return isReplaced
        ? { kind: 'rotated', ...created, userId, oldKeyExpiresAt }
        : refusalOf(await find());
    },
    list: (userId) => records.keys(userId),
    revoke: (id) => records.revokeKey(id, clock.now()),
  };
}

/** Why a key cannot be rotated. */
const refusalOf = (key: KeyRecord | undefined): Rotation =>
  key?.replacedBy ? { kind: 'replaced', by: key.replacedBy } : { kind: 'none' };
