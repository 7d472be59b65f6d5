import { findingsOf, type DatabaseFacts, type Facts } from '../../src/services/diagnostics.js';

const AT = 1_700_000_000_000;
/** A clock that was read in 20 ms and is ahead by so much. */
const ahead = (ms: number) => ({ sent: AT, theirs: AT + 10 + ms, received: AT + 20 });
const HEALTHY: DatabaseFacts = {
  version: '18.4',
  isEmbedded: false,
  isReadOnly: false,
  connections: { used: 10, most: 100 },
  clock: ahead(0),
  migrations: { applied: 4, pending: [], edited: [], failed: [], unknown: [] },
  jobs: { workers: 2, waiting: 0, oldestSeconds: 0, failed: 0 },
  locked: [],
};
const found = (database: Partial<DatabaseFacts>, redis: Facts['redis'] = null) =>
  findingsOf({ database: { ...HEALTHY, ...database }, redis });
const jobs = (change: Partial<NonNullable<DatabaseFacts['jobs']>>) => ({
  jobs: { ...HEALTHY.jobs!, ...change },
});
const migrations = (change: Partial<DatabaseFacts['migrations']>) => ({
  migrations: { ...HEALTHY.migrations, ...change },
});

it('has nothing to say against what is well, and leaves no part out', () => {
  expect(
    found({}, { clock: ahead(5) }).map(({ level, about, advice }) => [level, about, advice]),
  ).toEqual(
    [
      'database',
      'migrations',
      'workers',
      'queue',
      'failed jobs',
      'credentials',
      'Redis',
      'clock',
    ].map((about) => ['ok', about, undefined]),
  );
});

it.each<[string, Partial<DatabaseFacts>, Facts['redis'], string, string]>([
  [
    'fail database',
    { isReadOnly: true },
    null,
    'PostgreSQL 18.4, 10 of 100 connections in use, read-only',
    'primary',
  ],
  [
    'warn database',
    { isEmbedded: true, connections: { used: 86, most: 100 } },
    null,
    'PostgreSQL 18.4, embedded, 86 of 100 connections in use',
    'max_connections',
  ],
  [
    'fail migrations',
    migrations({ failed: ['m2'], pending: ['m3'] }),
    null,
    'failed: m2',
    '--rolled-back m2',
  ],
  [
    'fail migrations',
    migrations({ unknown: ['m9'] }),
    null,
    'not known to this build: m9',
    'later release',
  ],
  ['warn migrations', migrations({ pending: ['m3', 'm4'] }), null, 'pending: m3, m4', '`migrate`'],
  [
    'warn migrations',
    migrations({ edited: ['m1'] }),
    null,
    'edited after they were applied: m1',
    'release',
  ],
  [
    'warn workers',
    jobs({ workers: 0, waiting: 3, oldestSeconds: 59 }),
    null,
    'no process does jobs',
    'JOB_CONCURRENCY',
  ],
  [
    'fail workers',
    jobs({ workers: 0, waiting: 3, oldestSeconds: 61 }),
    null,
    'no process does jobs',
    'JOB_CONCURRENCY',
  ],
  [
    'warn queue',
    jobs({ waiting: 3, oldestSeconds: 61.4 }),
    null,
    '3 due, the oldest for 61 s',
    'more workers',
  ],
  ['warn failed jobs', jobs({ failed: 7 }), null, '7', '`jobs list`'],
  [
    'fail credentials',
    { locked: ['acc_1', 'acc_2', 'acc_3', 'acc_4'] },
    null,
    '4 cannot be opened (acc_1, acc_2, acc_3, …)',
    'CREDENTIALS_KEY',
  ],
  ['fail Redis', {}, 'connect ECONNREFUSED', 'connect ECONNREFUSED', 'REDIS_URL'],
  ['warn clock', { clock: ahead(1_020) }, null, 'database 1020 ms ahead', 'NTP'],
  ['fail clock', { clock: ahead(-9_000) }, null, 'database 9000 ms behind', 'NTP'],
  [
    'warn clock',
    { clock: ahead(-600) },
    { clock: ahead(600) },
    'database 600 ms behind, Redis 600 ms ahead',
    'NTP',
  ],
])('finds: %s', (expected, database, redis, says, advice) => {
  const wrong = found(database, redis).filter(({ level }) => level !== 'ok');
  const [first] = wrong.filter(({ level, about }) => `${level} ${about}` === expected);
  expect(first).toMatchObject({ says, advice: expect.stringContaining(advice) });
});

it('bears clocks that differ by no more than can be told', () => {
  expect(found({ clock: ahead(1_009) }).at(-1)).toEqual({
    level: 'ok',
    about: 'clock',
    says: 'database 1009 ms ahead',
  });
});

it('tells of Redis, too, where the database is away, and nothing of what only the database knows', () => {
  expect(findingsOf({ database: 'connect ECONNREFUSED', redis: { clock: ahead(0) } })).toEqual([
    {
      level: 'fail',
      about: 'database',
      says: 'connect ECONNREFUSED',
      advice: expect.stringContaining('DATABASE_URL'),
    },
    { level: 'ok', about: 'Redis', says: 'answers in 20 ms' },
  ]);
});

it('says nothing of jobs where there is no table of them yet', () => {
  expect(found({ jobs: null }).map(({ about }) => about)).toEqual([
    'database',
    'migrations',
    'credentials',
    'Redis',
    'clock',
  ]);
});
