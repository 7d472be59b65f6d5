import { createAdminStore, type AdminStore } from '../../src/persistence/admin/admin-store.js';
import { GATE_TIMES, openSharedMemory, type SharedMemory } from '../../src/redis/redis-state.js';
import { recordsIn, type Records } from '../fixtures/records.js';
import { keptLog } from '../fixtures/redis-parts.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { testRedis, type TestRedis } from '../setup/redis.js';

/** Olga owns a workspace of her own; Emil is a member of it; Zoe has nothing to do with them. */
interface Cast {
  olga: string;
  emil: string;
  zoe: string;
  workspaceId: string;
  emilsKey: string;
  emailOfOlga: string;
}

describe('an operator’s change', () => {
  let db: TestDatabase;
  let redis: TestRedis;
  let shared: SharedMemory;
  let admin: AdminStore;
  let records: Records;
  beforeAll(async () => {
    [db, redis] = [await testDatabase(), await testRedis()];
    shared = await openSharedMemory(
      { redisUrls: [redis.url], redisPrefix: redis.prefix },
      keptLog().log,
      GATE_TIMES,
    );
    admin = createAdminStore(db.prisma, shared.epochs);
    records = recordsIn(db);
  });
  afterAll(async () => {
    shared.close();
    await redis.close();
    await db.drop();
  });

  async function aCast(): Promise<Cast> {
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
  const epochsOf = ({ olga, emil, zoe }: Cast): Promise<string[]> =>
    Promise.all([olga, emil, zoe].map(async (id) => (await shared.requests!.take(id, ''))!.epoch));

  it.each<[string, ('Olga' | 'Emil' | 'Zoe')[], (cast: Cast) => Promise<unknown>]>([
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
      'the end of a membership',
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
      'a user put back',
      ['Olga', 'Emil'],
      ({ olga, emailOfOlga }) =>
        admin.restoreUser({ id: olga, name: 'Olga', email: emailOfOlga, plan: 'free' }),
    ],
    [
      'the end of all a user owns',
      ['Olga', 'Emil'],
      ({ emailOfOlga }) => admin.removeOwned([emailOfOlga]),
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
  ])('of %s ends what is known of %j before it returns', async (_what, ended, change) => {
    const cast = await aCast();
    const before = await epochsOf(cast);
    await change(cast);
    const after = await epochsOf(cast);
    expect(['Olga', 'Emil', 'Zoe'].filter((_, index) => before[index] !== after[index])).toEqual(
      ended,
    );
  });
});
