import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Credentials } from '../../domain/networks/network-definition.js';

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
export const seal = (key: Uint8Array, ownerId: string, credentials: Credentials): Buffer =>
  sealJson(key, ownerId, credentials);

/** Seals any JSON value for storage. */
export function sealJson(key: Uint8Array, ownerId: string, value: unknown): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), fingerprintOf(key)]);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(authenticatedData(header, ownerId));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
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
export const unseal = (
  keys: readonly Uint8Array[],
  ownerId: string,
  sealed: Uint8Array,
): Credentials => unsealJson(keys, ownerId, sealed) as Credentials;

/** Unseals a JSON value. @throws Error like `unseal` */
export function unsealJson(
  keys: readonly Uint8Array[],
  ownerId: string,
  sealed: Uint8Array,
): unknown {
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
    ) as unknown;
  } catch {
    return fail('the data was modified, or was encrypted for another record');
  }
}

/** Keys that seal and unseal credentials, 32 bytes each. */
export interface CredentialKeys {
  /** The first key. @throws Error that names the setting to set, if there is none */
  sealingKey(): Promise<Uint8Array>;
  /**
   * All keys, the sealing key first.
   * @throws Error that names the setting to set, if there is none
   */
  unsealingKeys(): Promise<readonly Uint8Array[]>;
}

/** AES-256. */
const KEY_BYTES = 32;
const NOT_SET =
  'CREDENTIALS_KEY is not set, and credentials cannot be stored without it. Set it to 32 random bytes, for example from `openssl rand -base64 32`';

/** Path of the key file in a data folder. */
export const keyFileIn = (dataDir: string): string => path.join(dataDir, 'credentials.key');

/** Runs `work` while this process holds a lock file. */
type WithLockFile = <T>(file: string, work: () => Promise<T>) => Promise<T>;

interface CredentialKeyOptions {
  readonly configured: readonly Uint8Array[];
  /** Path of the key file of an embedded database; null without one. */
  readonly keyFile: string | null;
  readonly withLockFile: WithLockFile;
}

/**
 * The configured keys. With an embedded database (`keyFile`), a key exists without any setting: it
 * is created on first use, readable for its owner only, and still unseals older credentials after
 * keys are configured.
 */
export function createCredentialKeys({
  configured,
  keyFile,
  withLockFile,
}: CredentialKeyOptions): CredentialKeys {
  const storedKey = async (): Promise<Uint8Array[]> => {
    const key = keyFile === null ? null : await readKey(keyFile);
    return key ? [key] : [];
  };
  const unsealingKeys = async (): Promise<readonly Uint8Array[]> => {
    const keys = [...configured, ...(await storedKey())];
    if (keys.length === 0 && keyFile === null) throw new Error(NOT_SET);
    return keys;
  };
  return {
    unsealingKeys,
    async sealingKey() {
      const [first] = await unsealingKeys();
      return first ?? withLockFile(`${keyFile!}.lock`, () => createKeyFile(keyFile!));
    },
  };
}

async function readKey(file: string): Promise<Uint8Array | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`Could not read the credentials key ${file}: ${error.code}`);
  });
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(
      `${file} does not contain a valid key. Restore it from a backup, or delete it and reconnect the accounts`,
    );
  return key;
}

/**
 * Creates the key file, or reads the one that another process created in the meantime. Requires its
 * lock.
 */
async function createKeyFile(file: string): Promise<Uint8Array> {
  const existing = await readKey(file);
  if (existing) return existing;
  const key = randomBytes(KEY_BYTES);
  const draft = `${file}.tmp`;
  await rm(draft, { force: true }); // a draft left by a crash would keep its file mode
  await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
  return key;
}
