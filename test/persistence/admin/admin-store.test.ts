import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import type { AdminStore } from '../../../src/persistence/admin/admin-store.js';
import {
  AUTHENTICATION_TIMES,
  openRedisState,
  type RedisState,
} from '../../../src/redis/shared-redis-state.js';
import { recordsIn, type Records } from '../../fixtures/records.js';
import { recordingLog } from '../../fixtures/redis-connection.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { testRedis, type TestRedis } from '../../setup/redis.js';

/** Olga owns a workspace, Emil is a member of it, Zoe is not a member. */
interface TestUsers {
  olga: string;
  emil: string;
  zoe: string;
  workspaceId: string;
  emilsKey: string;
  emailOfOlga: string;
}

describe('a change of records', () => {
  let db: TestDatabase;
  let redis: TestRedis;
  let redisState: RedisState;
  let admin: AdminStore;
  let records: Records;
  beforeAll(async () => {
    [db, redis] = [await testDatabase(), await testRedis()];
    redisState = await openRedisState(
      { redisUrls: [redis.url], redisPrefix: redis.prefix },
      recordingLog().log,
      AUTHENTICATION_TIMES,
    );
    admin = createAdminStore(db, redisState.grantsVersions);
    records = recordsIn(db);
  });
  afterAll(async () => {
    redisState.close();
    await redis.close();
    await db.drop();
  });

  async function createTestUsers(): Promise<TestUsers> {
    const owner = await records.aViewer({ name: 'Olga' });
    const workspaceId = owner.workspace.id;
    const emil = await records.aViewer({ workspaceId, role: 'editor', name: 'Emil' });
    const zoe = await records.aUser({ name: 'Zoe' });
    return {
      olga: owner.user.id,
      emil: emil.user.id,
      zoe: zoe.id,
      workspaceId,
      emilsKey: emil.key.id,
      emailOfOlga: `${owner.user.id}@example.com`,
    };
  }
  const versionsOf = ({ olga, emil, zoe }: TestUsers): Promise<string[]> =>
    Promise.all(
      [olga, emil, zoe].map(
        async (id) =>
          (await redisState.requests!.increment(id, { grantsVersion: '' }))!.grantsVersion,
      ),
    );

  it.each<[string, ('Olga' | 'Emil' | 'Zoe')[], (users: TestUsers) => Promise<unknown>]>([
    ['the owner’s plan', ['Olga', 'Emil'], ({ olga }) => admin.updateUser(olga, { plan: 'free' })],
    ['a member’s limit', ['Emil'], ({ emil }) => admin.updateUser(emil, { rateLimitOverride: 7 })],
    [
      'the workspace’s settings',
      ['Olga', 'Emil'],
      ({ workspaceId }) => admin.updateWorkspace(workspaceId, { requiresApproval: true }),
    ],
    [
      'a new membership',
      ['Zoe'],
      ({ workspaceId, zoe }) => admin.addMember({ workspaceId, userId: zoe, role: 'viewer' }),
    ],
    [
      'a membership',
      ['Emil'],
      ({ workspaceId, emil }) => admin.updateMember(workspaceId, emil, { role: 'admin' }),
    ],
    [
      'a removed membership',
      ['Emil'],
      ({ workspaceId, emil }) => admin.removeMember(workspaceId, emil),
    ],
    [
      'a new workspace',
      ['Zoe'],
      ({ zoe }) =>
        admin.addWorkspace(
          {
            id: records.ids.prefixed('wks'),
            name: 'x',
            picture: null,
            timeZone: 'UTC',
            requiresApproval: false,
          },
          zoe,
        ),
    ],
    ['a revoked key', ['Emil'], ({ emilsKey }) => admin.revokeKey(emilsKey, new Date())],
    [
      'a restored user',
      ['Olga', 'Emil'],
      ({ olga, emailOfOlga }) =>
        admin.restoreUser({ id: olga, name: 'Olga', email: emailOfOlga, plan: 'free' }),
    ],
    [
      'the deletion of a workspace and of keys',
      ['Olga', 'Emil', 'Zoe'],
      async ({ workspaceId, zoe }) => {
        const hash = Buffer.alloc(32, 7);
        await db.prisma.apiKey.create({
          data: { id: 'key_zoe', userId: zoe, name: 'zoe', hash, prefix: 'x', scopes: [] },
        });
        await admin.deleteWorkspacesAndKeys([workspaceId], [hash]);
        expect(await db.prisma.apiKey.count({ where: { userId: zoe } })).toBe(0);
      },
    ],
    [
      'nothing',
      [],
      ({ olga }) =>
        Promise.all([
          admin.updateUser('usr_none', { plan: 'free' }),
          admin.removeMember('wks_none', olga),
          admin.revokeKey('key_none', new Date()),
        ]),
    ],
  ])('of %s renews the grants versions of %j before it returns', async (_what, renewed, change) => {
    const users = await createTestUsers();
    const before = await versionsOf(users);
    await change(users);
    const after = await versionsOf(users);
    expect(['Olga', 'Emil', 'Zoe'].filter((_, index) => before[index] !== after[index])).toEqual(
      renewed,
    );
  });
});
