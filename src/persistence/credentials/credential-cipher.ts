import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Credentials } from '../../services/networks/network-ports.js';

/** Sealed format: version, key fingerprint, nonce, tag, ciphertext. Lengths in bytes. */
const VERSION = 1;
const FINGERPRINT = 8;
const NONCE = 12;
const TAG = 16;
const HEADER = 1 + FINGERPRINT;
const CIPHER = 'aes-256-gcm';

/** Identifies a key without revealing it: 8 bytes of a hash that is used for nothing else. */
export const fingerprintOf = (key: Uint8Array): Buffer =>
  createHash('sha256')
    .update('posts-gateway credentials key\0')
    .update(key)
    .digest()
    .subarray(0, FINGERPRINT);

/**
 * Data authenticated with the ciphertext: header and ID of the owner, so that a row cannot be
 * swapped for another.
 */
const authenticatedData = (header: Uint8Array, ownerId: string): Buffer =>
  Buffer.concat([header, Buffer.from(ownerId)]);

/** Seals the secrets of an account or a webhook for storage. `key` has 32 bytes. */
export function seal(key: Uint8Array, ownerId: string, credentials: Credentials): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), fingerprintOf(key)]);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(authenticatedData(header, ownerId));
  const text = Buffer.concat([cipher.update(JSON.stringify(credentials), 'utf8'), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), text]);
}

/** Whether this key sealed them. */
export const isSealedWith = (key: Uint8Array, sealed: Uint8Array): boolean =>
  fingerprintOf(key).equals(sealed.subarray(1, HEADER));

/**
 * Unseals the secrets of an account or a webhook with the matching one of the keys.
 * @throws Error of one line that names the owner and never the secrets: unknown format, missing
 *   key, or modified data
 */
export function unseal(
  keys: readonly Uint8Array[],
  ownerId: string,
  sealed: Uint8Array,
): Credentials {
  const fail = (reason: string): never => {
    throw new Error(`Could not decrypt the secrets of ${ownerId}: ${reason}`);
  };
  if (sealed[0] !== VERSION)
    return fail(`format ${sealed[0] ?? '(empty)'} is not supported by this build`);
  const key = keys.find((candidate) => isSealedWith(candidate, sealed));
  if (!key)
    return fail(
      `they were encrypted with key ${Buffer.from(sealed.subarray(1, HEADER)).toString('hex')}, which is not configured. Append it to CREDENTIALS_KEY`,
    );
  const nonce = sealed.subarray(HEADER, HEADER + NONCE);
  const text = sealed.subarray(HEADER + NONCE + TAG);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG }).setAAD(
      authenticatedData(sealed.subarray(0, HEADER), ownerId),
    );
    decipher.setAuthTag(sealed.subarray(HEADER + NONCE, HEADER + NONCE + TAG));
    return JSON.parse(
      Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8'),
    ) as Credentials;
  } catch {
    return fail('the data was modified, or was encrypted for another record');
  }
}
