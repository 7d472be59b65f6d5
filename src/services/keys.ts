import { randomBytes } from 'node:crypto';
import { KEY_ENTROPY_BYTES, keyValue } from '../domain/api-key.js';
import type { Scope } from '../domain/scopes.js';
import type { ApiKey } from '../domain/viewer.js';
import { keyHash } from './key-hash.js';
import type { Clock, Ids, KeyRecord, KeyRecords } from './ports.js';

interface NewKey { readonly userId: string; readonly name: string; readonly scopes: readonly Scope[]; readonly expiresAt?: Date | null }

/** What an operator does with keys. */
export interface Keys {
  /** Makes a key. `value` is told here and never again: only its hash is kept (D33). */
  create(key: NewKey): Promise<{ key: ApiKey; value: string }>;
  /** Keys of everybody, or of one user, newest first; revoked and expired ones too. */
  list(userId?: string): Promise<KeyRecord[]>;
  /** Takes effect with the next request. False where there is no such key; revoking twice keeps the first time. */
  revoke(id: string): Promise<boolean>;
}

/** `spk_live_` and four: enough to tell keys apart, nothing to guess from. */
export const SHOWN_CHARACTERS = 13;

export function createKeys({ records, ids, clock }: { records: KeyRecords; ids: Ids; clock: Clock }): Keys {
  return {
    async create({ userId, name, scopes, expiresAt = null }) {
      const value = keyValue(randomBytes(KEY_ENTROPY_BYTES));
      const key: ApiKey = { id: ids.prefixed('key'), name, scopes, prefix: value.slice(0, SHOWN_CHARACTERS), createdAt: clock.now(), expiresAt };
      await records.addKey({ ...key, userId }, keyHash(value));
      return { key, value };
    },
    list: (userId) => records.keys(userId),
    revoke: (id) => records.revokeKey(id, clock.now()),
  };
}
