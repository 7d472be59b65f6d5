import type { Account, Post } from '../../src/domain/posts/post.js';
import type { DeliveryGuarantee } from '../../src/domain/networks/network-definition.js';
import { testPublishing, type TestPublishing } from '../fixtures/publishing.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';
import { aWorkerProcess, type WorkerProcess } from '../fixtures/worker-process.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';

/** Each round kills a worker between a removal on the network and its record. */
const ROUNDS = suite.number('rounds', { short: 1, quick: 3, full: 20 }[suite.length]);
const MAX_ROUND_MS = 30_000;
jest.setTimeout(120_000 + 3 * ROUNDS * MAX_ROUND_MS);

let publishing: TestPublishing;
let by: KeyedViewer;
const workers: WorkerProcess[] = [];
/** The application name on the connections of the workers. */
const WORKER = 'worker of the test';
const startWorker = async (): Promise<WorkerProcess> => {
  const url = new URL(publishing.database.url);
  url.searchParams.set('application_name', WORKER);
  const worker = await aWorkerProcess({ DATABASE_URL: url.href });
  workers.push(worker);
  return worker;
};
/** Kills a worker, and waits until PostgreSQL has executed what it had sent before: a last claim. */
async function kill(worker: WorkerProcess): Promise<void> {
  await worker.kill();
  await waitFor(async () => {
    const connections = await publishing.sql(
      'SELECT FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      WORKER,
    );
    return connections.length === 0;
  });
}

beforeAll(async () => {
  buildIfChanged();
  publishing = await testPublishing();
  by = await publishing.aViewer();
});
afterAll(async () => {
  killStartedPrograms();
  await Promise.all(workers.map(({ exit }) => exit));
  await publishing?.database.drop();
});

/** A post that is on the sandbox network. */
async function aLivePost(account: Account, text: string): Promise<Post> {
  const post = await publishing.aDuePost({ by, account, text });
  await publishing.sweep();
  await publishing.runJobs();
  return publishing.storedPost(by, post.id);
}
const isOnSandbox = async (post: Post): Promise<boolean> =>
  (await publishing.deliveriesOf(post)).length > 0;
const statusOf = async (jobId: string): Promise<string> => {
  const job = await publishing.database.prisma.job.findUniqueOrThrow({ where: { id: jobId } });
  return job.status;
};
const eventsOf = async ({ id }: Post): Promise<string[]> => {
  const rows = await publishing.sql<{ type: string }>(
    "SELECT type FROM event WHERE doc_id = $1 AND type IN ('post.unpublished', 'post.deleted') ORDER BY transaction_id, sequence",
    id,
  );
  return rows.map(({ type }) => type);
};

describe.each<DeliveryGuarantee>(['exact', 'compared', 'cannot_tell'])(
  'on a network with the guarantee %s',
  (guarantee) => {
    test.each([false, true])(
      'a removal that a killed worker made is recorded once (deletes the posts: %s)',
      async (onNetwork) => {
        const account = await publishing.aSandboxAccount(by, { network: 'threads' });
        await publishing.setGuarantee(account, guarantee);
        for (let round = 1; round <= ROUNDS; round += 1) {
          const [removed, next] = [
            await aLivePost(account, `removed ${round}`),
            await aLivePost(account, `next ${round}`),
          ];
          await publishing.failRemoving(removed, 'hang_after');
          const outcome = onNetwork
            ? await publishing.remove(by, [removed.id, next.id], { onNetwork })
            : await publishing.act(by, [removed, next], { kind: 'unpublish' });
          if (outcome.kind === 'refused' || !outcome.job) throw new Error('no job was created');
          const { id: jobId } = outcome.job;

          const killed = await startWorker();
          await waitFor(async () => !(await isOnSandbox(removed)));
          await kill(killed);
          expect((await publishing.storedPost(by, removed.id)).storedState).toBe(
            'published_posted',
          );
          await publishing.sql(
            "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1",
            jobId,
          );
          const successor = await startWorker();
          await waitFor(async () => (await statusOf(jobId)) !== 'working');
          await kill(successor);

          expect(await statusOf(jobId)).toBe('completed');
          for (const post of [removed, next]) {
            expect(await isOnSandbox(post)).toBe(false);
            expect(await eventsOf(post)).toEqual(
              onNetwork ? ['post.unpublished', 'post.deleted'] : ['post.unpublished'],
            );
          }
        }
      },
    );
  },
);
