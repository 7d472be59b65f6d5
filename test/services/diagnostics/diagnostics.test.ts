import { diagnose } from '../../../src/services/diagnostics/diagnose.js';
import type {
  DatabaseFacts,
  DiagnosticFacts,
  JobFacts,
  MediaFacts,
  MigrationFacts,
} from '../../../src/domain/diagnostics/diagnostic-facts.js';

const AT = 1_700_000_000_000;
/** A remote clock that is `ms` ahead, read within 20 ms. */
const ahead = (ms: number) => ({ sent: AT, remote: AT + 10 + ms, received: AT + 20 });
const MIGRATIONS: MigrationFacts = {
  applied: 4,
  pending: [],
  edited: [],
  failed: [],
  unknown: [],
  incompatible: [],
};
const JOBS: JobFacts = { workers: 2, due: 0, oldestDueSeconds: 0, failed: 0 };
const PUBLISHING = { pausedAt: null, backupAt: null, duePosts: 0, oldestDueAt: null };
const HEALTHY: DatabaseFacts = {
  version: '18.4',
  isEmbedded: false,
  readOnly: null,
  connections: { used: 10, max: 100 },
  clock: ahead(0),
  migrations: MIGRATIONS,
  jobs: JOBS,
  publishing: PUBLISHING,
  unreadableCredentials: [],
};
const MEDIA: MediaFacts = {
  folder: '/data/media/incoming',
  storage: 'ok',
  baseUrl: { url: 'https://posts.example.com', problem: null },
};
const findings = (database: Partial<DatabaseFacts>, redis: DiagnosticFacts['redis'] = null) =>
  diagnose({ database: { ...HEALTHY, ...database }, redis, media: MEDIA, redirect: null });
const jobs = (change: Partial<JobFacts>) => ({ jobs: { ...JOBS, ...change } });
const migrations = (change: Partial<MigrationFacts>) => ({
  migrations: { ...MIGRATIONS, ...change },
});

it('returns an ok finding for every healthy subject', () => {
  expect(
    findings({}, { clock: ahead(5) }).map(({ status, subject, advice }) => [
      status,
      subject,
      advice,
    ]),
  ).toEqual(
    [
      'database',
      'migrations',
      'workers',
      'queue',
      'failed jobs',
      'publishing',
      'credentials',
      'Redis',
      'clock',
      'media storage',
      'media URL',
    ].map((subject) => ['ok', subject, undefined]),
  );
});

