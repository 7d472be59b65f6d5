import { randomBytes } from 'node:crypto';
import { withLockFile } from '../../../src/embedded-postgres/lock-file.js';
import {
  createCredentialKeys,
  type CredentialKeys,
} from '../../../src/persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../../../src/persistence/credentials/credential-store.js';
import { createWebhookSecrets } from '../../../src/persistence/webhooks/webhook-secrets.js';
import { createWebhookStore } from '../../../src/persistence/webhooks/webhook-store.js';
import { recordsIn } from '../../fixtures/records.js';
import { withDatabase } from '../../setup/database.js';

const [first, second] = [randomBytes(32), randomBytes(32)];
const [OLD, CURRENT] = ['whsec_b2xk', 'whsec_Y3VycmVudA=='];
const db = withDatabase();
beforeEach(() => db.pool.query('DELETE FROM webhook'));

const keysOf = (...configured: Uint8Array[]): CredentialKeys =>
  createCredentialKeys({ configured, keyFile: null, withLockFile });
const reseal = (...configured: Uint8Array[]) =>
  createCredentialStore(db, keysOf(...configured)).reseal();

/** A webhook whose secret was rotated, sealed with the key. */
async function aRotatedWebhook(key: Uint8Array): Promise<string> {
  const { id: workspaceId } = await recordsIn(db).aWorkspace();
  const store = createWebhookStore(db, createWebhookSecrets(keysOf(key)));
  const id = `whk_${randomBytes(8).toString('hex')}`;
  const createdAt = new Date();
  const webhook = { id, url: 'https://hooks.example.com/', types: [], createdAt, secret: OLD };
  expect(await store.create(workspaceId, webhook, 10)).toBe(true);
  await store.replaceSecret(workspaceId, id, { secret: CURRENT, previousUntil: new Date() });
  return id;
}

/** The current and the previous secret, opened with these keys. */
async function open(id: string, ...configured: Uint8Array[]): Promise<string[] | Error> {
  const { rows } = await db.pool.query<{ current: Buffer; previous: Buffer }>(
    'SELECT sealed_secret AS current, previous_secret AS previous FROM webhook WHERE id = $1',
    [id],
  );
  const { current, previous } = rows[0]!;
  return createWebhookSecrets(keysOf(...configured)).open(id, [current, previous]);
}

it('the secrets of a webhook are resealed with the new key, that before the rotation too', async () => {
  const id = await aRotatedWebhook(first);
  expect(await open(id, first)).toEqual([CURRENT, OLD]);
  expect(await open(id, second)).toBeInstanceOf(Error);
  expect(await reseal(second, first)).toEqual({ resealed: 2, upToDate: 0, failed: [] });
  expect(await open(id, second)).toEqual([CURRENT, OLD]);
  expect(await open(id, first)).toBeInstanceOf(Error);
  expect(await reseal(second, first)).toEqual({ resealed: 0, upToDate: 2, failed: [] });
});

it('secrets that no key opens are reported, and stay as they are', async () => {
  const id = await aRotatedWebhook(first);
  const { resealed, failed } = await reseal(second);
  expect([resealed, failed.length]).toEqual([0, 2]);
  expect(failed[0]).toMatch(
    new RegExp(
      `^Could not decrypt the secrets of ${id}: they were encrypted with key [0-9a-f]{16}`,
    ),
  );
  expect(await open(id, first)).toEqual([CURRENT, OLD]);
});

it('a secret is bound to its webhook: that of another one cannot be read in its place', async () => {
  const [id, other] = [await aRotatedWebhook(first), await aRotatedWebhook(first)];
  await db.pool.query(
    'UPDATE webhook SET sealed_secret = (SELECT sealed_secret FROM webhook WHERE id = $2) WHERE id = $1',
    [id, other],
  );
  expect(await open(id, first)).toBeInstanceOf(Error);
});
