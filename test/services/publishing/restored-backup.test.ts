import path from 'node:path';
import { restoreBackup, writeBackup } from '../../../src/persistence/backup.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { createPublishingPauses } from '../../../src/persistence/publishing/publishing-pauses.js';
import type { DeliveryGuarantee } from '../../../src/domain/networks/network-definition.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { testPublishing } from '../../fixtures/publishing.js';
import { removeFolder, silentLog, temporaryFolder } from '../../setup/test-server.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const NO_SIGNAL = new AbortController().signal;
let folder: string;
const publishing = forEachTest(() => testPublishing());
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));
beforeEach(async () => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await publishing.database.drop();
  removeFolder(folder);
});

const pauses = () => createPublishingPauses(publishing.database);

/** Backs the database up, lets `work` go on in it, and restores it. The network forgets nothing. */
async function restoreAfter(work: () => Promise<void>): Promise<void> {
  const { database } = publishing;
  const file = path.join(folder, 'posts.backup');
  await writeBackup(database, { file, demo: null }, NO_SIGNAL);
  await work();
  const [taken] = await publishing.sql<{ rows: unknown }>(
    "SELECT coalesce(json_agg(d), '[]') AS rows FROM sandbox_delivery d",
  );
  await restoreBackup(
    database,
    { file, migrationsDir: MIGRATIONS_DIR, mayReplace: true, log: silentLog },
    NO_SIGNAL,
  );
  await publishing.sql(
    'INSERT INTO sandbox_delivery SELECT * FROM json_populate_recordset(NULL::sandbox_delivery, $1) ON CONFLICT DO NOTHING',
    JSON.stringify(taken!.rows),
  );
}

/** Sweeps and runs jobs until nothing waits any more. */
async function publishAll(): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await publishing.sweep();
    await publishing.runJobs();
    await publishing.letTimePass(3);
  }
}
const resultsOf = (posts: readonly Post[]): Promise<unknown[]> =>
  Promise.all(
    posts.map(async (post) => [
      await publishing.statusOf(by, post),
      (await publishing.deliveriesOf(post)).length,
    ]),
  );

describe.each<[DeliveryGuarantee, unknown[]]>([
  ['exact', ['published', 1]],
  ['compared', ['published', 1]],
  ['cannot_tell', ['unconfirmed', 1]],
])('a backup of posts of an account whose guarantee is %s', (guarantee, found) => {
  const isKnown = guarantee !== 'cannot_tell';

  it('publishes nothing twice: waiting, handed over or armed when it was made, and published since', async () => {
    await publishing.setGuarantee(account, guarantee);
    const armed = await publishing.aDuePost({ by, account, text: 'armed', minutesAgo: 5 });
    const { run, read } = await publishing.startAttempt(armed);
    const key = `${read.id}-${read.scheduledAt!.getTime()}`;
    await publishing.ledger.arm(run, read, { number: 1, guarantee, handle: { key } });
    await publishing.expireLease(run);
    const queued = await publishing.aDuePost({ by, account, text: 'queued', minutesAgo: 4 });
    await publishing.sweep();
    const waiting = await publishing.aDuePost({ by, account, text: 'waiting', minutesAgo: 3 });
    await restoreAfter(async () => {
      await publishAll();
      expect(await resultsOf([queued, waiting])).toEqual([
        ['published', 1],
        ['published', 1],
      ]);
    });

    await publishAll();
    const beforeResume = await resultsOf([queued, waiting]);
    expect(beforeResume).toEqual([
      ['queued', 1],
      ['waiting', 1],
    ]);
    expect(await pauses().resume()).toBe(true);
    await publishAll();
    expect(await resultsOf([queued, waiting])).toEqual([found, found]);
    expect((await publishing.deliveriesOf(armed)).length).toBeLessThanOrEqual(1);
    expect(await publishing.statusOf(by, armed)).toBe(isKnown ? 'published' : 'unconfirmed');
  });

  it('publishes what the network does not have, unless it is too late', async () => {
    await publishing.setGuarantee(account, guarantee);
    const recent = await publishing.aDuePost({ by, account, text: 'recent', minutesAgo: 5 });
    const old = await publishing.aDuePost({ by, account, text: 'old', minutesAgo: 90 });
    const handedOver = await publishing.aDuePost({ by, account, text: 'queued', minutesAgo: 59 });
    await publishing.sweep();
    await publishing.sql(
      "UPDATE post SET scheduled_at = scheduled_at - interval '1 hour' WHERE id = $1",
      handedOver.databaseId,
    );
    await publishing.sql(
      "UPDATE publication SET due_at = due_at - interval '1 hour', handed_over_at = now() - interval '1 hour' WHERE post_id = $1",
      handedOver.databaseId,
    );
    await restoreAfter(async () => undefined);
    await pauses().resume();
    await publishAll();
    expect(await resultsOf([recent, old, handedOver])).toEqual(
      isKnown
        ? [
            ['published', 1],
            ['missed', 0],
            ['missed', 0],
          ]
        : [
            ['unconfirmed', 0],
            ['unconfirmed', 0],
            ['unconfirmed', 0],
          ],
    );
  });
});

test('posts that become due after the restore are sent without being looked for', async () => {
  await publishing.setGuarantee(account, 'cannot_tell');
  await restoreAfter(async () => undefined);
  await pauses().resume();
  const post = await publishing.aDuePost({ by, account, minutesAgo: -1 / 60 });
  await publishing.sql("UPDATE publishing_pause SET paused_at = paused_at - interval '9 seconds'");
  await publishing.sql(
    "UPDATE post SET scheduled_at = date_trunc('second', now()) WHERE id = $1",
    post.databaseId,
  );
  await publishAll();
  expect(await resultsOf([post])).toEqual([['published', 1]]);
});

test('a post that is not waiting for its time is not looked for again after it was sent', async () => {
  const post = await publishing.aDuePost({ by, account, minutesAgo: 5 });
  await restoreAfter(async () => undefined);
  await pauses().resume();
  await publishing.failPublishing(post, 'cut_before');
  await publishAll();
  expect(await resultsOf([post])).toEqual([['published', 1]]);
  expect(
    await publishing.sql(
      'SELECT number, is_sent FROM publication_attempt WHERE post_id = $1 ORDER BY 1',
      post.databaseId,
    ),
  ).toEqual([
    { number: 1, is_sent: false },
    { number: 2, is_sent: true },
  ]);
});
