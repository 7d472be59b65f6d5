import { createIdempotencyStore } from '../../src/persistence/changes/idempotency-store.js';
import { createPostingScheduleStore } from '../../src/persistence/posting-schedules/posting-schedule-store.js';
import { createHistoryStore } from '../../src/persistence/history/history-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { createWorkspaceRecordStore } from '../../src/persistence/workspaces/workspace-record-store.js';
import type { PostPatch } from '../../src/domain/posts/post-fields.js';
import { createPosts } from '../../src/services/posts/posts.js';
import { recordsIn } from '../fixtures/records.js';
import { demoScenario } from './demo-scenario.js';

const EMPTY_PATCHES: readonly PostPatch[] = [{}, { recurring: {} }, { recycling: {} }];

test('an update without a value changes no demo post, also by members who need approval', async () => {
  const scenario = await demoScenario();
  try {
    const database = scenario.db;
    const { prisma } = database;
    const posts = createPosts({
      history: createHistoryStore(database),
      store: createPostStore(database),
      ids: recordsIn(scenario.db).ids,
      clock: { now: () => new Date() },
      workspaceRecords: createWorkspaceRecordStore(database),
      postingSchedules: createPostingScheduleStore(database),
      idempotency: createIdempotencyStore(database),
    });
    const readVersions = () =>
      prisma.post.findMany({ select: { docId: true, version: true }, orderBy: { id: 'asc' } });
    const before = await readVersions();
    let updated = 0;
    for (const workspaceId of [scenario.demo.workspaceId, scenario.demo.otherWorkspaceId]) {
      const rows = await prisma.post.findMany({ where: { workspaceId }, select: { docId: true } });
      for (const name of ['owner', 'editor'] as const) {
        const viewer = await scenario.viewer(name, workspaceId);
        for (const { docId } of rows) {
          for (const patch of EMPTY_PATCHES) {
            const outcome = await posts.update(viewer, {
              id: docId,
              patch,
              duplicates: 'refuse',
              dryRun: false,
            });
            if (outcome.kind === 'updated') updated++;
          }
        }
      }
    }
    expect(updated).toBeGreaterThan(500);
    expect(await readVersions()).toEqual(before);
  } finally {
    await scenario.close();
  }
});
