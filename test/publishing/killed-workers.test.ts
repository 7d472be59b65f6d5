import { setTimeout as delay } from 'node:timers/promises';
import type { Account, Post } from '../../src/domain/posts/post.js';
import type { SandboxPublishFault } from '../../src/domain/networks/sandbox.js';
import type { DeliveryGuarantee } from '../../src/domain/networks/publishing-capabilities.js';
import { testPublishing, type TestPublishing } from '../fixtures/publishing.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { aWorkerProcess, type WorkerProcess } from '../fixtures/worker-process.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';

/** `npm run test:publishing -- [--quick] [--rounds n]`: kill -9 of a worker in each round. */
const ROUNDS = suite.number('rounds', { short: 4, quick: 20, full: 200 }[suite.length]);
const MAX_ROUND_MS = 20_000;
jest.setTimeout(120_000 + ROUNDS * MAX_ROUND_MS);

const GUARANTEES: readonly DeliveryGuarantee[] = ['exact', 'compared', 'cannot_tell'];
const FAULTS: readonly (SandboxPublishFault | null)[] = [
  null,
  null,
  'cut_before',
  'cut_after',
  'error_after',
];
/** Duration of each call: long enough that many are in progress when a worker is killed. */
const MAX_CALL_MS = 400;
const MAX_KILL_MS = 2_500;
const POSTS_PER_ACCOUNT = 6;

let publishing: TestPublishing;
let by: KeyedViewer;
let accounts: Account[];
let workers: WorkerProcess[];

const startWorker = (): Promise<WorkerProcess> =>
  aWorkerProcess({ DATABASE_URL: publishing.database.url });
const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;

beforeAll(async () => {
  buildIfChanged();
  publishing = await testPublishing();
  by = await publishing.aViewer();
  accounts = [];
  for (const guarantee of GUARANTEES) {
    const account = await publishing.aSandboxAccount(by, { name: guarantee, network: 'threads' });
    await publishing.setGuarantee(account, guarantee);
    accounts.push(account);
  }
  workers = await Promise.all([startWorker(), startWorker()]);
}, 120_000);
afterAll(async () => {
  killStartedPrograms();
  await Promise.all((workers ?? []).map(({ exit }) => exit));
  await publishing?.database.drop();
});

/** Posts that become due within a second, of which some fail. */
async function duePosts(round: number): Promise<Post[]> {
  const posts: Post[] = [];
  for (const account of accounts)
    for (let number = 0; number < POSTS_PER_ACCOUNT; number += 1) {
      const text = `round ${round}, ${account.name} ${number}`;
      const post = await publishing.aDuePost({ by, account, text, minutesAgo: -1 / 60 });
      const delayMs = 1 + Math.floor(Math.random() * MAX_CALL_MS);
      await publishing.sandboxStore.setFaults(post.id, { delayMs }, new Date());
      const fault = pick(FAULTS);
      if (fault) await publishing.failPublishing(post, fault);
      posts.push(post);
    }
  return posts;
}

/** Kills a worker at a random moment, expires its leases, and starts another one. */
async function killAWorker(): Promise<void> {
  await delay(Math.random() * MAX_KILL_MS);
  const [killed, ...others] = workers as [WorkerProcess, ...WorkerProcess[]];
  await killed.kill();
  await publishing.sql(
    "UPDATE job SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL",
  );
  workers = [...others, await startWorker()];
}

/** Deletes posts while they become due. Returns the number of those that were deleted. */
async function deleteSome(posts: readonly Post[]): Promise<number> {
  await delay(Math.random() * MAX_KILL_MS);
  const outcome = await publishing.remove(
    by,
    posts.map(({ id }) => id),
  );
  if (outcome.kind !== 'done') throw new Error('the deletion was refused');
  return outcome.results.filter((result) => result.deleted).length;
}

/** Posts that were deleted before they were published, but are there. */
const readDeletedButThere = (): Promise<unknown[]> =>
  publishing.sql(
    'SELECT p.doc_id FROM post p JOIN sandbox_delivery d ON d.post_doc_id = p.doc_id WHERE p.deleted_at IS NOT NULL AND p.stored_state = 1',
  );

interface Unsettled {
  readonly count: number;
}
/** Waits until each publication is over; the pauses between looks are skipped. */
async function settleAll(): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const [row] = await publishing.sql<Unsettled>(
      'SELECT count(*)::int AS count FROM post WHERE stored_state IN (1, 2) AND deleted_at IS NULL',
    );
    if (row!.count === 0) return;
    if (Date.now() > deadline) throw new Error(`${row!.count} posts are not settled`);
    await publishing.letTimePassWhileIdle(5);
    await delay(100);
  }
}

interface PublishedRow {
  id: string;
  guarantee: DeliveryGuarantee;
  state: number;
  result: string;
  code: string | null;
  copies: number;
}
const readResults = (): Promise<PublishedRow[]> =>
  publishing.sql<PublishedRow>(
    `SELECT p.doc_id AS id, s.guarantee, p.stored_state AS state, u.result, u.error->>'code' AS code,
            (SELECT count(*)::int FROM sandbox_delivery d WHERE d.post_doc_id = p.doc_id) AS copies
       FROM post p JOIN sandbox_account s ON s.account_id = p.account_id LEFT JOIN publication u ON u.post_id = p.id
      WHERE p.deleted_at IS NULL ORDER BY p.id`,
  );

/** What may be true of a post whose publication is over, by the guarantee of its network. */
function violationOf({ guarantee, state, result, copies }: PublishedRow): string | null {
  if (copies > 1) return 'published twice';
  if (result === 'published') return copies === 1 && state === 10 ? null : 'not there';
  if (state !== 30) return 'neither published nor failed';
  if (result === 'unconfirmed')
    return guarantee === 'cannot_tell' ? null : 'unconfirmed, although the network can tell';
  return copies === 0 ? null : `${result}, but it is there`;
}

test('no post is published twice or lost when workers are killed at any phase of an attempt', async () => {
  let deleted = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const posts = await duePosts(round);
    const [count] = await Promise.all([
      deleteSome(posts.filter((_, index) => index % POSTS_PER_ACCOUNT === 0)),
      killAWorker(),
    ]);
    deleted += count;
    await settleAll();
  }
  const results = await readResults();
  const violations = results.flatMap((row) => {
    const violation = violationOf(row);
    return violation === null ? [] : [{ ...row, violation }];
  });
  expect(await readDeletedButThere()).toEqual([]);
  const [taken] = await publishing.sql<{ over: number }>(
    "SELECT count(*)::int AS over FROM job WHERE kind = 'publish' AND attempts > 1",
  );
  const countOf = (guarantee: DeliveryGuarantee, result: string): number =>
    results.filter((row) => row.guarantee === guarantee && row.result === result).length;
  suite.report(
    `${ROUNDS} kills, ${results.length} posts, ${deleted} deleted; ${taken!.over} jobs taken over; ` +
      GUARANTEES.map(
        (guarantee) =>
          `${guarantee}: ${countOf(guarantee, 'published')} published, ${countOf(guarantee, 'failed')} failed, ${countOf(guarantee, 'unconfirmed')} unconfirmed`,
      ).join('; '),
  );
  expect(violations).toEqual([]);
  expect(results.length + deleted).toBe(ROUNDS * POSTS_PER_ACCOUNT * GUARANTEES.length);
  for (const guarantee of GUARANTEES) expect(countOf(guarantee, 'published')).toBeGreaterThan(0);
});
