import pg from 'pg';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import { createKeyStore } from '../../../src/persistence/access/key-store.js';
import { createDatabase } from '../../../src/persistence/database.js';
import { keyHash } from '../../../src/services/access/key-hash.js';
import { createKeys } from '../../../src/services/access/keys.js';
import { createIds } from '../../../src/services/ids.js';
import { systemClock } from '../../../src/services/clock.js';
import { recordsIn, type Records } from '../../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const LATER = new Date(NOW.getTime() + 1);

describe('the grant of a key', () => {
  let db: TestDatabase;
  let records: Records;
  let grant: (value: string, workspaceId?: string, now?: Date) => Promise<unknown>;
  let keys: ReturnType<typeof createKeys>;
  beforeAll(async () => {
    db = await testDatabase();
    records = recordsIn(db);
    keys = createKeys({
      records: createAdminStore(db, NO_GRANTS_VERSIONS),
      ids: createIds(systemClock),
      clock: { now: () => NOW },
    });
    const store = createKeyStore(db);
    grant = (value, workspaceId, now = NOW) =>
      store.findGrant(keyHash(value), workspaceId ?? null, now);
  });
  afterAll(() => db.drop());

  it('is only the user if no workspace is given', async () => {
    const { id: userId } = await records.aUser({ name: 'Ada' });
    const { key, value } = await keys.create({ userId, name: 'one', scopes: ['posts', 'media'] });
    expect(await grant(value)).toEqual({
      caller: {
        user: { id: userId, name: 'Ada', picture: null },
        plan: 'business',
        key,
        rateLimitOverride: null,
      },
      viewer: null,
    });
  });

  it('is a viewer with the role of the membership and the plan of the workspace’s owner', async () => {
    const { id: ownerId } = await records.aUser({ name: 'Olga', plan: 'professional' });
    const { id: workspaceId } = await records.aWorkspace({ ownerId, requiresApproval: true });
    const {
      user: { id: editor },
    } = await records.aViewer({ workspaceId, role: 'editor', postActions: true, name: 'Emil' });
    const { value } = await keys.create({ userId: editor, name: 'two', scopes: ['posts'] });
    expect(await grant(value, workspaceId)).toMatchObject({
      caller: { plan: 'business' },
      viewer: {
        user: { id: editor, name: 'Emil' },
        role: 'editor',
        postActions: true,
        workspace: {
          id: workspaceId,
          name: 'Kiosk',
          picture: null,
          plan: 'professional',
          timeZone: 'Europe/Berlin',
          requiresApproval: true,
          locked: false,
        },
      },
    });
  });

  it('has no viewer in an unknown workspace or without membership', async () => {
    const { id: workspaceId } = await records.aWorkspace();
    const { value } = await keys.create({
      userId: (await records.aUser({ name: 'Otto' })).id,
      name: 'three',
      scopes: [],
    });
    expect(await grant(value, workspaceId)).toMatchObject({
      viewer: null,
      caller: { user: { name: 'Otto' } },
    });
    expect(await grant(value, 'wks_nowhere')).toMatchObject({ viewer: null });
  });

  it('is null for an unknown, expired or revoked key', async () => {
    const { id: userId } = await records.aUser({ name: 'Ada' });
    const expiring = await keys.create({ userId, name: 'expiring', scopes: [], expiresAt: LATER });
    const revoked = await keys.create({ userId, name: 'revoked', scopes: [] });
    expect(await grant('spk_live_unknown')).toBeNull();
    expect(await grant(expiring.value)).not.toBeNull();
    expect(await grant(expiring.value, undefined, LATER)).toBeNull();
    expect(await grant(revoked.value)).not.toBeNull();
    expect(await keys.revoke(revoked.key.id)).toBe(true);
    expect(await grant(revoked.value)).toBeNull();
  });

  it('is read with one prepared statement', async () => {
    const { id: userId } = await records.aUser({ name: 'Ada' });
    const { value } = await keys.create({ userId, name: 'four', scopes: [] });
    const pool = new pg.Pool({ ...db.pool.options, max: 1 });
    await createKeyStore(createDatabase(pool)).findGrant(keyHash(value), 'wks_nowhere', NOW);
    const { rows } = await pool.query(
      "SELECT FROM pg_prepared_statements WHERE statement LIKE '%api_key%'",
    );
    expect(rows).toHaveLength(1);
    await pool.end();
  });

  it('never contains the key or its hash', async () => {
    const { id: userId } = await records.aUser({ name: 'Ada' });
    const { key, value } = await keys.create({ userId, name: 'five', scopes: ['posts:read'] });
    await keys.revoke(key.id);
    expect(await keys.list(userId)).toEqual([{ ...key, userId, revokedAt: NOW, replacedBy: null }]);
    expect(key.prefix).toBe(value.slice(0, 13));
    expect(await keys.revoke('key_none')).toBe(false);
  });
});
