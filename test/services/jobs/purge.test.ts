import { createEventPartitions } from '../../../src/persistence/events/event-partitions.js';
import type { JobRun } from '../../../src/persistence/jobs/job-queue.js';
import type { PurgeStore } from '../../../src/persistence/jobs/purge-store.js';
import { importKeyOf } from '../../../src/services/imports/plan-import.js';
import { createPurge, createUnusedFiles } from '../../../src/services/jobs/purge.js';
import { mediaFilesOn } from '../../fixtures/media-library.js';
import { withWorker } from '../../fixtures/test-worker.js';
import { NOW } from '../../fixtures/services.js';

const worker = withWorker();
beforeEach(() => worker.clearJobs());

const HOUR = 3_600_000;
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);
const count = async (table: string): Promise<number> =>
  (await worker.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n;

async function purge(): Promise<void> {
  await worker.sql("DELETE FROM job WHERE kind = 'purge'");
  await worker.queue.maintain();
  expect(await worker.runDueJobs()).toEqual(['completed']);
}

describe('the purge job', () => {
  it('is enqueued once an hour by any process, without a workspace', async () => {
    await Promise.all([1, 2, 3, 4].map(() => worker.queue.maintain()));
    expect(await worker.sql('SELECT kind, status, workspace_id, user_id FROM job')).toEqual([
      { kind: 'purge', status: 'working', workspace_id: null, user_id: null },
    ]);
    expect(await worker.runDueJobs()).toEqual(['completed']);
    await worker.queue.maintain();
    expect(await worker.sql('SELECT status, progress FROM job')).toEqual([
      { status: 'completed', progress: 1 },
    ]);
    await worker.sql("UPDATE job SET id = 'job_earlier'"); // as if it was created in another hour
    await worker.queue.maintain();
    expect(await count("job WHERE status = 'working'")).toBe(1);
  });

  it('deletes idempotency records after 24 hours', async () => {
    const by = await worker.aViewer();
    for (const [key, hours] of [
      ['old', 24.1],
      ['young', 23.9],
    ] as const) {
      await worker.sql(
        "INSERT INTO idempotency (user_id, workspace_id, operation, target, key, fingerprint, token, outcome, started_at) VALUES ($1, $2, 'update', 'x', $3, 'f', 'c', '{}', $4)",
        by.user.id,
        by.workspace.id,
        key,
        ago(hours),
      );
    }
    await purge();
    expect(await worker.sql('SELECT key FROM idempotency')).toEqual([{ key: 'young' }]);
  });

  it('deletes readings of metrics after two years, and keeps the latest metrics', async () => {
    const by = await worker.aViewer();
    const { databaseId } = await worker.aPost({ by });
    await worker.sql(
      'WITH latest AS (INSERT INTO post_analytics (post_id, updated_at) VALUES ($1, $2)) ' +
        'INSERT INTO post_analytics_reading (post_id, read_at) VALUES ($1, $2), ($1, $3)',
      databaseId,
      ago(730 * 24 + 1),
      ago(730 * 24 - 1),
    );
    await purge();
    expect(await worker.sql('SELECT read_at FROM post_analytics_reading')).toEqual([
      { read_at: ago(730 * 24 - 1) },
    ]);
    expect(await count('post_analytics')).toBe(1);
  });

  it('removes deleted posts after 30 days with all dependent rows, and keeps rows used by others', async () => {
    const by = await worker.aViewer();
    const label = await worker.aLabel({ workspaceId: by.workspace.id });
    const media = await worker.aMedia({ workspaceId: by.workspace.id });
    const brief = { by, labels: [label], media: [media] };
    const [series, expired, kept] = [
      await worker.aPost({ by, storedState: 'recurring' }),
      await worker.aPost(brief),
      await worker.aPost(brief),
    ];
    const child = await worker.aPost({
      by,
      storedState: 'published_posted',
      parentId: series.databaseId,
    });
    await worker.update(by, expired, { text: 'New' });
    await worker.remove(by, [series.id, expired.id, kept.id]);
    await worker.sql(
      'UPDATE post SET deleted_at = $1 WHERE id = ANY($2::bigint[])',
      ago(30 * 24 + 1),
      [series.databaseId, expired.databaseId],
    );
    await worker.sql(
      'UPDATE post SET deleted_at = $1 WHERE id = $2',
      ago(30 * 24 - 1),
      kept.databaseId,
    );
    await purge();
    expect(
      await worker.sql(
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
      expect([table, await count(`${table} WHERE post_id = ${expired.databaseId}`)]).toEqual([
        table,
        0,
      ]);
    expect([
      await count(`label WHERE id = '${label.id}'`),
      await count(`media WHERE id = '${media.id}'`),
    ]).toEqual([1, 1]);
  });

  it('does not let an import restore deleted posts', async () => {
    const by = await worker.aViewer();
    const account = await worker.anAccount({ workspaceId: by.workspace.id, network: 'wordpress' });
    const post = await worker.aPost({
      by,
      account,
      storedState: 'published_posted',
      type: 'article',
    });
    const key = importKeyOf({ account }, { source: 'https://blog.example', sourceId: '7' });
    await worker.sql(
      'UPDATE post SET import_key = $1, deleted_at = $2 WHERE id = $3',
      key,
      ago(31 * 24),
      post.databaseId,
    );
    await purge();
    expect(await count(`post WHERE id = ${post.databaseId}`)).toBe(0);
    expect(await worker.store.existingImportKeys(by.workspace.id, [key, 'other'])).toEqual([key]);
    expect(
      await worker.store.existingImportKeys((await worker.aViewer()).workspace.id, [key]),
    ).toEqual([]);
  });

  it('deletes jobs that finished 30 days ago, but not running ones, and keeps the post’s network status', async () => {
    const { by, post } = await worker.aPublishedPost();
    const old = await worker.change(by, post, { text: 'Two' });
    await worker.runDueJobs();
    await worker.sql('UPDATE job SET finished_at = $1 WHERE id = $2', ago(31 * 24), old);
    await worker.sql(
      "INSERT INTO job (id, kind, created_at, due_at) VALUES ('job_waits', 'network_edit', $1, now() + interval '1 hour')",
      ago(31 * 24),
    );
    await purge();
    expect([
      await count(`job WHERE id = '${old}'`),
      await count("job WHERE id = 'job_waits'"),
    ]).toEqual([0, 1]);
    expect(await worker.sync(post)).toMatchObject({
      status: 'synced',
      job_id: null,
      live: { text: 'Two' },
    });
  });

  it('drops partitions of events after the retention period, deletes events that are in none, and creates partitions ahead', async () => {
    const partitions = async (): Promise<string[]> =>
      (
        await worker.sql<{ name: string }>(
          "SELECT relid::text AS name FROM pg_partition_tree('event') WHERE isleaf ORDER BY 1",
        )
      ).map(({ name }) => name);
    await worker.sql('SELECT add_event_partitions($1, $2)', ago(24 * 105), ago(24 * 91));
    for (const days of [89, 91, 99, 300])
      await worker.sql(
        "INSERT INTO event (at, workspace_id, type, api, changed) VALUES ($1, 'wks_old', 'post.updated', 'rest', '{}')",
        ago(24 * days),
      );
    await purge();
    const left = await partitions();
    // Of the week of the 91st day, one day is not over the period.
    expect(left).not.toContain('event_20260810');
    expect(left).toEqual(
      expect.arrayContaining([
        'event_20260817',
        'event_20261116',
        'event_20261123',
        'event_20261130',
        'event_20261207',
        'event_20261214',
        'event_default',
      ]),
    );
    expect(
      await worker.sql("SELECT at FROM event WHERE workspace_id = 'wks_old' ORDER BY at"),
    ).toEqual([{ at: ago(24 * 91) }, { at: ago(24 * 89) }]);
  });

  it('continues in batches until nothing is left, and stops if it loses its lease', async () => {
    const left = { idempotencyRecords: 1_200, deletedPosts: 0, finishedJobs: 1_500 };
    const removing = (what: keyof typeof left) => async (_before: Date, most: number) => {
      const removed = Math.min(most, left[what]);
      left[what] -= removed;
      return removed;
    };
    const store: PurgeStore = {
      idempotencyRecords: removing('idempotencyRecords'),
      deletedPosts: removing('deletedPosts'),
      finishedJobs: removing('finishedJobs'),
      unusedMedia: async () => 0,
      expiredUploads: async () => 0,
      webhookDeliveries: async () => 0,
      analyticsReadings: async () => 0,
    };
    const dependencies = {
      store,
      events: createEventPartitions(worker.database),
      unusedFiles: createUnusedFiles(mediaFilesOn(worker.database, worker.clock)),
      eventRetentionDays: 90,
      clock: worker.clock,
    };
    let renewals = 0;
    const run = {
      renew: async () => {
        renewals += 1;
        return renewals < 5;
      },
    } as unknown as JobRun;
    expect(await createPurge(dependencies)(run)).toEqual({
      kind: 'completed',
      failures: [],
    });
    expect([left, renewals]).toEqual([
      { idempotencyRecords: 0, deletedPosts: 0, finishedJobs: 0 },
      5,
    ]);
    left.idempotencyRecords = 2_000;
    await createPurge(dependencies)(run);
    expect(left.idempotencyRecords).toBe(1_500);
  });
});
