import { randomBytes } from 'node:crypto';
import { withLockFile } from '../../../src/embedded-postgres/lock-file.js';
import { createCredentialKeys } from '../../../src/persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../../../src/persistence/credentials/credential-store.js';
import { anOperator } from '../../fixtures/operator.js';
import { recordsIn } from '../../fixtures/records.js';
import { withDatabase } from '../../setup/database.js';

const SECRET = 'tok-7f1c0ffee';
const [firstKey, secondKey, unknownKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
let keys: readonly Uint8Array[] = [firstKey];
const { cli, json } = anOperator(() => ({
  DATABASE_URL: db.url,
  CREDENTIALS_KEY: keys.map((key) => Buffer.from(key).toString('base64')).join(),
}));
const storeWith = (...configured: Uint8Array[]) =>
  createCredentialStore(db, createCredentialKeys({ configured, keyFile: null, withLockFile }));
const db = withDatabase();

describe('accounts', () => {
  it('list prints accounts with their status, without credentials', async () => {
    const records = recordsIn(db);
    const { id: workspaceId } = await records.aWorkspace();
    const connected = await records.anAccount({ workspaceId, name: 'Connected' });
    await records.anAccount({ workspaceId, name: 'Unconnected' });
    await records.anAccount({ workspaceId, name: 'Trial', sandbox: true });
    const expired = await records.anAccount({ workspaceId, name: 'Expired', needsReauth: true });
    for (const { id } of [connected, expired])
      await storeWith(firstKey).seal(id, { accessToken: SECRET });
    const { out } = await cli('accounts', 'list', '--workspace', workspaceId);
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(2))).toEqual([
      ['network', 'type', 'status', 'name'],
      ['mastodon', 'profile', 'connected', 'Connected'],
      ['mastodon', 'profile', 'not connected', 'Unconnected'],
      ['mastodon', 'profile', 'sandbox', 'Trial'],
      ['mastodon', 'profile', 'needs reauthorization', 'Expired'],
    ]);
    const listed = await json('accounts', 'list');
    expect(listed).toContainEqual({
      ...connected,
      workspaceId,
      connectedAt: expect.stringMatching(/^2/),
    });
    expect(JSON.stringify(listed) + out).not.toMatch(new RegExp(`${SECRET}|sealed|accessToken`));
  });

  it('disconnect deletes the credentials and keeps the account', async () => {
    const records = recordsIn(db);
    const { id } = await records.anAccount({ workspaceId: (await records.aWorkspace()).id });
    await storeWith(firstKey).seal(id, { accessToken: SECRET });
    expect(await cli('accounts', 'disconnect', id)).toEqual({
      code: 0,
      out: `${id} is disconnected.`,
      err: '',
    });
    expect([
      await db.prisma.accountCredential.count({ where: { accountId: id } }),
      await db.prisma.account.count({ where: { id } }),
    ]).toEqual([0, 1]);
    expect(await json('accounts', 'disconnect', id)).toEqual({ id, disconnected: false });
  });

  it('reseal seals all credentials with the first key, and reports those that no key unseals with exit code 1', async () => {
    await db.prisma.accountCredential.deleteMany();
    const records = recordsIn(db);
    const { id: workspaceId } = await records.aWorkspace();
    const [openable, unopenable] = [
      await records.anAccount({ workspaceId }),
      await records.anAccount({ workspaceId }),
    ];
    await storeWith(firstKey).seal(openable.id, { accessToken: SECRET });
    keys = [secondKey, firstKey];
    expect(await cli('accounts', 'reseal')).toEqual({
      code: 0,
      out: '1 re-encrypted, 0 already encrypted with this key, 0 could not be decrypted.',
      err: '',
    });
    expect(await storeWith(secondKey).open(openable.id)).toEqual({ accessToken: SECRET });
    await storeWith(unknownKey).seal(unopenable.id, { accessToken: SECRET });
    expect(await cli('accounts', 'reseal')).toEqual({
      code: 1,
      err: '',
      out: expect.stringMatching(
        new RegExp(
          `^0 re-encrypted, 1 already encrypted with this key, 1 could not be decrypted\\.\nCould not decrypt the secrets of ${unopenable.id}: they were encrypted with key [0-9a-f]{16}, which is not configured`,
        ),
      ),
    });
  });
});
