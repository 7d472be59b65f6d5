import { createEventPartitions } from '../../../src/persistence/events/event-partitions.js';
import { recordsIn } from '../../fixtures/records.js';
import { testDatabase } from '../../setup/database.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

/** A Thursday, years after the partitions that the migration creates. */
const THURSDAY = new Date('2031-05-15T12:00:00Z');
const inDays = (days: number): Date => new Date(THURSDAY.getTime() + days * 86_400_000);
const database = forEachTest(() => testDatabase(), 'drop');
const records = forEachTest(() => recordsIn(database));
const owner = forEachTest(() => records.aViewer());

const partitions = forEachTest(() => createEventPartitions(database));

const rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

/** The partitions of weeks from 2031, by the days on which they begin. */
const weeks = async (): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      "SELECT relid::text AS name FROM pg_partition_tree('event') WHERE relid::text ~ '^event_20[3-9]' ORDER BY 1",
    )
  ).map(({ name }) => name.replace('event_', ''));
/** A post that was created at a time; the partition of its event. */
async function partitionOfPostAt(createdAt: Date): Promise<string> {
  const { id } = await records.aPost({ by: owner, storedState: 'draft_undated', createdAt });
  const [row] = await rowsOf<{ partition: string }>(
    'SELECT tableoid::regclass::text AS partition FROM event WHERE doc_id = $1',
    [id],
  );
  return row!.partition;
}

test('a migrated database has the partitions of this week and of four weeks ahead', async () => {
  const rows = await rowsOf<{ monday: string; exists: boolean }>(
    "SELECT to_char(week, 'YYYYMMDD') AS monday, to_regclass('event_' || to_char(week, 'YYYYMMDD')) IS NOT NULL AS exists " +
      "FROM generate_series(date_trunc('week', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '27 days', interval '7 days') week",
  );
  expect(rows.map((row) => row.exists)).toEqual(rows.map(() => true));
  expect(await partitionOfPostAt(new Date())).toBe(`event_${rows[0]!.monday}`);
});

test('partitions are created once, by any number of processes, and begin on Monday in UTC', async () => {
  await Promise.all([1, 2, 3].map(() => partitions.add(THURSDAY, inDays(14))));
  await database.pool.query("SET timezone = 'Pacific/Auckland'");
  expect(await partitions.add(THURSDAY, inDays(14))).toBe(true);
  expect(await weeks()).toEqual(['20310512', '20310519', '20310526']);
  expect(await partitionOfPostAt(new Date('2031-05-11T23:59:59.999Z'))).toBe('event_default');
  expect(await partitionOfPostAt(new Date('2031-05-12T00:00:00Z'))).toBe('event_20310512');
  expect(await partitionOfPostAt(new Date('2031-05-18T23:59:59.999Z'))).toBe('event_20310512');
});

test('no change fails because its week has no partition: after weeks without a worker, or with a wrong clock', async () => {
  expect(await partitionOfPostAt(THURSDAY)).toBe('event_default');
  expect(await partitionOfPostAt(new Date('1999-12-31T00:00:00Z'))).toBe('event_default');
  // The week keeps its events in the default partition; the others get one.
  expect(await partitions.add(THURSDAY, inDays(14))).toBe(true);
  expect(await weeks()).toEqual(['20310519', '20310526']);
  expect(await partitionOfPostAt(THURSDAY)).toBe('event_default');
});

test('a partition is dropped when all of its events are older; events without one are deleted by age', async () => {
  await partitionOfPostAt(inDays(-10));
  await partitionOfPostAt(inDays(-8));
  await partitions.add(THURSDAY, inDays(14));
  await partitionOfPostAt(THURSDAY);
  expect(await partitions.drop(new Date('2031-05-18T23:59:59Z'))).toBe(true);
  expect(await weeks()).toEqual(['20310512', '20310519', '20310526']);
  expect(await partitions.drop(new Date('2031-05-19T00:00:00Z'))).toBe(true);
  expect(await weeks()).toEqual(['20310519', '20310526']);
  expect(await partitions.deleteUnpartitioned(inDays(-9), 500)).toBe(1);
  expect(await partitions.deleteUnpartitioned(inDays(0), 500)).toBe(1);
  expect(await rowsOf('SELECT FROM event_default')).toEqual([]);
});

test('partitions are created while changes and reads run, and dropped only when neither waits for long', async () => {
  await partitions.add(inDays(-14), THURSDAY);
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      "INSERT INTO event (at, workspace_id, type, api, changed) VALUES ($1, 'wks_1', 'post.updated', 'rest', '{}')",
      [THURSDAY],
    );
    expect(await partitions.add(THURSDAY, inDays(7))).toBe(true);
    expect(await partitions.drop(inDays(-7))).toBe(false);
    await client.query('COMMIT');
    await client.query('BEGIN');
    // like a backup
    await client.query('LOCK TABLE event IN ACCESS SHARE MODE');
    expect(await partitions.add(THURSDAY, inDays(14))).toBe(false);
    expect(await partitionOfPostAt(THURSDAY)).toBe('event_20310512');
  } finally {
    await client.query('COMMIT');
    client.release();
  }
  expect(await weeks()).toEqual(['20310428', '20310505', '20310512', '20310519']);
  expect(await partitions.drop(inDays(-7))).toBe(true);
  expect(await partitions.add(THURSDAY, inDays(14))).toBe(true);
  expect(await weeks()).toEqual(['20310505', '20310512', '20310519', '20310526']);
});
