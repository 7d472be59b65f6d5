import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLockFile } from '../../embedded-postgres/lock-file.js';

/** The keys that credentials are sealed with: 32 bytes each. */
export interface CredentialKeys {
  /** The one that seals. @throws Error saying what to set where there is none */
  sealing(): Promise<Uint8Array>;
  /** All that open, the sealing one first. @throws Error saying what to set where there is none */
  opening(): Promise<readonly Uint8Array[]>;
}

/** How many bytes a key has: AES-256. */
export const KEY_BYTES = 32;
const NOT_SET =
  'CREDENTIALS_KEY is not set, and credentials are stored with it alone: give it 32 random bytes, as `openssl rand -base64 32` prints them';

/** The key file of a data folder. */
export const keyFileIn = (dataDir: string): string => path.join(dataDir, 'credentials.key');

/**
 * The configured keys. Beside an embedded server (`keyFile`) there is one without any setting: it is made when it is
 * first needed, for the owner's eyes alone, and still opens what it sealed when keys are configured later.
 */
export function createCredentialKeys({
  configured,
  keyFile,
}: {
  configured: readonly Uint8Array[];
  keyFile: string | null;
}): CredentialKeys {
  const keptKey = async (): Promise<Uint8Array[]> => {
    const key = keyFile === null ? null : await readKey(keyFile);
    return key ? [key] : [];
  };
  const opening = async (): Promise<readonly Uint8Array[]> => {
    const keys = [...configured, ...(await keptKey())];
    if (keys.length === 0 && keyFile === null) throw new Error(NOT_SET);
    return keys;
  };
  return {
    opening,
    async sealing() {
      const [first] = await opening();
      return first ?? makeKey(keyFile!);
    },
  };
}

async function readKey(file: string): Promise<Uint8Array | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The key of the credentials, ${file}, cannot be read: ${error.code}`);
  });
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(
      `${file} holds no key: put it back from your backup, or remove it and connect the accounts again`,
    );
  return key;
}

/** Makes the file, or takes the one that another process has made meanwhile. */
const makeKey = (file: string): Promise<Uint8Array> =>
  withLockFile(`${file}.lock`, async () => {
    const kept = await readKey(file);
    if (kept) return kept;
    const key = randomBytes(KEY_BYTES);
    const draft = `${file}.tmp`;
    await rm(draft, { force: true }); // one that a crash left would keep its old mode
    await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
    await rename(draft, file);
    return key;
  });
