import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { listenForJobs } from '../../src/persistence/jobs/job-wakeups.js';
import { anOperator } from '../fixtures/operator.js';
import { recordsIn } from '../fixtures/records.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../setup/database.js';
import { testRedis, type TestRedis } from '../setup/redis.js';
import { removeFolder, silent, temporaryFolder } from '../setup/test-server.js';

let db: TestDatabase;
let redis: TestRedis;
beforeAll(async () => {
  [db, redis] = await Promise.all([testDatabase(), testRedis()]);
});
afterAll(() => Promise.all([db?.drop(), redis?.close()]));

const on = (env: NodeJS.ProcessEnv) => anOperator(() => env).cli;
/** Level and part of each finding; and the exit code. */
async function looked(env: NodeJS.ProcessEnv) {
  const { code, out, err } = await on(env)('doctor', '--json');
  expect(err).toBe('');
  const { worst, findings } = JSON.parse(out) as {
    worst: string;
    findings: { level: string; about: string; says: string }[];
  };
  return {
    code,
    worst,
    told: findings.map(({ level, about }) => `${level} ${about}`),
    says: Object.fromEntries(findings.map(({ about, says }) => [about, says])),
  };
}

describe('doctor', () => {
  it('finds all well where a worker listens, and shows it as a table', async () => {
    const worker = await new Promise<{ close(): Promise<void> }>((resolve) => {
      const listening = listenForJobs(db.pool, () => resolve(listening), silent);
    });
    try {
      const env = { DATABASE_URL: db.url, REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix };
      const { says, ...all } = await looked(env);
      expect(all).toEqual({
        code: 0,
        worst: 'ok',
        told: [
          'settings',
          'database',
          'migrations',
          'workers',
          'queue',
          'failed jobs',
          'credentials',
          'Redis',
          'clock',
        ].map((about) => `ok ${about}`),
      });
      expect(says).toMatchObject({
        database: expect.stringMatching(/^PostgreSQL \d+(\.\d+)*, \d+ of \d+ connections in use$/),
        workers: '1 process does jobs',
        queue: 'nothing is due',
        clock: expect.stringMatching(
          /^database \d+ ms (ahead|behind), Redis \d+ ms (ahead|behind)$/,
        ),
      });
      expect((await on(env)('doctor')).out).toMatch(
        /^ {4}part +how it stands\nok {2}settings {5}can be read\n/,
      );
    } finally {
      await worker.close();
    }
  });

  it('sees jobs that wait and that failed, and credentials without their key', async () => {
    const { id: workspaceId } = await recordsIn(db).aWorkspace();
    const { id: accountId } = await recordsIn(db).anAccount({ workspaceId });
    await db.pool.query('INSERT INTO account_credential (account_id, sealed) VALUES ($1, $2)', [
      accountId,
      randomBytes(64),
    ]);
    await db.pool
      .query(`INSERT INTO job (id, kind, status, due_at, leased_until, finished_at) VALUES
      ('job_late', 'purge', 'working', now() - interval '90 seconds', NULL, NULL), ('job_done', 'purge', 'working', now() - interval '9 hours', now() + interval '30 seconds', NULL),
      ('job_soon', 'purge', 'working', now() + interval '90 seconds', NULL, NULL), ('job_lost', 'purge', 'failed', now() - interval '9 hours', NULL, now()), ('job_file', 'import', 'failed', now() - interval '9 hours', NULL, now())`);
    const { code, told, says } = await looked({ DATABASE_URL: db.url });
    expect([code, told.filter((one) => !one.startsWith('ok'))]).toEqual([
      1,
      ['fail workers', 'warn queue', 'warn failed jobs', 'fail credentials'],
    ]);
    expect(says).toMatchObject({
      queue: expect.stringMatching(/^1 due, the oldest for 9\d s$/),
      'failed jobs': '1',
      credentials: `1 cannot be opened (${accountId})`,
    });
    expect((await on({ DATABASE_URL: db.url })('doctor')).out).toMatch(
      /fail {2}credentials .+\n {6}→ Give CREDENTIALS_KEY/,
    );
  });

  it('sees that nothing was migrated, and migrates nothing', async () => {
    const empty = await emptyDatabase();
    try {
      expect(await looked({ DATABASE_URL: empty.url })).toMatchObject({
        code: 0,
        worst: 'warn',
        told: [
          'ok settings',
          'ok database',
          'warn migrations',
          'ok credentials',
          'ok Redis',
          'ok clock',
        ],
      });
      const { cli, json } = anOperator(() => ({ DATABASE_URL: empty.url }));
      const before = await cli('migrate', '--status');
      expect([
        before.code,
        before.out.split('\n')[0],
        before.out.match(/^\d{14}_\w+ +pending +–$/gm)!.length,
      ]).toEqual([
        1,
        expect.stringMatching(/^migration +stands +applied at$/),
        before.out.split('\n').length - 1,
      ]);
      const { applied } = await json('migrate');
      expect(applied).toContain('20261121000000_first_release');
      expect(await json('migrate', '--status')).toEqual(
        applied.map((name: string) => ({
          name,
          standing: 'applied',
          appliedAt: expect.stringMatching(/^2.+Z$/),
        })),
      );
      expect(await cli('migrate')).toEqual({ code: 0, out: 'Nothing was to be done.', err: '' });
    } finally {
      await empty.drop();
    }
  });

  it.each([['doctor'], ['migrate', '--status'], ['backup']])(
    '%s %s makes no database where there is none',
    async (...command) => {
      const folder = temporaryFolder();
      try {
        const { code, out, err } = await on({ DATA_DIR: folder })(...command);
        expect([code, `${out}${err}`]).toEqual([
          1,
          expect.stringContaining(
            `There is no database in ${folder} yet: \`npm start\` makes one there; DATA_DIR or DATABASE_URL name another`,
          ),
        ]);
        expect(readdirSync(folder)).toEqual([]);
      } finally {
        removeFolder(folder);
      }
    },
  );

  it('goes on where database and Redis are away', async () => {
    const answer = await looked({
      DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect(answer).toMatchObject({
      code: 1,
      told: ['ok settings', 'fail database', 'fail Redis'],
      says: {
        database: 'The database cannot be used: connect ECONNREFUSED 127.0.0.1:1',
        Redis: expect.stringContaining('ECONNREFUSED'),
      },
    });
  });

  it('names every setting that is wrong', async () => {
    expect(await looked({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatchObject({
      code: 1,
      told: ['fail settings', 'fail settings'],
      says: { settings: expect.stringContaining('LOG_LEVEL') },
    });
  });
});

it('migrate --status knows what failed, what was edited and what is not of this build', async () => {
  const twin = await testDatabase();
  try {
    await twin.pool.query(
      "UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%first_release'",
    );
    await twin.pool.query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%network_jobs'",
    );
    await twin.pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '29990101000000_later', now())",
    );
    const { code, out } = await on({ DATABASE_URL: twin.url })('migrate', '--status', '--json');
    const standing = Object.fromEntries(
      (JSON.parse(out) as { name: string; standing: string }[]).map((one) => [
        one.name.slice(15),
        one.standing,
      ]),
    );
    expect([code, standing]).toMatchObject([
      1,
      { first_release: 'edited', network_jobs: 'failed', sandbox: 'applied', later: 'unknown' },
    ]);
  } finally {
    await twin.drop();
  }
});
