import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { readAppliedMigrations } from '../../src/persistence/migrations.js';
import { createRandom, SEED } from '../../test/faults/random.js';
import { runLoadClient } from '../../test/publishing/load.js';
import {
  describeViolation,
  findPublishingViolations,
  readRows,
} from '../../test/publishing/network-record.js';
import type { PostRecord } from '../../test/publishing/post-record.js';
import { settle } from '../../test/publishing/settle.js';
import { aPostgresServer, type PostgresServer } from '../../test/setup/postgres-server.js';
import { aRedisServer, type RedisServer } from '../../test/setup/redis.js';
import { killStartedPrograms } from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';
import { silentLog } from '../../test/setup/test-server.js';
import { readPosts } from './readings.js';
import { startRelease } from './release-processes.js';
import { createReleaseRecords } from './release-records.js';
import { createRollingClient, type Backend, type ResponseCounts } from './rolling-client.js';

/** `npm run lab -- upgrade [--from <commit>] [--seconds n] [--seed n]`: seconds of each stage. */
const STAGE_MS = suite.number('seconds', 20) * 1_000;
jest.setTimeout(300_000 + 3 * STAGE_MS);

const NEW_RELEASE = path.resolve(__dirname, '../..');
const CLIENTS = 3;
/** In each stage: fast clients must not run out of posts before the releases run side by side. */
const POSTS_PER_CLIENT = 20;
const MAX_SHOWN = 5;

let postgres: PostgresServer;
let redis: RedisServer;
let database: OpenDatabase;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([aPostgresServer(), aRedisServer()]);
  database = await openDatabase({
    connectionString: postgres.url(),
    poolSize: 4,
    log: silentLog,
  });
});
afterAll(async () => {
  killStartedPrograms();
  await database?.close();
  await redis?.close();
  await postgres?.close();
});

const noResponses = () => ({ requests: 0, unavailable: 0, slowestMs: 0 });

test('the previous release and this one serve and publish side by side', async () => {
  const previousRelease = suite.option('release');
  if (!previousRelease) throw new Error('Run this test with npm run lab -- upgrade.');
  const settings = { DATABASE_URL: postgres.url(), REDIS_URL: redis.url };
  const previous = await startRelease(previousRelease, settings);
  const { length: before } = await readAppliedMigrations(database.scan);
  const people = await createReleaseRecords(previousRelease, settings, database.pool);
  const { accounts } = people;

  const counts: ResponseCounts = { previous: noResponses(), new: noResponses() };
  const [records, violations]: [PostRecord[], string[]] = [[], []];
  let backends: Backend[] = [{ release: 'previous', url: previous.url }];
  const rolling = { backends: () => backends, counts, violations };
  const owner = createRollingClient(people.owner, rolling);
  const member = createRollingClient(people.member, rolling);
  let isOver = false;
  const load = { round: 1, accounts, owner, member, records, violations, isOver: () => isOver };
  const clients: Promise<void>[] = [];
  const startClients = (): void => {
    for (let n = 0; n < CLIENTS; n++)
      clients.push(runLoadClient(load, createRandom(clients.length + 1), POSTS_PER_CLIENT));
  };
  startClients();
  const reading = readPosts({ ...load, client: owner, random: createRandom(0) });
  await sleep(STAGE_MS);

  const current = await startRelease(NEW_RELEASE, settings);
  const migrations = (await readAppliedMigrations(database.scan)).length - before;
  const publishedAlone = await previous.publishedPosts();
  backends = [...backends, { release: 'new', url: current.url }];
  startClients();
  await sleep(STAGE_MS);

  const publishedBeside = (await previous.publishedPosts()) - publishedAlone;
  const publishedNew = await current.publishedPosts();
  backends = backends.slice(1);
  violations.push(...(await previous.stop()));
  startClients();
  await sleep(STAGE_MS);

  isOver = true;
  const reads = await reading;
  await Promise.all(clients);
  await settle(database);
  const accountIds = accounts.map(({ id }) => id);
  const rows = await readRows(database, accountIds);
  for (const violation of findPublishingViolations(rows, records))
    violations.push(await describeViolation(database, violation));
  violations.push(...(await current.stop()));
  await Promise.all([owner.close(), member.close()]);

  for (const [name, { requests, unavailable, slowestMs }] of Object.entries(counts))
    suite.report(
      `${name} release: ${requests} requests, ${unavailable} times 503, slowest ${slowestMs} ms`,
    );
  suite.report(
    `${migrations} migrations under load; ${rows.length} posts, ${reads} reads; side by side, the previous release published ${publishedBeside} posts and the new one ${publishedNew}`,
  );
  expect({ seed: SEED, violations: violations.slice(0, MAX_SHOWN) }).toEqual({
    seed: SEED,
    violations: [],
  });
  expect([publishedBeside > 0, publishedNew > 0]).toEqual([true, true]);
});
