import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
export const KEY_BYTES = 32;
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
