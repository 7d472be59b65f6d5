import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../src/config/config.js';
import {
  createCredentialKeys,
  keyFileIn,
} from '../../../src/persistence/credentials/credential-keys.js';
import { withLockFile } from '../../../src/embedded-postgres/lock-file.js';
import { createCredentialStore } from '../../../src/persistence/credentials/credential-store.js';
import { recordsIn } from '../../fixtures/records.js';
import { withDatabase } from '../../setup/database.js';

const SECRET = { accessToken: 'tok-7f1c0ffee' };
const [first, second] = [randomBytes(32), randomBytes(32)];
let dataDir: string;
const withKeys = (...configured: Uint8Array[]) =>
  createCredentialStore(db, createCredentialKeys({ configured, keyFile: null, withLockFile }));
const withFile = (...configured: Uint8Array[]) =>
  createCredentialStore(
    db,
    createCredentialKeys({ configured, keyFile: keyFileIn(dataDir), withLockFile }),
  );
const anAccount = async (): Promise<string> => {
  const records = recordsIn(db);
  return (await records.anAccount({ workspaceId: (await records.aWorkspace()).id })).id;
};
const sealedOf = async (accountId: string) =>
  (await db.prisma.accountCredential.findUniqueOrThrow({ where: { accountId } })).sealed;

const db = withDatabase();
beforeEach(async () => {
  await db.prisma.accountCredential.deleteMany();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'keys-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('credentials', () => {
  it('are stored sealed, and can be read, replaced and deleted', async () => {
    const [store, id] = [withKeys(first), await anAccount()];
    expect(await store.open(id)).toBeNull();
    await store.seal(id, SECRET);
    expect(await store.open(id)).toEqual(SECRET);
    expect(Buffer.from(await sealedOf(id)).toString('latin1')).not.toContain('tok-');
    await store.seal(id, { accessToken: 'another' });
    expect(await store.open(id)).toEqual({ accessToken: 'another' });
    expect([await store.delete(id), await store.delete(id), await store.open(id)]).toEqual([
      true,
      false,
      null,
    ]);
  });

  it('cannot be unsealed in the row of another account', async () => {
    const [store, own, other] = [withKeys(first), await anAccount(), await anAccount()];
    await store.seal(other, SECRET);
    await db.prisma.accountCredential.update({
      where: { accountId: other },
      data: { accountId: own },
    });
    expect(await store.open(own)).toMatchObject({
      message: expect.stringContaining('was encrypted for another record'),
    });
  });

  it('are deleted with their account', async () => {
    const id = await anAccount();
    await withKeys(first).seal(id, SECRET);
    await db.prisma.account.delete({ where: { id } });
    expect(await db.prisma.accountCredential.count()).toBe(0);
  });

  it('are not stored without a key if the database is not embedded', async () => {
    const [store, id] = [withKeys(), await anAccount()];
    const message =
      'CREDENTIALS_KEY is not set, and credentials cannot be stored without it. Set it to 32 random bytes, for example from `openssl rand -base64 32`';
    await expect(store.seal(id, SECRET)).rejects.toThrow(new Error(message));
    expect(await store.open(id)).toBeNull();
    await withKeys(first).seal(id, SECRET);
    expect(await store.open(id)).toEqual(new Error(message));
    await expect(store.reseal()).rejects.toThrow(new Error(message));
  });
});

describe('a change of keys', () => {
  it('unseals old credentials, seals new ones with the first key, and reseals all on request', async () => {
    const [old, added] = [await anAccount(), await anAccount()];
    await withKeys(first).seal(old, SECRET);
    const { updatedAt } = await db.prisma.accountCredential.findUniqueOrThrow({
      where: { accountId: old },
    });
    const both = withKeys(second, first);
    expect(await both.open(old)).toEqual(SECRET);
    await both.seal(added, SECRET);
    expect(await withKeys(second).open(old)).toMatchObject({
      message: expect.stringContaining('which is not configured'),
    });
    expect(await both.reseal()).toEqual({ resealed: 1, upToDate: 1, failed: [] });
    expect(await both.reseal()).toEqual({ resealed: 0, upToDate: 2, failed: [] });
    expect(await withKeys(second).open(old)).toEqual(SECRET);
    expect(
      await db.prisma.accountCredential.findUniqueOrThrow({ where: { accountId: old } }),
    ).toMatchObject({ updatedAt });
  });

  it('reports credentials that no key can unseal, and leaves them unchanged', async () => {
    const [lost, own] = [await anAccount(), await anAccount()];
    await withKeys(randomBytes(32)).seal(lost, SECRET);
    await withKeys(first).seal(own, SECRET);
    const before = await sealedOf(lost);
    expect(await withKeys(second, first).reseal()).toEqual({
      resealed: 1,
      upToDate: 0,
      failed: [expect.stringContaining(`Could not decrypt the secrets of ${lost}`)],
    });
    expect(await sealedOf(lost)).toEqual(before);
  });

  it('keeps credentials that were stored during the resealing', async () => {
    const id = await anAccount();
    await withKeys(first).seal(id, { accessToken: 'old' });
    const keys = createCredentialKeys({
      configured: [second, first],
      keyFile: null,
      withLockFile,
    });
    const unsealingKeys = async () => {
      // called between reading the old credentials and storing them resealed
      await withKeys(second).seal(id, { accessToken: 'new' });
      return keys.unsealingKeys();
    };
    expect(await createCredentialStore(db, { ...keys, unsealingKeys }).reseal()).toEqual({
      resealed: 0,
      upToDate: 0,
      failed: [],
    });
    expect(await withKeys(second).open(id)).toEqual({ accessToken: 'new' });
  });
});

describe('with an embedded database', () => {
  it('a key is created once, on first use, readable for its owner only', async () => {
    const [id, otherId] = [await anAccount(), await anAccount()];
    expect(await withFile().open(id)).toBeNull();
    await expect(stat(keyFileIn(dataDir))).rejects.toThrow('ENOENT');
    // like two processes
    await Promise.all([withFile().seal(id, SECRET), withFile().seal(otherId, SECRET)]);
    expect((await stat(keyFileIn(dataDir))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['credentials.key']);
    expect([await withFile().open(id), await withFile().open(otherId)]).toEqual([SECRET, SECRET]);
  });

  it('the key still unseals its credentials after keys are configured, and can be configured', async () => {
    const id = await anAccount();
    await withFile().seal(id, SECRET);
    expect(await withFile(second).open(id)).toEqual(SECRET);
    const { credentialsKeys } = readConfig({
      CREDENTIALS_KEY: await readFile(keyFileIn(dataDir), 'utf8'),
    });
    expect(await withKeys(...credentialsKeys).open(id)).toEqual(SECRET);
    expect(await withFile(second).reseal()).toEqual({ resealed: 1, upToDate: 0, failed: [] });
    expect(await withKeys(second).open(id)).toEqual(SECRET);
  });

  it('an invalid key file is reported and not overwritten', async () => {
    const id = await anAccount();
    await writeFile(keyFileIn(dataDir), 'broken\n');
    await expect(withFile().seal(id, SECRET)).rejects.toThrow(
      `${keyFileIn(dataDir)} does not contain a valid key. Restore it from a backup`,
    );
    expect(await readFile(keyFileIn(dataDir), 'utf8')).toBe('broken\n');
  });
});