it.each<[string, Partial<DatabaseFacts>, DiagnosticFacts['redis'], string, string]>([
  [
    'fail database',
    { readOnly: 'standby' },
    null,
    'PostgreSQL 18.4, 10 of 100 connections in use, a standby, which accepts no changes',
    'primary',
  ],
  [
    'fail database',
    { readOnly: 'setting' },
    null,
    'PostgreSQL 18.4, 10 of 100 connections in use, read-only',
    'default_transaction_read_only',
  ],
  [
    'warn database',
    { isEmbedded: true, connections: { used: 86, max: 100 } },
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
    migrations({ unknown: ['m9'], incompatible: ['m8_major_2'] }),
    null,
    'of a later major version: m8_major_2',
    'Run that version',
  ],
  [
    'warn migrations',
    migrations({ unknown: ['m9'] }),
    null,
    'unknown to this release: m9',
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
    jobs({ workers: 0, due: 3, oldestDueSeconds: 59 }),
    null,
    'no process runs jobs',
    'JOB_CONCURRENCY',
  ],
  [
    'fail workers',
    jobs({ workers: 0, due: 3, oldestDueSeconds: 61 }),
    null,
    'no process runs jobs',
    'JOB_CONCURRENCY',
  ],
  [
    'warn queue',
    jobs({ due: 3, oldestDueSeconds: 61.4 }),
    null,
    '3 due; the oldest due or running job has been due for 61 s',
    'more workers',
  ],
  [
    'warn queue',
    jobs({ oldestDueSeconds: 300 }),
    null,
    '0 due; the oldest due or running job has been due for 300 s',
    'a job that hangs',
  ],
  ['warn failed jobs', jobs({ failed: 7 }), null, '7', '`jobs list`'],
  [
    'warn publishing',
    { publishing: { ...PUBLISHING, duePosts: 3, oldestDueAt: new Date(AT - 61_000) } },
    null,
    '3 due posts, the first since 2023-11-14T22:12:19.000Z',
    'Start a gateway',
  ],
  [
    'warn publishing',
    { publishing: { ...PUBLISHING, pausedAt: new Date(AT), backupAt: new Date(AT - 1_000) } },
    null,
    'paused, no post is due',
    'a backup of 2023-11-14T22:13:19.000Z was restored. To continue, run `publishing resume`',
  ],
  [
    'fail credentials',
    { unreadableCredentials: ['acc_1', 'acc_2', 'acc_3', 'acc_4'] },
    null,
    '4 cannot be decrypted (acc_1, acc_2, acc_3, …)',
    'Set CREDENTIALS_KEY to the key that they were encrypted with, or connect the accounts again.',
  ],
  [
    'fail credentials',
    { unreadableCredentials: ['acc_1', 'whk_1'] },
    null,
    '2 cannot be decrypted (acc_1, whk_1)',
    'connect the accounts again and replace the secrets of the webhooks with `webhooks rotate --grace-hours 0`.',
  ],
  [
    'fail credentials',
    { unreadableCredentials: ['whk_1'] },
    null,
    '1 cannot be decrypted (whk_1)',
    'encrypted with, or replace the secrets of the webhooks',
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
])('finds: %s', (expected, database, redis, message, advice) => {
  const problems = findings(database, redis).filter(({ status }) => status !== 'ok');
  const [first] = problems.filter(({ status, subject }) => `${status} ${subject}` === expected);
  expect(first).toMatchObject({ message, advice: expect.stringContaining(advice) });
});

it('accepts a clock skew below the uncertainty of the reading', () => {
  expect(findings({ clock: ahead(1_009) })).toContainEqual({
    status: 'ok',
    subject: 'clock',
    message: 'database 1009 ms ahead',
  });
});

it('checks Redis even if the database is unavailable, and lists the checks that need the database', () => {
  expect(
    diagnose({
      database: 'connect ECONNREFUSED',
      redis: { clock: ahead(0) },
      media: MEDIA,
      redirect: null,
    }),
  ).toEqual([
    {
      status: 'fail',
      subject: 'database',
      message: 'connect ECONNREFUSED',
      advice: expect.stringContaining('DATABASE_URL'),
    },
    ...['migrations', 'workers', 'queue', 'failed jobs', 'publishing', 'credentials', 'clock'].map(
      (subject) => ({
        status: 'unknown',
        subject,
        message: 'not checked: the database cannot be used',
      }),
    ),
    { status: 'ok', subject: 'Redis', message: 'responds in 20 ms' },
    expect.objectContaining({ subject: 'media storage' }),
    expect.objectContaining({ subject: 'media URL' }),
  ]);
});

it('lists the checks whose facts could not be read, with the reason', () => {
  const unread = {
    migrations: 'no rights',
    jobs: 'too slow',
    publishing: 'broken',
    unreadableCredentials: 'no tables',
  };
  expect(
    findings(unread)
      .filter(({ status }) => status === 'unknown')
      .map(({ subject, message }) => [subject, message]),
  ).toEqual([
    ['migrations', 'not checked: no rights'],
    ['workers', 'not checked: too slow'],
    ['queue', 'not checked: too slow'],
    ['failed jobs', 'not checked: too slow'],
    ['publishing', 'not checked: broken'],
    ['credentials', 'not checked: no tables'],
  ]);
});

it.each<[string, Partial<MediaFacts>, string, string]>([
  ['fail media storage', { storage: 'full' }, 'has no room', 'Make room'],
  ['fail media storage', { storage: 'read_only' }, 'cannot be written', 'Let the user'],
  ['fail media storage', { storage: 'unavailable' }, 'cannot be used', 'DATA_DIR'],
  ['warn media URL', { baseUrl: null }, 'only this machine', 'MEDIA_BASE_URL'],
  [
    'warn media URL',
    { baseUrl: { url: 'https://old.example.com', problem: 'ENOTFOUND' } },
    'no gateway answers at https://old.example.com: ENOTFOUND',
    'correct MEDIA_BASE_URL',
  ],
])('reports %s for %j', (expected, facts, message, advice) => {
  const found = diagnose({
    database: HEALTHY,
    redis: null,
    media: { ...MEDIA, ...facts },
    redirect: null,
  }).filter(({ status }) => status !== 'ok');
  expect(found.map(({ status, subject }) => `${status} ${subject}`)).toEqual([expected]);
  expect(found[0]).toMatchObject({
    message: expect.stringContaining(message),
    advice: expect.stringContaining(advice),
  });
});

it('reports the redirect address if an app is configured', () => {
  const find = (redirect: DiagnosticFacts['redirect']) =>
    diagnose({ database: HEALTHY, redis: null, media: MEDIA, redirect }).find(
      ({ subject }) => subject === 'redirect address',
    );
  const url = 'https://posts.example.com/connect/callback';
  expect(find(null)).toBeUndefined();
  expect(find({ url, problem: null })).toMatchObject({ status: 'ok' });
  expect(find({ url, problem: 'ENOTFOUND' })).toMatchObject({
    status: 'warn',
    message: `no gateway answers at ${url}: ENOTFOUND`,
  });
  expect(find({ url: null, problem: null })).toMatchObject({
    status: 'warn',
    advice: expect.stringContaining('PUBLIC_URL'),
  });
});
