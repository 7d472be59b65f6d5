import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { withAdvisoryLock } from '../../src/persistence/advisory-lock.js';
import { emptyDatabase } from '../setup/database.js';
import { silentLog } from '../setup/test-server.js';

describe('an advisory lock', () => {
  let empty: Awaited<ReturnType<typeof emptyDatabase>>;
  let db: OpenDatabase;
  beforeAll(async () => {
    empty = await emptyDatabase();
    db = await openDatabase({ connectionString: empty.url, poolSize: 1, log: silentLog });
  });
  afterAll(async () => {
    await db.close();
    await empty.drop();
  });

  it('excludes concurrent work, even with a single connection in the pool', async () => {
    const events: string[] = [];
    const work = (name: string) =>
      withAdvisoryLock(db, 'chore', async () => {
        events.push(`${name} starts`);
        await db.pool.query('SELECT pg_sleep(0.02)');
        events.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all(['a', 'b', 'c'].map(work))).toEqual(['a', 'b', 'c']);
    const names = events.map((event) => event.split(' ')[0]);
    for (let i = 0; i < names.length; i += 2) expect(names[i]).toBe(names[i + 1]);
  });

  it('lets the work finish if the connection of the lock is lost', async () => {
    const terminate =
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    const work = async (): Promise<string> => {
      while ((await db.pool.query(terminate)).rowCount !== 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
      return 'done';
    };
    expect(await withAdvisoryLock(db, 'chore', work)).toBe('done');
  });

  it('is released if the work fails', async () => {
    await expect(
      withAdvisoryLock(db, 'chore', () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow('failed');
    expect(await withAdvisoryLock(db, 'chore', async () => 'next')).toBe('next');
  });
});
