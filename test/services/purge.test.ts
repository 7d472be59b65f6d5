import { importKeyOf } from '../../src/services/imports/plan-import.js';
import { createPurge, type PurgeStore } from '../../src/services/jobs/purge.js';
import type { JobRun } from '../../src/services/jobs/job-ports.js';
import { aNightShift, type NightShift } from '../fixtures/test-worker.js';
import { NOW } from '../fixtures/services.js';

let night: NightShift;
beforeAll(async () => {
  night = await aNightShift();
});
afterAll(() => night.database.drop());
beforeEach(() => night.clear());

const HOUR = 3_600_000;
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);
const count = async (table: string): Promise<number> =>
  (await night.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n;

async function purge(): Promise<void> {
  await night.sql('DELETE FROM pgboss.job');
  await night.runs.schedule();
  expect(await night.doDue()).toEqual(['completed']);
}

describe('the purge', () => {
  it('stands in the line once an hour, whoever asks, and is a job of no workspace', async () => {
    await Promise.all([1, 2, 3, 4].map(() => night.runs.schedule()));
    expect(await night.sql('SELECT kind, status, workspace_id, user_id FROM job')).toEqual([
      { kind: 'purge', status: 'working', workspace_id: null, user_id: null },
    ]);
    expect(await night.doDue()).toEqual(['completed']);
    await night.runs.schedule();
    expect(await night.sql('SELECT status, progress FROM job')).toEqual([
      { status: 'completed', progress: 1 },
    ]);
    await night.sql("UPDATE pgboss.job SET singleton_on = singleton_on - interval '1 hour'");
    await night.runs.schedule();
    expect(await count("job WHERE status = 'working'")).toBe(1);
  });

  it('removes records of idempotency keys after 24 hours', async () => {
    const by = await night.aViewer();
    for (const [key, hours] of [
      ['old', 24.1],
      ['young', 23.9],
    ] as const) {
      await night.sql(
        "INSERT INTO idempotency (user_id, workspace_id, operation, target, key, fingerprint, claim, outcome, claimed_at) VALUES ($1, $2, 'update', 'x', $3, 'f', 'c', '{}', $4)",
        by.user.id,
        by.workspace.id,
        key,
        ago(hours),
      );
    }
    await purge();
    expect(await night.sql('SELECT key FROM idempotency')).toEqual([{ key: 'young' }]);
  });

  it('removes deleted posts after 30 days, with all that hangs on them, and keeps what others need', async () => {
    const by = await night.aViewer();
    const label = await night.aLabel({ workspaceId: by.workspace.id });
    const media = await night.aMedia({ workspaceId: by.workspace.id });
    const brief = { by, labels: [label], media: [media] };
    const [series, gone, kept] = [
      await night.aPost({ by, cell: 'recurring' }),
      await night.aPost(brief),
      await night.aPost(brief),
    ];
    const child = await night.aPost({ by, cell: 'published_posted', parentId: series.databaseId });
    await night.update(by, gone, { text: 'New' });
    await night.remove(by, [series.id, gone.id, kept.id]);
    await night.sql(
      'UPDATE post SET deleted_at = $1 WHERE id = ANY($2::bigint[])',
      ago(30 * 24 + 1),
      [series.databaseId, gone.databaseId],
    );
    await night.sql(
      'UPDATE post SET deleted_at = $1 WHERE id = $2',
      ago(30 * 24 - 1),
      kept.databaseId,
    );
    await purge();
    expect(
      await night.sql(
        'SELECT id::int FROM post WHERE workspace_id = $1 ORDER BY id',
        by.workspace.id,
      ),
    ).toEqual([{ id: kept.databaseId }, { id: child.databaseId }]);
    for (const table of [
      'post_body',
      'post_search',
      'post_label',
      'post_media',
      'revision',
      'cap_slot',
    ])
      expect([table, await count(`${table} WHERE post_id = ${gone.databaseId}`)]).toEqual([
        table,
        0,
      ]);
    expect([
      await count(`label WHERE id = '${label.id}'`),
      await count(`media WHERE id = '${media.id}'`),
    ]).toEqual([1, 1]);
  });

  it('does not let an import bring back what was deleted', async () => {
    const by = await night.aViewer();
    const account = await night.anAccount({ workspaceId: by.workspace.id, network: 'wordpress' });
    const post = await night.aPost({ by, account, cell: 'published_posted', type: 'article' });
    const key = importKeyOf({ account }, { source: 'https://blog.example', sourceId: '7' });
    await night.sql(
      'UPDATE post SET import_key = $1, deleted_at = $2 WHERE id = $3',
      key,
      ago(31 * 24),
      post.databaseId,
    );
    await purge();
    expect(await count(`post WHERE id = ${post.databaseId}`)).toBe(0);
    expect(await night.store.importedKeys(by.workspace.id, [key, 'other'])).toEqual([key]);
    expect(await night.store.importedKeys((await night.aViewer()).workspace.id, [key])).toEqual([]);
  });

  it('removes jobs that ended 30 days ago, not those that work, and says of the post what it said before', async () => {
    const { by, post } = await night.aPublishedPost();
    const old = await night.change(by, post, { text: 'Two' });
    await night.doDue();
    await night.sql('UPDATE job SET finished_at = $1 WHERE id = $2', ago(31 * 24), old);
    await night.sql(
      "INSERT INTO job (id, kind, created_at, due_at) VALUES ('job_waits', 'network_edit', $1, now() + interval '1 hour')",
      ago(31 * 24),
    );
    await purge();
    expect([
      await count(`job WHERE id = '${old}'`),
      await count("job WHERE id = 'job_waits'"),
    ]).toEqual([0, 1]);
    expect(await night.sync(post)).toMatchObject({
      status: 'synced',
      job_id: null,
      live: { text: 'Two' },
    });
  });

  it('goes on in batches until nothing is left, and stops where it has lost its lease', async () => {
    const left = { idempotencyRecords: 1_200, deletedPosts: 0, endedJobs: 1_500 };
    const removing = (what: keyof typeof left) => async (_before: Date, most: number) => {
      const removed = Math.min(most, left[what]);
      left[what] -= removed;
      return removed;
    };
    const store: PurgeStore = {
      idempotencyRecords: removing('idempotencyRecords'),
      deletedPosts: removing('deletedPosts'),
      endedJobs: removing('endedJobs'),
    };
    let renewals = 0;
    const run = {
      renew: async () => {
        renewals += 1;
        return renewals < 5;
      },
    } as unknown as JobRun;
    expect(await createPurge({ store, clock: night.clock })(run)).toEqual({
      kind: 'completed',
      failures: [],
    });
    expect([left, renewals]).toEqual([{ idempotencyRecords: 0, deletedPosts: 0, endedJobs: 0 }, 5]);
    left.idempotencyRecords = 2_000;
    await createPurge({ store, clock: night.clock })(run);
    expect(left.idempotencyRecords).toBe(1_500);
  });
});
