import { createJobStore } from '../../../src/persistence/jobs/job-store.js';
import { recordsIn } from '../../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

describe('jobs', () => {
  let db: TestDatabase;
  let workspaceId: string;
  let otherId: string;
  let postId: number;
  const createdAt = new Date('2026-11-20T09:00:00.123Z');
  const failures = [{ id: '65f0', code: 'RULE_VIOLATION', message: 'The network refused.' }];
  beforeAll(async () => {
    db = await testDatabase();
    const records = recordsIn(db);
    const [owner, other] = [await records.aViewer(), await records.aViewer()];
    [workspaceId, otherId] = [owner.workspace.id, other.workspace.id];
    postId = (await records.aPost({ by: owner, storedState: 'draft_undated' })).databaseId;
    await db.prisma.job.createMany({
      data: [
        { id: 'job_working', workspaceId, kind: 'network_edit', postId, createdAt },
        {
          id: 'job_done',
          workspaceId,
          kind: 'import',
          status: 'completed',
          progress: 1,
          failures,
          createdAt,
          finishedAt: createdAt,
        },
        { id: 'job_other', workspaceId: otherId, kind: 'purge', createdAt },
      ],
    });
  });
  afterAll(() => db.drop());

  it('are found with their failures, and with their post by its database ID', async () => {
    const jobs = createJobStore(db);
    expect(await jobs.find(workspaceId, 'job_working')).toEqual({
      id: 'job_working',
      kind: 'network_edit',
      status: 'working',
      progress: 0,
      result: null,
      failures: [],
      postId,
      createdAt,
      finishedAt: null,
    });
    expect(await jobs.find(workspaceId, 'job_done')).toMatchObject({
      status: 'completed',
      failures,
      postId: null,
      finishedAt: createdAt,
    });
  });

  it('of another workspace are unknown, and so are malformed ids', async () => {
    const jobs = createJobStore(db);
    for (const id of ['job_other', 'job_none', 'job_\u0000', '', '65f000000000000000000001'])
      expect(await jobs.find(workspaceId, id)).toBeNull();
    expect([
      ...(await jobs.byIds(workspaceId, ['job_other', 'job_done', 'job_\u0000'])).keys(),
    ]).toEqual(['job_done']);
  });
});
