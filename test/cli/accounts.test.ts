import { randomBytes } from 'node:crypto';
import { createCredentialKeys } from '../../src/persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../../src/persistence/credentials/credential-store.js';
import { anOperator } from '../fixtures/operator.js';
import { recordsIn } from '../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

const SECRET = 'tok-7f1c0ffee';
const [first, second, strange] = [randomBytes(32), randomBytes(32), randomBytes(32)];

let db: TestDatabase;
let keys: readonly Uint8Array[] = [first];
const { cli, json } = anOperator(() => ({
  DATABASE_URL: db.url,
  CREDENTIALS_KEY: keys.map((key) => Buffer.from(key).toString('base64')).join(),
}));
const storeWith = (...configured: Uint8Array[]) =>
  createCredentialStore(db.prisma, createCredentialKeys({ configured, keyFile: null }));
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

describe('an operator’s accounts', () => {
  it('are listed with how they stand, without what is sealed', async () => {
    const records = recordsIn(db);
    const { id: workspaceId } = await records.aWorkspace();
    const connected = await records.anAccount({ workspaceId, name: 'Connected' });
    await records.anAccount({ workspaceId, name: 'Alone' });
    await records.anAccount({ workspaceId, name: 'Played', sandbox: true });
    const expired = await records.anAccount({ workspaceId, name: 'Expired', needsReauth: true });
    for (const { id } of [connected, expired])
      await storeWith(first).seal(id, { accessToken: SECRET });
    const { out } = await cli('accounts', 'list', '--workspace', workspaceId);
    expect(out.split('\n').map((one) => one.split(/ {2,}/).slice(2))).toEqual([
      ['network', 'type', 'stands', 'name'],
      ['mastodon', 'profile', 'connected', 'Connected'],
      ['mastodon', 'profile', 'not connected', 'Alone'],
      ['mastodon', 'profile', 'sandbox', 'Played'],
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

  it('are disconnected: the credentials go, the account stays', async () => {
    const records = recordsIn(db);
    const { id } = await records.anAccount({ workspaceId: (await records.aWorkspace()).id });
    await storeWith(first).seal(id, { accessToken: SECRET });
    expect(await cli('accounts', 'disconnect', id)).toEqual({
      code: 0,
      out: `${id} is disconnected.`,
      err: '',
    });
    expect([
      await db.prisma.accountCredential.count({ where: { accountId: id } }),
      await db.prisma.account.count({ where: { id } }),
    ]).toEqual([0, 1]);
    expect(await json('accounts', 'disconnect', id)).toEqual({ id, forgotten: false });
  });

  it('are sealed anew after a change of keys; what no key opens is told and ends with 1', async () => {
    await db.prisma.accountCredential.deleteMany();
    const records = recordsIn(db);
    const { id: workspaceId } = await records.aWorkspace();
    const [mine, lost] = [
      await records.anAccount({ workspaceId }),
      await records.anAccount({ workspaceId }),
    ];
    await storeWith(first).seal(mine.id, { accessToken: SECRET });
    keys = [second, first];
    expect(await cli('accounts', 'reseal')).toEqual({
      code: 0,
      out: '1 resealed, 0 already with this key, 0 not opened.',
      err: '',
    });
    expect(await storeWith(second).open(mine.id)).toEqual({ accessToken: SECRET });
    await storeWith(strange).seal(lost.id, { accessToken: SECRET });
    expect(await cli('accounts', 'reseal')).toEqual({
      code: 1,
      err: '',
      out: expect.stringMatching(
        new RegExp(
          `^0 resealed, 1 already with this key, 1 not opened\\.\nThe credentials of ${lost.id} cannot be opened: they were sealed with the key [0-9a-f]{16}`,
        ),
      ),
    });
  });
});
