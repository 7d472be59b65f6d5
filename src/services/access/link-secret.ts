import { randomBytes } from 'node:crypto';
import { keyHash } from './key-hash.js';

/** 256 random bits. */
const SECRET_BYTES = 32;

/** Secrets of one kind of link, which are stored as hashes. */
export interface LinkSecrets {
  /** A new secret, and its SHA-256. */
  create(): { readonly secret: string; readonly hash: Uint8Array };
  /** SHA-256 of a secret that a client sent; null if it cannot be one. */
  hashOf(secret: string): Uint8Array | null;
}

/** The secrets that start with a prefix, which tells them apart from other secrets. */
export function linkSecrets(prefix: string): LinkSecrets {
  const pattern = new RegExp(`^${prefix}_[\\w-]{43}$`);
  return {
    create() {
      const secret = `${prefix}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
      return { secret, hash: keyHash(secret) };
    },
    hashOf: (secret) => (pattern.test(secret) ? keyHash(secret) : null),
  };
}
