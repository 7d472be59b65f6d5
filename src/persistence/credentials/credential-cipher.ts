import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Credentials } from '../../services/networks/network-ports.js';

/** Where each part of the sealed form stands: version, fingerprint of the key, nonce, tag; the ciphertext is the rest. */
const VERSION = 1;
const FINGERPRINT = 8;
const NONCE = 12;
const TAG = 16;
const HEADER = 1 + FINGERPRINT;
const CIPHER = 'aes-256-gcm';

/** Tells keys apart and says nothing of them: 8 bytes of a hash that nothing else uses. */
export const fingerprintOf = (key: Uint8Array): Buffer =>
  createHash('sha256')
    .update('posts-gateway credentials key\0')
    .update(key)
    .digest()
    .subarray(0, FINGERPRINT);

/** What is authenticated beside the text: the header, and whose credentials they are, so that no row can stand in for another. */
const bound = (header: Uint8Array, accountId: string): Buffer =>
  Buffer.concat([header, Buffer.from(accountId)]);

/** The credentials of one account as they are stored. `key` has 32 bytes. */
export function seal(key: Uint8Array, accountId: string, credentials: Credentials): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), fingerprintOf(key)]);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bound(header, accountId));
  const text = Buffer.concat([cipher.update(JSON.stringify(credentials), 'utf8'), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), text]);
}

/** Whether it was this key that sealed them. */
export const isSealedWith = (key: Uint8Array, sealed: Uint8Array): boolean =>
  fingerprintOf(key).equals(sealed.subarray(1, HEADER));

/**
 * The credentials that were sealed for this account with one of the keys.
 * @throws Error of one line that names the account and never what is sealed: an unknown form, no key for it, or not as it was sealed
 */
export function unseal(
  keys: readonly Uint8Array[],
  accountId: string,
  sealed: Uint8Array,
): Credentials {
  const refuse = (reason: string): never => {
    throw new Error(`The credentials of ${accountId} cannot be opened: ${reason}`);
  };
  if (sealed[0] !== VERSION)
    return refuse(`their form ${sealed[0] ?? 'nothing'} is not known to this build`);
  const key = keys.find((one) => isSealedWith(one, sealed));
  if (!key)
    return refuse(
      `they were sealed with the key ${Buffer.from(sealed.subarray(1, HEADER)).toString('hex')}, which is not at hand. Add it to CREDENTIALS_KEY, behind the first`,
    );
  const nonce = sealed.subarray(HEADER, HEADER + NONCE);
  const text = sealed.subarray(HEADER + NONCE + TAG);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG }).setAAD(
      bound(sealed.subarray(0, HEADER), accountId),
    );
    decipher.setAuthTag(sealed.subarray(HEADER + NONCE, HEADER + NONCE + TAG));
    return JSON.parse(
      Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8'),
    ) as Credentials;
  } catch {
    return refuse('they are not as they were sealed, or were sealed for another account');
  }
}
