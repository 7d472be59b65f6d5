import type { Sql } from '../../src/persistence/sql.js';
import { withDatabase } from '../setup/database.js';

const database = withDatabase();
beforeAll(async () => {
  await database.pool.query('CREATE TABLE number (n int UNIQUE)');
});
beforeEach(() => database.pool.query('TRUNCATE number'));

const insert = (n: number) => ({ text: 'INSERT INTO number VALUES ($1)', values: [n] });
const add = (sql: Sql, n: number) => sql(insert(n).text, [n]);
const numbers = async (): Promise<number[]> =>
  (await database.pool.query<{ n: number }>('SELECT n FROM number ORDER BY n')).rows.map(
    ({ n }) => n,
  );

describe('statements that are sent together with COMMIT', () => {
  it('are saved with the others', async () => {
    await database.transaction(async (sql, atEnd) => {
      await add(sql, 1);
      atEnd([insert(2), insert(3)]);
    });
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it.each([
    ['first', [insert(1), insert(2), insert(3)]],
    ['last', [insert(2), insert(3), insert(1)]],
  ])('roll back all if the %s one fails, and report its error', async (_place, last) => {
    const saving = database.transaction(async (sql, atEnd) => {
      await add(sql, 1);
      atEnd(last);
    });
    await expect(saving).rejects.toMatchObject({ code: '23505' });
    expect(await numbers()).toEqual([]);
    await database.transaction((sql) => add(sql, 4));
    expect(await numbers()).toEqual([4]);
  });

  it('may be saved if the connection is lost', async () => {
    const saving = database.transaction(async (sql, atEnd) => {
      await add(sql, 1);
      atEnd([{ text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] }, insert(2)]);
    });
    await expect(saving).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('did not confirm'),
    });
  });
});

test('an exception rolls back', async () => {
  const saving = database.transaction(async (sql) => {
    await add(sql, 1);
    throw new Error('No');
  });
  await expect(saving).rejects.toThrow('No');
  expect(await numbers()).toEqual([]);
});
