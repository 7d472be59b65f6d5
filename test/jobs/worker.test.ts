import { aNightShift, fails, type NightShift } from '../fixtures/test-worker.js';
import { IMPORT_BROKE_OFF } from '../../src/domain/jobs/job.js';
import { createJobRecords } from '../../src/persistence/jobs/job-store.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { EditResult } from '../../src/services/networks/network-ports.js';

let night: NightShift;
const workers: Worker[] = [];
beforeAll(async () => {
  night = await aNightShift();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
});
afterAll(() => night.database.drop());
beforeEach(() => night.clear());

function working(more: Parameters<NightShift['aWorker']>[0] = {}): Worker {
  const worker = night.aWorker(more);
  workers.push(worker);
  worker.start();
  return worker;
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  const last = Date.now() + 20_000;
  while (!(await what())) {
    if (Date.now() > last) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const ended = (...jobs: string[]) =>
  until(async () =>
    (await Promise.all(jobs.map(night.job))).every(({ status }) => status !== 'working'),
  );

/** An edit that is out until it is let in. */
function held() {
  let finish = (_result: EditResult): void => undefined;
  const result = new Promise<EditResult>((resolve) => {
    finish = resolve;
  });
  night.network.answers(() => result);
  return { out: () => until(() => night.network.edits.length > 0), finish };
}

const fresh = () => night.aPublishedPost({ sandbox: true });

describe('a worker', () => {
  it('is told of a job, does it, and does the next one', async () => {
    const { by, post } = await fresh();
    working();
    for (const text of ['Two', 'Three']) {
      const job = await night.change(by, post, { text });
      await ended(job);
      expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 1 });
    }
    expect(night.network.texts()).toEqual(['Two', 'Three']);
  });

  it('finds jobs that nobody told it of, where the connection that tells is lost', async () => {
    const { by, post } = await fresh();
    working();
    const listeners = () =>
      night.sql<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'posts-gateway jobs' AND datname = current_database() AND query LIKE 'LISTEN%'",
      );
    await until(async () => (await listeners()).length === 1);
    await night.sql('SELECT pg_terminate_backend($1)', (await listeners())[0]!.pid);
    const job = await night.change(by, post, { text: 'Two' });
    await ended(job);
    expect(await night.job(job)).toMatchObject({ status: 'completed' });
  });

  it('tries again what failed for now', async () => {
    const { by, post } = await fresh();
    night.network.answers(fails('NETWORK_UNAVAILABLE'));
    working();
    const job = await night.change(by, post, { text: 'Two' });
    await until(async () => (await night.job(job)).due_in > 1);
    await night.hurry();
    await ended(job);
    expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('lets one of many do each job, and one edit of a post be out at a time', async () => {
    const { by, post } = await fresh();
    const others = await Promise.all(
      [1, 2, 3].map(() =>
        night.aPost({ by, account: post.account, cell: 'published_posted', text: 'One' }),
      ),
    );
    const out = new Map<string, number>();
    let most = 0;
    const slowly = async ({ post: { id } }: { post: { id: string } }): Promise<EditResult> => {
      out.set(id, (out.get(id) ?? 0) + 1);
      most = Math.max(most, out.get(id)!);
      await new Promise((resolve) => setTimeout(resolve, 30));
      out.set(id, out.get(id)! - 1);
      return { kind: 'edited' };
    };
    night.network.answers(...Array.from({ length: 100 }, () => slowly));
    for (let n = 0; n < 4; n++) working();
    const jobs = await Promise.all(
      [1, 2, 3, 4, 5].flatMap((n) =>
        [post, ...others].map((one) => night.change(by, one, { text: `Text ${n}` })),
      ),
    );
    await ended(...jobs);
    expect(most).toBe(1);
    for (const job of jobs)
      expect(await night.job(job)).toMatchObject({ status: 'completed', failures: [] });
    for (const one of [post, ...others]) {
      const { text } = await night.stored(by, one.id);
      expect(await night.sync(one)).toMatchObject({
        status: 'synced',
        live: { text },
        in_doubt: false,
      });
      expect(night.network.edits.filter((edit) => edit.post.id === one.id).at(-1)!.post.text).toBe(
        text,
      );
    }
  });

  it('waits for the job at hand before it goes', async () => {
    const { by, post } = await fresh();
    const edit = held();
    const worker = working();
    const job = await night.change(by, post, { text: 'Two' });
    await edit.out();
    const gone = worker.stop(10_000);
    edit.finish({ kind: 'edited' });
    await gone;
    expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 1 });
  });

  it('gives back what does not end in time, in doubt, and nothing is written down of it any more', async () => {
    const { by, post } = await fresh();
    const edit = held();
    const worker = working();
    const job = await night.change(by, post, { text: 'Two' });
    await edit.out();
    await worker.stop(20);
    expect(await night.job(job)).toMatchObject({ status: 'working', attempts: 1, leased: false });
    expect(await night.sync(post)).toMatchObject({
      status: 'pending',
      live: { text: 'One' },
      in_doubt: true,
    });
    edit.finish(fails('NETWORK_REFUSED'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await night.job(job)).toMatchObject({ status: 'working', failures: [] });
    working();
    await ended(job);
    expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
    expect(night.network.texts()).toEqual(['Two', 'Two']);
  });

  it('ends a job that fails unforeseen every time', async () => {
    const { by, post } = await fresh();
    const job = await night.change(by, post, { text: 'Two' });
    await night.sql('UPDATE job SET attempts = 9 WHERE id = $1', job);
    working({ handlers: { network_edit: () => Promise.reject(new Error('a slip')) } });
    await ended(job);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      attempts: 10,
      failures: [
        {
          id: post.id,
          code: 'INTERNAL_SERVER_ERROR',
          message: expect.stringContaining('a fault of its own'),
        },
      ],
    });
    expect(await night.sync(post)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('a fault of its own'),
      in_doubt: false,
    });
  });

  it('ends a job that was cut off every time', async () => {
    const { by, post } = await fresh();
    const job = await night.change(by, post, { text: 'Two' });
    await night.sql('UPDATE job SET attempts = 10 WHERE id = $1', job);
    working();
    await ended(job);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ message: expect.stringContaining('cut off 10 times') }],
    });
    expect(night.network.edits).toEqual([]);
  });

  it('takes up a job whose worker is gone when its lease has run out, and one whose ticket was lost', async () => {
    const { by, post } = await fresh();
    const job = await night.change(by, post, { text: 'Two' });
    const [dead] = await night.taken();
    expect(dead!.id).toBe(job);
    expect(await night.runs.reconcile()).toBe(0);
    await night.sql("UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1", job);
    expect(await night.runs.reconcile()).toBe(1);
    expect(await night.runs.reconcile()).toBe(0); // it stands in the line once
    expect(await dead!.renew()).toBe(true); // nobody has it yet
    await night.sql("UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1", job);
    const [living] = await night.taken();
    expect(living).toMatchObject({ id: job, attempt: 2 });
    expect([await dead!.renew(), await living!.renew()]).toEqual([false, true]);
    expect(await night.runs.settle(dead!, { kind: 'completed', failures: [] })).toBe(false);
    expect(await night.runs.settle(living!, { kind: 'again', inMs: 0 })).toBe(true);

    await night.sql('DELETE FROM pgboss.job');
    expect(await night.runs.reconcile()).toBe(0); // it is not overdue yet
    await night.sql("UPDATE job SET due_at = now() - interval '11 seconds' WHERE id = $1", job);
    working();
    await ended(job);
    expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 3 });
  });

  it('keeps its lease as long as it is at work', async () => {
    const { by, post } = await fresh();
    const job = await night.change(by, post, { text: 'Two' });
    const edit = held();
    working({ heartbeatMs: 20 });
    await edit.out();
    await night.sql("UPDATE job SET leased_until = now() + interval '1 second' WHERE id = $1", job);
    await until(
      async () =>
        (
          await night.sql(
            "SELECT 1 FROM job WHERE id = $1 AND leased_until > now() + interval '10 seconds'",
            job,
          )
        ).length === 1,
    );
    edit.finish({ kind: 'edited' });
    await ended(job);
    expect(await night.job(job)).toMatchObject({ status: 'completed', attempts: 1, leased: false });
  });

  it('leaves to others what it does not know, and everything where it is told to do nothing', async () => {
    const { by, post } = await fresh();
    const job = await night.change(by, post, { text: 'Two' });
    working({ handlers: {} });
    await until(async () => (await night.job(job)).due_in > 50);
    expect(await night.job(job)).toMatchObject({ status: 'working', attempts: 0 });
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
    await night.hurry();
    working({ atOnce: 0 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await night.job(job)).toMatchObject({ status: 'working', attempts: 0 });
    working();
    await ended(job);
  });
});

