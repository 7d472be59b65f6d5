import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenForJobs } from '../../../src/persistence/jobs/job-wakeups.js';
import { anOperator } from '../../fixtures/operator.js';
import { recordsIn } from '../../fixtures/records.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../../setup/database.js';
import { testRedis, type TestRedis } from '../../setup/redis.js';
import { silentLog } from '../../setup/test-server.js';

let db: TestDatabase;
let redis: TestRedis;
beforeAll(async () => {
  [db, redis] = await Promise.all([testDatabase(), testRedis()]);
});
afterAll(() => Promise.all([db?.drop(), redis?.close()]));

const cliWith = (env: NodeJS.ProcessEnv) => anOperator(() => env).cli;

/**
 * Runs doctor with --json: exit code, status, "status check" of each finding, and messages by
 * check.
 */
async function runDoctor(env: NodeJS.ProcessEnv) {
  const { code, out, err } = await cliWith(env)('doctor', '--json');
  expect(err).toBe('');
  const { status, findings } = JSON.parse(out) as {
    status: string;
    findings: { status: string; subject: string; message: string }[];
  };
  return {
    code,
    status,
    checks: findings.map((finding) => `${finding.status} ${finding.subject}`),
    messages: Object.fromEntries(findings.map(({ subject, message }) => [subject, message])),
  };
}

/** The checks that need an answer of the database. */
const NOT_CHECKED = [
  'unknown migrations',
  'unknown workers',
  'unknown queue',
  'unknown failed jobs',
  'unknown publishing',
  'unknown credentials',
  'unknown clock',
];

it('finds no problem if a worker is running, and prints a table', async () => {
  const worker = await new Promise<{ close(): Promise<void> }>((resolve) => {
    const listener = listenForJobs(db, () => resolve(listener), silentLog);
  });
  const gateway = createServer((_request, response) => response.end());
  await once(gateway.listen(0, 'localhost'), 'listening');
  try {
    const env = {
      DATABASE_URL: db.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: redis.prefix,
      MEDIA_BASE_URL: `http://localhost:${(gateway.address() as AddressInfo).port}`,
    };
    const { messages, ...result } = await runDoctor(env);
    expect(result).toEqual({
      code: 0,
      status: 'ok',
      checks: [
        'settings',
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
      ].map((check) => `ok ${check}`),
    });
    expect(messages).toMatchObject({
      database: expect.stringMatching(/^PostgreSQL \d+(\.\d+)*, \d+ of \d+ connections in use$/),
      workers: '1 process runs jobs',
      queue: 'no jobs are due',
      clock: expect.stringMatching(/^database \d+ ms (ahead|behind), Redis \d+ ms (ahead|behind)$/),
    });
    expect((await cliWith(env)('doctor')).out).toMatch(
      /^ {4}check +result\nok {2}settings {7}valid\n/,
    );
  } finally {
    await worker.close();
    gateway.close();
  }
});

it('reports late and failed jobs, and credentials and secrets without their key', async () => {
  const { id: workspaceId } = await recordsIn(db).aWorkspace();
  const { id: accountId } = await recordsIn(db).anAccount({ workspaceId });
  await db.pool.query('INSERT INTO account_credential (account_id, sealed) VALUES ($1, $2)', [
    accountId,
    randomBytes(64),
  ]);
  await db.pool.query(
    `INSERT INTO webhook (id, workspace_id, url, types, sealed_secret, previous_secret, previous_until, created_at)
     VALUES ('whk_lost', $1, 'https://hooks.example.com/', '{}', $2, $2, now() + interval '1 hour', now())`,
    [workspaceId, randomBytes(64)],
  );
  await db.pool.query(`INSERT INTO job (id, kind, status, due_at, leased_until, finished_at) VALUES
      ('job_late', 'purge', 'working', now() - interval '90 seconds', NULL, NULL), ('job_done', 'purge', 'working', now() - interval '9 hours', now() + interval '30 seconds', NULL),
      ('job_soon', 'purge', 'working', now() + interval '90 seconds', NULL, NULL), ('job_lost', 'purge', 'failed', now() - interval '9 hours', NULL, now()), ('job_file', 'import', 'failed', now() - interval '9 hours', NULL, now())`);
  const { code, checks, messages } = await runDoctor({ DATABASE_URL: db.url });
  expect([code, checks.filter((check) => !check.startsWith('ok'))]).toEqual([
    1,
    ['fail workers', 'warn queue', 'warn failed jobs', 'fail credentials', 'warn media URL'],
  ]);
  expect(messages).toMatchObject({
    queue: expect.stringMatching(
      /^1 due; the oldest due or running job has been due for 3240\d s$/,
    ),
    'failed jobs': '1',
    credentials: `2 cannot be decrypted (${accountId}, whk_lost)`,
  });
  expect((await cliWith({ DATABASE_URL: db.url })('doctor')).out).toMatch(
    /fail {2}credentials .+\n {6}→ Set CREDENTIALS_KEY .*connect the accounts again and replace the secrets of the webhooks/,
  );
});

it('reports pending migrations, does not apply them, and lists what it could not check', async () => {
  const empty = await emptyDatabase();
  try {
    for (let run = 0; run < 2; run++)
      expect(await runDoctor({ DATABASE_URL: empty.url })).toMatchObject({
        code: 1,
        status: 'unknown',
        checks: [
          'ok settings',
          'ok database',
          'warn migrations',
          'unknown workers',
          'unknown queue',
          'unknown failed jobs',
          'unknown publishing',
          'unknown credentials',
          'ok Redis',
          'ok clock',
          'ok media storage',
          'warn media URL',
        ],
      });
  } finally {
    await empty.drop();
  }
});

it('checks Redis even if the database is unavailable', async () => {
  const result = await runDoctor({
    DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  expect(result).toMatchObject({
    code: 1,
    checks: [
      'ok settings',
      'fail database',
      ...NOT_CHECKED,
      'fail Redis',
      'ok media storage',
      'warn media URL',
    ],
    messages: {
      database:
        'Cannot use the database postgresql://me@127.0.0.1:1/none (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1',
      Redis: expect.stringContaining('ECONNREFUSED'),
    },
  });
  expect(JSON.stringify(result)).not.toContain('secret');
});

it('reports every invalid setting', async () => {
  expect(await runDoctor({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatchObject({
    code: 1,
    checks: [
      'fail settings',
      'fail settings',
      'unknown database',
      ...NOT_CHECKED,
      'unknown Redis',
      'unknown media storage',
      'unknown media URL',
    ],
    messages: { settings: expect.stringContaining('LOG_LEVEL') },
  });
});

it('does not count jobs that could not be read as healthy', async () => {
  const blocker = await db.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE job IN ACCESS EXCLUSIVE MODE');
  try {
    const { code, checks, messages } = await runDoctor({ DATABASE_URL: db.url });
    expect([code, checks.filter((check) => check.startsWith('unknown'))]).toEqual([
      1,
      ['unknown workers', 'unknown queue', 'unknown failed jobs'],
    ]);
    expect(messages.workers).toBe('not checked: the jobs could not be read in time');
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
});
