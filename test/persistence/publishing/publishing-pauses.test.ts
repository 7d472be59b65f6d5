import {
  createOldestDuePost,
  createPublishingPauses,
} from '../../../src/persistence/publishing/publishing-pauses.js';
import { createPauseWatch } from '../../../src/services/publishing/watch-pause.js';
import { testPublishing } from '../../fixtures/publishing.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = forEachTest(() => testPublishing());
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));
afterEach(() => publishing.database.drop());

const pauses = () => createPublishingPauses(publishing.database);
/** What the database of a restored dump looks like: the table has another identifier. */
const restoreDump = () =>
  publishing.sql(
    "UPDATE database_home SET home = home::int8 + 1, alive_at = now() - interval '5 minutes'",
  );

test('while publication is paused, posts are neither handed over nor sent', async () => {
  const queued = await publishing.aDuePost({ by, account, minutesAgo: 2 });
  await publishing.sweep();
  const waiting = await publishing.aDuePost({ by, account, minutesAgo: 1 });
  await pauses().pause(null);
  await pauses().pause(null);
  expect(await publishing.sweep()).toBe(0);
  expect(await publishing.runJobs()).toEqual([{ kind: 'postponed', inMs: 10_000 }]);
  expect(await pauses().status()).toEqual({
    pausedAt: expect.any(Date),
    backupAt: null,
    duePosts: 1,
    oldestDueAt: waiting.scheduledAt,
  });
  expect(await createOldestDuePost(publishing.database)()).toBeGreaterThan(59);

  expect(await pauses().resume()).toBe(true);
  expect(await pauses().resume()).toBe(false);
  expect(await publishing.sweep()).toBe(1);
  await publishing.runJobs();
  expect([await publishing.statusOf(by, queued), await publishing.statusOf(by, waiting)]).toEqual([
    'published',
    'published',
  ]);
  expect(await pauses().status()).toMatchObject({ pausedAt: null, duePosts: 0, oldestDueAt: null });
});

test('a post is due until it is published, not until it is handed over', async () => {
  const oldestDuePost = createOldestDuePost(publishing.database);
  expect(await oldestDuePost()).toBe(0);
  await publishing.aDuePost({ by, account, minutesAgo: 5 });
  expect(await oldestDuePost()).toBeGreaterThan(299);
  await publishing.sweep();
  await publishing.sql("UPDATE job SET due_at = now() - interval '2 minutes'"); // no worker is free
  expect(await oldestDuePost()).toBeGreaterThan(119);
  const [run] = await publishing.claim();
  expect(await oldestDuePost()).toBeGreaterThan(119);
  await publishing.queue.settle(run!, { kind: 'postponed', inMs: 60_000 }); // waits for its network
  expect(await oldestDuePost()).toBe(0);
  await publishing.sql('UPDATE job SET due_at = now()');
  await publishing.runJobs();
  expect(await oldestDuePost()).toBe(0);
});

test('nothing is published in the database of a restored dump, even before a worker notices it', async () => {
  await publishing.aDuePost({ by, account });
  await restoreDump();
  expect(await publishing.sweep()).toBe(0);
  const before = await pauses().status();
  expect(before).toMatchObject({ pausedAt: expect.any(Date), backupAt: expect.any(Date) });
  const lines: string[] = [];
  const watch = createPauseWatch({
    watch: pauses(),
    log: { info: fail, warn: (line) => lines.push(line) },
  });
  await Promise.all([watch(), pauses().check()]);
  await watch();
  const { pausedAt, backupAt } = await pauses().status();
  expect(pausedAt!.getTime() - backupAt!.getTime()).toBeGreaterThanOrEqual(299_000);
  expect(backupAt).toEqual(before.backupAt);
  expect(await publishing.sql('SELECT count(*)::int AS n FROM publishing_pause')).toEqual([
    { n: 1 },
  ]);
  expect(await publishing.sql('SELECT home = tableoid AS is_here FROM database_home')).toEqual([
    { is_here: true },
  ]);
  expect(await publishing.sweep()).toBe(0);
  await pauses().resume();
  await watch();
  expect(lines).toEqual([
    expect.stringMatching(
      /^Publication is paused since .+, because a backup of .+ was restored\. To continue, run `publishing resume`\.$/,
    ),
    'Publication is resumed.',
  ]);
  expect(await publishing.sweep()).toBe(1);
});

test('a dump that is resumed before a worker has run is still looked through', async () => {
  const post = await publishing.aDuePost({ by, account, minutesAgo: 1 });
  await restoreDump();
  expect(await pauses().resume()).toBe(true);
  await publishing.sweep();
  const { mayBeLiveSince, isPaused } = (await publishing.ledger.findSubject(post.databaseId))!;
  expect([mayBeLiveSince, isPaused]).toEqual([post.scheduledAt, false]);
});

test('a check changes nothing while the database stays where it is', async () => {
  await pauses().check();
  expect(await pauses().check()).toEqual({ pausedAt: null, backupAt: null });
  await publishing.sql("UPDATE database_home SET alive_at = now() - interval '2 minutes'");
  await pauses().check();
  expect(
    await publishing.sql(
      "SELECT alive_at > now() - interval '1 minute' AS is_alive FROM database_home",
    ),
  ).toEqual([{ is_alive: true }]);
});

const fail = (line: string): void => {
  throw new Error(line);
};
