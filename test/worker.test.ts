import { createSandboxStore } from '../src/persistence/networks/sandbox-store.js';
import { aNightShift, type NightShift } from './fixtures/test-worker.js';
import { aWorkerProcess } from './fixtures/worker-process.js';
import { buildWhatIsStarted, killStarted, start, until } from './setup/started.js';

jest.setTimeout(90_000);

let night: NightShift;
beforeAll(async () => {
  buildWhatIsStarted();
  night = await aNightShift();
});
afterEach(killStarted);
afterAll(() => night.database.drop());

describe('node dist/worker.js', () => {
  it('does jobs, lets the one at hand end on SIGTERM, and leaves the rest to others', async () => {
    const sandbox = createSandboxStore(night.database.pool);
    const worker = await aWorkerProcess({ DATABASE_URL: night.database.url, JOB_CONCURRENCY: '1' });
    const { by, post } = await night.aPublishedPost({ sandbox: true });
    await sandbox.setFaults(post.id, { delayMs: 500 }, new Date());
    const atHand = await night.change(by, post, { text: 'Two' });
    await until(async () => (await night.job(atHand)).leased, worker);
    const rest = await night.change(
      by,
      await night.aPost({ by, account: post.account, cell: 'published_posted' }),
      { text: 'Two' },
    );

    worker.child.kill('SIGTERM');
    expect(await worker.exit).toBe(0);
    expect(worker.errors()).toBe('');
    expect(await night.job(atHand)).toMatchObject({ status: 'completed', attempts: 1 });
    expect((await sandbox.find(post.id)).fields).toMatchObject({ text: 'Two' });
    expect(await night.job(rest)).toMatchObject({ status: 'working', attempts: 0 });

    const other = await aWorkerProcess({ DATABASE_URL: night.database.url });
    await until(async () => (await night.job(rest)).status === 'completed', other);
    other.child.kill('SIGINT');
    expect(await other.exit).toBe(0);
  });

  it.each([
    [
      'a bad setting',
      { JOB_CONCURRENCY: 'many' },
      'posts-gateway worker: JOB_CONCURRENCY is "many": a whole number from 0 to 100\n',
    ],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/posts' },
      /^posts-gateway worker: The database cannot be used: [^\n]*\n$/,
    ],
  ])('says in one line of %s', async (_what, env, line) => {
    const worker = start(env, [process.execPath, 'dist/worker.js']);
    expect(await worker.exit).toBe(1);
    expect(worker.errors()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    expect([worker.output(), worker.errors().includes('secret')]).toEqual(['', false]);
  });
});
