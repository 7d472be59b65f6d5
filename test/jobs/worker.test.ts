import type { EditResult } from '../../src/services/networks/network-ports.js';
import type { JobHandler } from '../../src/services/jobs/job-handler.js';
import { failedEdit } from '../fixtures/fake-network.js';
import { withWorker } from '../fixtures/test-worker.js';
import { waitFor } from '../fixtures/wait-for.js';
import { runningWorkers } from './running-workers.js';

const { startWorker, stopWorkers, finished, pendingEdit, publishedPost } = runningWorkers(
  () => fixture,
);
const fixture = withWorker();
beforeEach(() => fixture.clearJobs());
afterEach(stopWorkers);

describe('a worker', () => {
  it('is notified of a job, runs it, and runs the next one', async () => {
    const { by, post } = await publishedPost();
    startWorker();
    for (const text of ['Two', 'Three']) {
      const job = await fixture.change(by, post, { text });
      await finished(job);
      expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 1 });
    }
    expect(fixture.network.texts()).toEqual(['Two', 'Three']);
  });

  it('finds jobs by polling when the LISTEN connection is lost', async () => {
    const { by, post } = await publishedPost();
    startWorker();
    const listeners = () =>
      fixture.sql<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'posts-gateway jobs' AND datname = current_database() AND query LIKE 'LISTEN%'",
      );
    await waitFor(async () => (await listeners()).length === 1);
    await fixture.sql('SELECT pg_terminate_backend($1)', (await listeners())[0]!.pid);
    const job = await fixture.change(by, post, { text: 'Two' });
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({ status: 'completed' });
  });

  it('runs each job once among several workers, and one edit per post at a time', async () => {
    const { by, post } = await publishedPost();
    const others = await Promise.all(
      [1, 2, 3].map(() =>
        fixture.aPost({ by, account: post.account, storedState: 'published_posted', text: 'One' }),
      ),
    );
    const inFlight = new Map<string, number>();
    let maxConcurrent = 0;
    const slowEdit = async ({ post: { id } }: { post: { id: string } }): Promise<EditResult> => {
      inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
      maxConcurrent = Math.max(maxConcurrent, inFlight.get(id)!);
      await new Promise((resolve) => setTimeout(resolve, 30));
      inFlight.set(id, inFlight.get(id)! - 1);
      return { kind: 'edited' };
    };
    fixture.network.respondWith(...Array.from({ length: 100 }, () => slowEdit));
    for (let n = 0; n < 4; n++) startWorker();
    const jobs = await Promise.all(
      [1, 2, 3, 4, 5].flatMap((n) =>
        [post, ...others].map((one) => fixture.change(by, one, { text: `Text ${n}` })),
      ),
    );
    await finished(...jobs);
    expect(maxConcurrent).toBe(1);
    for (const job of jobs)
      expect(await fixture.job(job)).toMatchObject({ status: 'completed', failures: [] });
    for (const one of [post, ...others]) {
      const { text } = await fixture.storedPost(by, one.id);
      expect(await fixture.sync(one)).toMatchObject({
        status: 'synced',
        live: { text },
        in_doubt: false,
      });
      expect(
        fixture.network.edits.filter((edit) => edit.post.id === one.id).at(-1)!.post.text,
      ).toBe(text);
    }
  });

  it('waits for the running job when it stops', async () => {
    const { by, post } = await publishedPost();
    const edit = pendingEdit();
    const worker = startWorker();
    const job = await fixture.change(by, post, { text: 'Two' });
    await edit.sent();
    const stopped = worker.stop(10_000);
    edit.finish({ kind: 'edited' });
    await stopped;
    expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 1 });
  });

  it('returns a job that does not finish in time to the queue, in doubt, and records nothing of it later', async () => {
    const { by, post } = await publishedPost();
    const edit = pendingEdit();
    const worker = startWorker();
    const job = await fixture.change(by, post, { text: 'Two' });
    await edit.sent();
    await worker.stop(20);
    expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 1, leased: false });
    expect(await fixture.sync(post)).toMatchObject({
      status: 'pending',
      live: { text: 'One' },
      in_doubt: true,
    });
    edit.finish(failedEdit('NETWORK_REFUSED'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await fixture.job(job)).toMatchObject({ status: 'working', failures: [] });
    startWorker();
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
    expect(fixture.network.texts()).toEqual(['Two', 'Two']);
  });

  describe('with slow jobs', () => {
    /** Handlers that hang until the test is over, and the kinds and workspaces of their jobs. */
    function aSlowHandler() {
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      const runs: string[] = [];
      const handler: JobHandler = async (run) => {
        runs.push(run.id);
        await over;
        return { kind: 'completed', failures: [] };
      };
      return { handler, runs, end };
    }
    const insertJobs = (
      workspaceId: string,
      { kind, ids }: { kind: string; ids: readonly string[] },
    ): Promise<unknown> =>
      fixture.sql(
        "INSERT INTO job (id, workspace_id, kind, due_at) SELECT id, $1, $2::job_kind, now() - interval '1 minute' FROM unnest($3::text[]) id",
        workspaceId,
        kind,
        ids,
      );
    const jobIds = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `${prefix}_${n}`);

    it('of 40 files leaves slots to files of others, and to publications', async () => {
      const [mallory, nina] = [await fixture.aViewer(), await fixture.aViewer()];
      const files = aSlowHandler();
      const publications = aSlowHandler();
      await insertJobs(mallory.workspace.id, { kind: 'media', ids: jobIds('job_slow', 40) });
      startWorker({
        concurrency: 16,
        handlers: { media: files.handler, publish: publications.handler },
      });
      await waitFor(() => files.runs.length === 2); // half of the slots for files
      await insertJobs(nina.workspace.id, { kind: 'media', ids: jobIds('job_file', 3) });
      await waitFor(() => files.runs.length === 4);
      expect(files.runs.filter((id) => id.startsWith('job_file'))).toHaveLength(2);
      await insertJobs(nina.workspace.id, { kind: 'publish', ids: ['job_publish'] });
      await waitFor(() => publications.runs.length === 1);
      expect(files.runs).toHaveLength(4);
      files.end();
      publications.end();
      await waitFor(() => files.runs.length === 43);
    });

    it('of one workspace leaves slots to the publications of another', async () => {
      const [mallory, nina] = [await fixture.aViewer(), await fixture.aViewer()];
      const { handler, runs, end } = aSlowHandler();
      await insertJobs(mallory.workspace.id, { kind: 'publish', ids: jobIds('job_slow', 40) });
      startWorker({ concurrency: 8, handlers: { publish: handler } });
      await waitFor(() => runs.length === 4);
      await insertJobs(nina.workspace.id, { kind: 'publish', ids: ['job_nina'] });
      await waitFor(() => runs.includes('job_nina'));
      expect(runs).toHaveLength(5);
      end();
      await waitFor(() => runs.length === 41);
    });
  });
});
