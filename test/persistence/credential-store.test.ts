import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config/config.js';
import {
  createCredentialKeys,
  keyFileIn,
} from '../../src/persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../../src/persistence/credentials/credential-store.js';
import { recordsIn } from '../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

const SECRET = { accessToken: 'tok-7f1c0ffee' };
const [first, second] = [randomBytes(32), randomBytes(32)];

let db: TestDatabase;
let dataDir: string;
const withKeys = (...configured: Uint8Array[]) =>
  createCredentialStore(db.prisma, createCredentialKeys({ configured, keyFile: null }));
const withFile = (...configured: Uint8Array[]) =>
  createCredentialStore(
    db.prisma,
    createCredentialKeys({ configured, keyFile: keyFileIn(dataDir) }),
  );
const anAccount = async (): Promise<string> => {
  const records = recordsIn(db);
  return (await records.anAccount({ workspaceId: (await records.aWorkspace()).id })).id;
};
const sealedOf = async (accountId: string) =>
  (await db.prisma.accountCredential.findUniqueOrThrow({ where: { accountId } })).sealed;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  await db.prisma.accountCredential.deleteMany();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'keys-'));
});
afterEach(() => rm(dataDir, { recursive: true }));
afterAll(() => db.drop());

describe('credentials', () => {
  it('are stored sealed, opened as given, replaced and forgotten', async () => {
    const [store, id] = [withKeys(first), await anAccount()];
    expect(await store.open(id)).toBeNull();
    await store.seal(id, SECRET);
    expect(await store.open(id)).toEqual(SECRET);
    expect(Buffer.from(await sealedOf(id)).toString('latin1')).not.toContain('tok-');
    await store.seal(id, { accessToken: 'another' });
    expect(await store.open(id)).toEqual({ accessToken: 'another' });
    expect([await store.forget(id), await store.forget(id), await store.open(id)]).toEqual([
      true,
      false,
      null,
    ]);
  });

  it('of one account do not open in the row of another', async () => {
    const [store, mine, theirs] = [withKeys(first), await anAccount(), await anAccount()];
    await store.seal(theirs, SECRET);
    await db.prisma.accountCredential.update({
      where: { accountId: theirs },
      data: { accountId: mine },
    });
    expect(await store.open(mine)).toMatchObject({
      message: expect.stringContaining('were sealed for another account'),
    });
  });

  it('go with their account', async () => {
    const id = await anAccount();
    await withKeys(first).seal(id, SECRET);
    await db.prisma.account.delete({ where: { id } });
    expect(await db.prisma.accountCredential.count()).toBe(0);
  });

  it('are not stored without a key on a database of one’s own, which is said', async () => {
    const [store, id] = [withKeys(), await anAccount()];
    const setIt =
      'CREDENTIALS_KEY is not set, and credentials are stored with it alone: give it 32 random bytes, as `openssl rand -base64 32` prints them';
    await expect(store.seal(id, SECRET)).rejects.toThrow(new Error(setIt));
    expect(await store.open(id)).toBeNull();
    await withKeys(first).seal(id, SECRET);
    expect(await store.open(id)).toEqual(new Error(setIt));
    await expect(store.reseal()).rejects.toThrow(new Error(setIt));
  });
});

describe('a change of keys', () => {
  it('opens old ones, seals new ones with the first, and seals all anew on request', async () => {
    const [old, fresh] = [await anAccount(), await anAccount()];
    await withKeys(first).seal(old, SECRET);
    const { updatedAt } = await db.prisma.accountCredential.findUniqueOrThrow({
      where: { accountId: old },
    });
    const both = withKeys(second, first);
    expect(await both.open(old)).toEqual(SECRET);
    await both.seal(fresh, SECRET);
    expect(await withKeys(second).open(old)).toMatchObject({
      message: expect.stringContaining('which is not at hand'),
    });
    expect(await both.reseal()).toEqual({ resealed: 1, current: 1, refused: [] });
    expect(await both.reseal()).toEqual({ resealed: 0, current: 2, refused: [] });
    expect(await withKeys(second).open(old)).toEqual(SECRET);
    expect(
      await db.prisma.accountCredential.findUniqueOrThrow({ where: { accountId: old } }),
    ).toMatchObject({ updatedAt });
  });

  it('leaves as it is what no key opens, and says so', async () => {
    const [lost, mine] = [await anAccount(), await anAccount()];
    await withKeys(randomBytes(32)).seal(lost, SECRET);
    await withKeys(first).seal(mine, SECRET);
    const before = await sealedOf(lost);
    expect(await withKeys(second, first).reseal()).toEqual({
      resealed: 1,
      current: 0,
      refused: [expect.stringContaining(`The credentials of ${lost} cannot be opened`)],
    });
    expect(await sealedOf(lost)).toEqual(before);
  });

  it('keeps what was connected while it ran', async () => {
    const id = await anAccount();
    await withKeys(first).seal(id, { accessToken: 'old' });
    const keys = createCredentialKeys({ configured: [second, first], keyFile: null });
    const opening = async () => {
      // asked for between reading the old text and storing it sealed anew
      await withKeys(second).seal(id, { accessToken: 'new' });
      return keys.opening();
    };
    expect(await createCredentialStore(db.prisma, { ...keys, opening }).reseal()).toEqual({
      resealed: 0,
      current: 0,
      refused: [],
    });
    expect(await withKeys(second).open(id)).toEqual({ accessToken: 'new' });
  });
});

describe('beside an embedded server', () => {
  it('a key is made when it is first needed, once, for its owner’s eyes', async () => {
    const [id, twin] = [await anAccount(), await anAccount()];
    expect(await withFile().open(id)).toBeNull();
    await expect(stat(keyFileIn(dataDir))).rejects.toThrow('ENOENT');
    await Promise.all([withFile().seal(id, SECRET), withFile().seal(twin, SECRET)]); // as two processes would
    expect((await stat(keyFileIn(dataDir))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['credentials.key']);
    expect([await withFile().open(id), await withFile().open(twin)]).toEqual([SECRET, SECRET]);
  });

  it('its key still opens what it sealed once keys are configured, and may be configured itself', async () => {
    const id = await anAccount();
    await withFile().seal(id, SECRET);
    expect(await withFile(second).open(id)).toEqual(SECRET);
    const { credentialsKeys } = readConfig({
      CREDENTIALS_KEY: await readFile(keyFileIn(dataDir), 'utf8'),
    });
    expect(await withKeys(...credentialsKeys).open(id)).toEqual(SECRET);
    expect(await withFile(second).reseal()).toEqual({ resealed: 1, current: 0, refused: [] });
    expect(await withKeys(second).open(id)).toEqual(SECRET);
  });

  it('a file that holds no key is told, and not written over', async () => {
    const id = await anAccount();
    await writeFile(keyFileIn(dataDir), 'broken\n');
    await expect(withFile().seal(id, SECRET)).rejects.toThrow(
      `${keyFileIn(dataDir)} holds no key: put it back from your backup`,
    );
    expect(await readFile(keyFileIn(dataDir), 'utf8')).toBe('broken\n');
  });
});