test('an import whose command was killed ends as failed; one that was only slow goes on', async () => {
  const by = await night.aViewer();
  const owner = { workspaceId: by.workspace.id, userId: by.user.id };
  const records = createJobRecords(night.database.pool);
  const at = night.clock.now();
  const told = {
    id: 'job_import',
    kind: 'import',
    status: 'working',
    progress: 0.5,
    failures: [],
    postId: null,
    createdAt: at,
    finishedAt: null,
  } as const;
  await records.put(owner, { ...told, failures: [] });
  await night.runs.reconcile();
  expect(await night.job('job_import')).toMatchObject({ status: 'working', leased: true });
  await night.sql("UPDATE job SET leased_until = now() - interval '1 second'");
  await night.runs.reconcile();
  expect(await night.job('job_import')).toMatchObject({
    status: 'failed',
    progress: 0.5,
    finished: true,
    failures: [{ id: 'job_import', code: 'INTERNAL_SERVER_ERROR', message: IMPORT_BROKE_OFF }],
  });
  await records.put(owner, { ...told, progress: 0.6, failures: [] });
  expect(await night.job('job_import')).toMatchObject({
    status: 'working',
    progress: 0.6,
    failures: [],
    finished: false,
  });
  await records.put(owner, {
    ...told,
    status: 'completed',
    progress: 1,
    failures: [],
    finishedAt: at,
  });
  expect(await night.job('job_import')).toMatchObject({
    status: 'completed',
    leased: false,
    finished: true,
  });
});

test('jobs of one post wait for the one that is out', async () => {
  const { by, post } = await fresh();
  await night.change(by, post, { text: 'Two' });
  const [first] = await night.taken();
  const later = await night.change(by, post, { text: 'Three' });
  expect(await night.taken()).toEqual([]);
  expect(await night.job(later)).toMatchObject({ status: 'working', attempts: 0 });
  await night.hurry();
  expect(await night.taken()).toEqual([]);
  // A worker that is gone holds nobody up for longer than its lease.
  await night.sql(
    "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1",
    first!.id,
  );
  await night.hurry();
  expect((await night.taken()).map(({ id }) => id)).toEqual([later]);
});

test('a change that is taken back leaves no job in the line', async () => {
  const { by, post } = await fresh();
  const before = await night.sql('SELECT id FROM pgboss.job ORDER BY id');
  await night.update(by, post, { text: 'Two' }, { dryRun: true });
  expect(await night.sql('SELECT id FROM pgboss.job ORDER BY id')).toEqual(before);
});
