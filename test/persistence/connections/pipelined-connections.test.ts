import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPipelinedConnections } from '../../../src/persistence/connections/connection.js';
import type { Queryable } from '../../../src/persistence/sql.js';
import { withDatabase } from '../../setup/database.js';

let pool: pg.Pool;
let connections: Queryable;
const database = withDatabase();
beforeEach(() => {
  pool = new pg.Pool({ connectionString: database.url, max: 5, pipeline: true });
  pool.on('connect', (client) => client.on('error', () => undefined)).on('error', () => undefined);
  connections = createPipelinedConnections(pool);
});
afterEach(() => pool.end());
const processOf = async (text = 'SELECT pg_backend_pid() AS pid'): Promise<number> =>
  (await connections.query({ text })).rows[0].pid as number;
const many = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => processOf()));
const slowly = (seconds: number): Promise<number> =>
  processOf(`SELECT pg_sleep(${seconds}), pg_backend_pid() AS pid`);
const inUse = (): number[] => [pool.totalCount - pool.idleCount, pool.waitingCount];

it('run many reads on two of five connections, return each its own result, and are released', async () => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      connections.query({
        name: 'echo',
        text: 'SELECT $1::int AS n, pg_backend_pid() AS pid',
        values: [n],
      }),
    ),
  );
  expect(answers.map(({ rows }) => rows[0].n as number)).toEqual(
    Array.from({ length: 16 }, (_, n) => n),
  );
  expect(new Set(answers.map(({ rows }) => rows[0].pid as number)).size).toBe(2);
  expect(inUse()).toEqual([0, 0]);
});

it('beyond eight statements each, use separate connections', async () => {
  expect(new Set(await many(20)).size).toBe(5);
  expect(inUse()).toEqual([0, 0]);
});

it('queue no statement behind a slow one while another connection is free', async () => {
  const slow = slowly(0.5);
  let hasFinished = false;
  void slow.then(() => {
    hasFinished = true;
  });
  for (let count = 0; count < 5; count++) await processOf();
  expect(hasFinished).toBe(false);
  await slow;
});

it('let each read fail independently', async () => {
  const outcomes = await Promise.allSettled([
    processOf(),
    connections.query({ text: 'SELECT 1 / 0' }),
    processOf(),
    connections.query({ name: 'none', text: 'SELECT * FROM no_such_table' }),
    processOf(),
    processOf(),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(inUse()).toEqual([0, 0]);
});

it('fail all statements of a lost connection, and continue on another one', async () => {
  const [lost] = await many(1);
  const running = [slowly(5), slowly(5), slowly(5), slowly(5)].map((statement) =>
    statement.then(
      () => 'completed',
      (error: Error) => error.message,
    ),
  );
  while (
    (
      await database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(5)%' AND state = 'active'",
      )
    ).rows.length < 2
  )
    await sleep(10);
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(5)%'",
  );
  for (const outcome of await Promise.all(running)) expect(outcome).toMatch(/terminat|ECONNRESET/);
  expect(await processOf()).not.toBe(lost);
  expect(inUse()).toEqual([0, 0]);
});

it('are not used in a pool of one or two connections', async () => {
  const small = new pg.Pool({ connectionString: database.url, max: 1, pipeline: true });
  connections = createPipelinedConnections(small);
  expect(new Set(await many(4)).size).toBe(1);
  await small.end();
});
