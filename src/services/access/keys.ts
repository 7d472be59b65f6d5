import { randomBytes } from 'node:crypto';
import { KEY_ENTROPY_BYTES, keyValue } from '../../domain/access/api-key.js';
import type { Scope } from '../../domain/access/scopes.js';
import type { ApiKey } from '../../domain/access/viewer.js';
import { keyHash } from './key-hash.js';
import type { Clock, Ids, KeyRecord, KeyRecords } from '../ports.js';

interface NewKey {
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date | null;
}

/** What came of a rotation; `none`: there is no such key, or it holds no more. */
type Rotation =
  | {
      readonly kind: 'rotated';
      readonly key: ApiKey;
      readonly value: string;
      readonly userId: string;
      readonly oldUntil: Date;
    }
  | { readonly kind: 'replaced'; readonly by: string }
  | { readonly kind: 'none' };

/** What an operator does with keys. */
export interface Keys {
  /** Makes a key. `value` is told here and never again: only its hash is kept (D33). */
  create(key: NewKey): Promise<{ key: ApiKey; value: string }>;
  /** Keys of everybody, or of one user, newest first; revoked and expired ones too. */
  list(userId?: string): Promise<KeyRecord[]>;
  /**
   * Makes a key of the same user, name and scopes in the place of one that holds, which goes on for `graceMs` yet unless
   * it ends before. A key is replaced once: where its new value was lost, the new key is the one to rotate. Without
   * `expiresAt` the new one ends when the old one would have.
   */
  rotate(
    id: string,
    how: { readonly graceMs: number; readonly expiresAt?: Date },
  ): Promise<Rotation>;
  /** Takes effect with the next request. False where there is no such key; revoking twice keeps the first time. */
  revoke(id: string): Promise<boolean>;
}

/** `spk_live_` and four: enough to tell keys apart, nothing to guess from. */
export const SHOWN_CHARACTERS = 13;

export function createKeys({
  records,
  ids,
  clock,
}: {
  records: KeyRecords;
  ids: Ids;
  clock: Clock;
}): Keys {
  function newKey({ name, scopes, expiresAt }: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>): {
    key: ApiKey;
    value: string;
  } {
    const value = keyValue(randomBytes(KEY_ENTROPY_BYTES));
    return {
      value,
      key: {
        id: ids.prefixed('key'),
        name,
        scopes,
        prefix: value.slice(0, SHOWN_CHARACTERS),
        createdAt: clock.now(),
        expiresAt,
      },
    };
  }
  return {
    async create({ userId, expiresAt = null, ...rest }) {
      const made = newKey({ ...rest, expiresAt });
      await records.addKey({ ...made.key, userId }, keyHash(made.value));
      return made;
    },
    async rotate(id, { graceMs, expiresAt }) {
      const find = async (): Promise<KeyRecord | undefined> =>
        (await records.keys()).find((one) => one.id === id);
      const old = await find();
      if (!old || old.replacedBy !== null) return refusalOf(old);
      const { userId } = old;
      const made = newKey({ ...old, expiresAt: expiresAt ?? old.expiresAt });
      const graceEnd = new Date(made.key.createdAt.getTime() + graceMs);
      const oldUntil = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
      const isReplaced = await records.replaceKey(id, {
        key: { ...made.key, userId },
        hash: keyHash(made.value),
        until: oldUntil,
      });
      return isReplaced ? { kind: 'rotated', ...made, userId, oldUntil } : refusalOf(await find()); // somebody else may have been faster
    },
    list: (userId) => records.keys(userId),
    revoke: (id) => records.revokeKey(id, clock.now()),
  };
}

/** Why a key is not rotated. */
const refusalOf = (key: KeyRecord | undefined): Rotation =>
  key?.replacedBy ? { kind: 'replaced', by: key.replacedBy } : { kind: 'none' };
