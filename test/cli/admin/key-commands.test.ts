import { createKeyStore } from '../../../src/persistence/access/key-store.js';
import { keyHash } from '../../../src/services/access/key-hash.js';
import { anOperator } from '../../fixtures/operator.js';
import { withDatabase } from '../../setup/database.js';
import { adminRecords, words } from './admin-records.js';

const HOUR_MS = 3_600_000;
const db = withDatabase();

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const { createUser, createKey } = adminRecords(json);
const grant = (value: string, at = new Date()) =>
  createKeyStore(db).findGrant(keyHash(value), null, at);

describe('keys list and keys revoke', () => {
  it('list keys without their values, and revoke a key immediately', async () => {
    await createUser('Kim', 'kim@example.com');
    const { id, value, prefix } = await createKey('kim@example.com', 'Phone', '--scope posts:read');
    const listed = await cli('keys', 'list', '--user', 'kim@example.com');
    expect(listed.out).toMatch(
      new RegExp(
        `^id +prefix +user +status +valid until +scopes +name\\n${id}  ${prefix}…  usr_\\w+  valid   –            posts:read  Phone$`,
      ),
    );
    expect(listed.out).not.toContain(value);
    expect(await cli('keys', 'revoke', id)).toEqual({ code: 0, out: `${id} is revoked.`, err: '' });
    expect(await grant(value)).toBeNull();
    expect((await cli('keys', 'list')).out).toContain('revoked');
  });
});

describe('keys rotate', () => {
  async function rotateNewKey(options = '') {
    const user = await createUser('Rosa');
    const oldKey = await createKey(
      user.id,
      'Site',
      '--scope posts media --expires 2999-01-01T00:00:00Z',
    );
    const newKey = await json('keys', 'rotate', oldKey.id, ...words(options));
    const oldExpiresAt = new Date(newKey.replaces.expiresAt);
    return { user, oldKey, newKey, oldExpiresAt };
  }

  it.each([
    ['', 24],
    ['--grace 7d', 168],
    ['--grace 30m', 0.5],
  ])('with options %j keeps the old key valid for %d hours', async (options, hours) => {
    const { user, oldKey, newKey, oldExpiresAt } = await rotateNewKey(options);
    expect((oldExpiresAt.getTime() - Date.now()) / HOUR_MS).toBeCloseTo(hours, 1);
    expect((await grant(oldKey.value))!.caller.key).toMatchObject({
      id: oldKey.id,
      expiresAt: oldExpiresAt,
    });
    expect((await grant(newKey.value))!.caller).toMatchObject({
      user: { id: user.id },
      key: {
        id: newKey.id,
        name: 'Site',
        scopes: ['posts', 'media'],
        expiresAt: new Date('2999-01-01'),
      },
    });
    const justBefore = new Date(oldExpiresAt.getTime() - 1);
    expect(await grant(oldKey.value, justBefore)).not.toBeNull();
    expect(await grant(oldKey.value, oldExpiresAt)).toBeNull();
  });

  it('with --grace 0 ends the old key immediately', async () => {
    const { oldKey, newKey } = await rotateNewKey('--grace 0 --expires 2998-01-01T00:00:00Z');
    expect(await grant(oldKey.value)).toBeNull();
    expect((await grant(newKey.value))!.caller.key.expiresAt).toEqual(new Date('2998-01-01'));
  });

  it('prints the new value and until when the old key is valid', async () => {
    const { newKey } = await rotateNewKey();
    expect((await cli('keys', 'rotate', newKey.id)).out).toMatch(
      new RegExp(
        `^spk_live_\\w{36}\\nkey_\\w+, posts media\\. Save the value now: it is not shown again\\. It expires at 2999-01-01T00:00:00\\.000Z\\. ${newKey.id} is valid until 2\\d{3}-.+Z\\.$`,
      ),
    );
  });
});

describe('keys rotate never', () => {
  let user: { id: string };
  const expiresAt = new Date(Date.now() + HOUR_MS / 2).toISOString();
  const createExpiringKey = (): Promise<{ id: string }> =>
    createKey(user.id, 'Site', `--scope posts --expires ${expiresAt}`);
  beforeAll(async () => {
    user = await createUser('Rosa');
  });

  it('extends the lifetime of the old key', async () => {
    const { id } = await createExpiringKey();
    expect(await json('keys', 'rotate', id, '--grace', '7d')).toMatchObject({
      expiresAt,
      replaces: { expiresAt },
    });
  });

  it('replaces a key twice, even by concurrent commands', async () => {
    const { id } = await createExpiringKey();
    const results = await Promise.all([1, 2, 3].map(() => cli('--json', 'keys', 'rotate', id)));
    const [success] = results.filter(({ code }) => code === 0);
    const failure = {
      code: 1,
      out: '',
      err: `error: ${id} was already replaced by ${JSON.parse(success!.out).id}: if the value of that key is lost, rotate it, or create another with \`keys create\``,
    };
    expect(results.filter((result) => result !== success)).toEqual([failure, failure]);
    expect(await cli('keys', 'rotate', id)).toEqual(failure);
  });

  it('replaces a revoked or unknown key, or accepts an invalid grace period', async () => {
    const { id } = await createExpiringKey();
    await json('keys', 'revoke', id);
    const before = await json('keys', 'list', '--user', user.id);
    for (const invalidId of [id, 'key_none']) {
      expect(await cli('keys', 'rotate', invalidId)).toEqual({
        code: 1,
        out: '',
        err: `error: There is no valid key "${invalidId}": create one with \`keys create\``,
      });
    }
    expect(await cli('keys', 'rotate', id, '--grace', '2 days')).toMatchObject({
      code: 2,
      err: expect.stringContaining('such as 24h; or 0.'),
    });
    expect(await cli('keys', 'rotate', id, '--grace', '366d')).toMatchObject({ code: 2, out: '' });
    expect(await json('keys', 'list', '--user', user.id)).toEqual(before);
  });
});
