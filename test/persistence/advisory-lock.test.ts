import { openDatabase, type Database } from '../../src/persistence/database.js';
import { exclusively } from '../../src/persistence/advisory-lock.js';
import { emptyDatabase } from '../setup/database.js';
import { silent } from '../setup/test-server.js';

describe('work that one process does at a time', () => {
  let empty: Awaited<ReturnType<typeof emptyDatabase>>;
  let db: Database;
  beforeAll(async () => {
    empty = await emptyDatabase();
    db = await openDatabase({ databaseUrl: empty.url, dataDir: '', poolSize: 1, log: silent });
  });
  afterAll(async () => {
    await db.close();
    await empty.drop();
  });

  it('takes turns, even where the pool has a single connection', async () => {
    const events: string[] = [];
    const work = (name: string) =>
      exclusively(db.pool, 'chore', async () => {
        events.push(`${name} begins`);
        await db.pool.query('SELECT pg_sleep(0.02)');
        events.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all(['a', 'b', 'c'].map(work))).toEqual(['a', 'b', 'c']);
    const turns = events.map((event) => event.split(' ')[0]);
    for (let i = 0; i < turns.length; i += 2) expect(turns[i]).toBe(turns[i + 1]);
  });

  it('ends with its work where the connection of its turn is lost meanwhile', async () => {
    const lose =
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    const work = async (): Promise<string> => {
      while ((await db.pool.query(lose)).rowCount !== 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
      return 'done';
    };
    expect(await exclusively(db.pool, 'chore', work)).toBe('done');
  });

  it('gives its turn back when it fails', async () => {
    await expect(
      exclusively(db.pool, 'chore', () => Promise.reject(new Error('spilt'))),
    ).rejects.toThrow('spilt');
    expect(await exclusively(db.pool, 'chore', async () => 'next')).toBe('next');
  });
});
