import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { IMPORT_BROKE_OFF } from '../../src/domain/jobs/job.js';
import { createJobRuns } from '../../src/persistence/jobs/job-runs.js';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import { createAdminStore } from '../../src/persistence/admin/admin-store.js';
import { openDatabase, type Database } from '../../src/persistence/database.js';
import { applyMigrations, MIGRATIONS_DIR } from '../../src/persistence/migrations.js';
import { createIds } from '../../src/services/random-ids.js';
import { exportOf, itemOf } from '../fixtures/small-wxr.js';
import { writeHugeOutbox } from '../fixtures/huge-outbox.js';
import { writeHugeExport } from '../fixtures/huge-wxr.js';
import { boostOf, createOf, outboxOf } from '../fixtures/small-outbox.js';
import { killNeighbours, neighbour, type Neighbour } from '../embedded-postgres/other-process.js';
import { removeFolder, silent, temporaryFolder } from '../setup/test-server.js';

/** The command as it is built and shipped, on a server that another process holds. */
const CLI = path.join(__dirname, '../../dist/cli.js');
/** The process tells its own peak at its end, in KB. */
const TELL_PEAK =
  "data:text/javascript,process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS))";

let folder: string;
let holder: Neighbour;
let database: Database;
const ids = createIds();
const file = (name: string): string => path.join(folder, name);

interface Run {
  code: number | null;
  out: string;
  err: string;
}
const started = (args: readonly string[]) =>
  spawn(process.execPath, ['--import', TELL_PEAK, CLI, ...args], {
    env: { ...process.env, DATA_DIR: file('data'), DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
async function cli(
  args: readonly string[],
  onProgress: (interrupt: () => void) => void = () => {},
): Promise<Run> {
  const child = started(args);
  const exit = new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
  });
  child.stderr.once('data', () => onProgress(() => child.kill('SIGINT')));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { out: out.trim(), err: err.trim(), code };
}
const peakMegabytes = ({ err }: Run): number => Number(/peak (\d+)/.exec(err)?.[1]) / 1024;

const SOURCES = {
  wordpress: { type: 'blog', file: 'xml' },
  mastodon: { type: 'profile', file: 'json' },
} as const;
/** The arguments of an import into a workspace of its own. */
async function importOf(
  name: string,
  network: keyof typeof SOURCES = 'wordpress',
): Promise<string[]> {
  const admin = createAdminStore(database.prisma, NO_EPOCHS);
  const [owner, workspace, account] = [
    ids.prefixed('usr'),
    ids.prefixed('wks'),
    ids.prefixed('acc'),
  ];
  await admin.addUser({ id: owner, name: 'Ada', email: `${name}@example.com`, plan: 'business' });
  await admin.addWorkspace(
    { id: workspace, name, picture: null, timeZone: 'UTC', requiresApproval: false },
    owner,
  );
  await admin.addAccount(workspace, {
    id: account,
    name: 'Blog',
    network,
    type: SOURCES[network].type,
    socialId: 'blog',
    picture: null,
    needsReauth: false,
    sandbox: false,
  });
  return [
    'import',
    network,
    file(`${name}.${SOURCES[network].file}`),
    '--workspace',
    workspace,
    '--account',
    account,
  ];
}
async function count(sql: string, args: readonly string[]): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${sql} AND workspace_id = $1`,
    [args[4]],
  );
  return rows[0]!.count;
}

beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(file('data'));
  holder = await neighbour(file('data'));
  database = await openDatabase({
    databaseUrl: holder.connectionString,
    dataDir: '',
    poolSize: 1,
    log: silent,
  });
  await applyMigrations(database.pool, MIGRATIONS_DIR, silent);
});
afterAll(async () => {
  await database?.close();
  await holder?.leave();
  killNeighbours();
  removeFolder(file('data'));
  removeFolder(folder);
});

it('says what it took, skipped and why, and runs again without a change', async () => {
  writeFileSync(
    file('small.xml'),
    exportOf(
      itemOf({ id: 1 }),
      itemOf({ id: 2, status: 'draft' }),
      itemOf({ id: 3, type: 'page', title: 'Über\nuns\u001b[31m' }),
      itemOf({ id: 4, status: 'trash', title: 'Weg' }),
    ),
  );
  const args = await importOf('small');
  const first = await cli(args);
  expect(first.code).toBe(0);
  expect(first.out.split('\n').map((line) => line.trimEnd())).toEqual([
    'taken               2',
    '  draft_dated       1',
    '  published_posted  1',
    'already there       0',
    'skipped             2',
    expect.stringMatching(/^ {2}not_a_post {8}1 {2}Pages.*“Über uns \[31m”$/),
    expect.stringMatching(/^ {2}trashed {11}1 {2}The post is in the blog’s trash\. “Weg”$/),
    'failed              0',
    expect.stringMatching(/^\d+\.\d s, job_\w{16}$/),
  ]);
  const again = await cli(['--json', ...args, '--member', 'small@example.com']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({
    takenCount: 0,
    alreadyThere: 2,
    skipped: { trashed: { count: 1, titles: ['Weg'] } },
    failedCount: 0,
    seconds: expect.any(Number),
  });
});

it('exits with 1 where the file is broken, absent, or the account is not a blog’s', async () => {
  writeFileSync(
    file('broken.xml'),
    `${exportOf(itemOf({ id: 1 })).replace('</channel></rss>', '')}<item></oops>`,
  );
  const args = await importOf('broken');
  const run = await cli(args);
  expect([run.code, run.out]).toEqual([
    1,
    expect.stringMatching(
      /cannot be read on from line \d+, column \d+ \(byte \d+\): .+ What stands before it is imported\./,
    ),
  ]);
  expect(await count('post WHERE true', args)).toBe(1);
  expect(await cli([...args.slice(0, 2), file('none.xml'), ...args.slice(3)])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('none.xml" cannot be read: ENOENT'),
  });
  expect(await cli([...args.slice(0, 2), folder, ...args.slice(3)])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is no file'),
  });
  expect(await cli([...args.slice(0, 6), 'acc_none'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /"acc_none" is no wordpress account of this workspace; it has acc_\w+ \(Blog\)/,
    ),
  });
});

it('imports 500 MB in less than 300 MB of memory, and takes up where it was interrupted', async () => {
  const { posts, pages, attachments, comments } = await writeHugeExport(file('huge.xml'), 500);
  const args = await importOf('huge');
  const stopped = await cli(args, (interrupt) => interrupt());
  expect([stopped.code, stopped.out]).toEqual([
    1,
    expect.stringContaining('Stopped before the end.'),
  ]);
  expect(stopped.err).toMatch(/ %  \d+ taken, 0 already there/);
  const before = await count('post WHERE true', args);

  const whole = await cli(['--json', ...args]);
  expect(JSON.parse(whole.out)).toMatchObject({
    takenCount: posts - before,
    alreadyThere: before,
    failedCount: 0,
    malformed: null,
    stopped: false,
    forgottenFiles: 0,
    skipped: {
      too_large: { count: 1 },
      not_a_post: { count: pages },
      attachment: { count: attachments },
    },
  });
  expect(whole.code).toBe(0);
  expect(peakMegabytes(whole)).toBeLessThan(300);
  expect(await count('post WHERE true', args)).toBe(posts);
  expect(await count(`post_media JOIN post ON id = post_id WHERE true`, args)).toBe(
    attachments - 1,
  );
  expect(
    await count(`post_analytics JOIN post ON id = post_id WHERE comments = ${comments}`, args),
  ).toBe(pages - 1);
}, 120_000);

it('killed in the middle is a job that failed and says why; the next one takes the rest, each post once', async () => {
  const POSTS = 800;
  writeFileSync(
    file('killed.json'),
    outboxOf(...Array.from({ length: POSTS }, (_, n) => createOf({ number: n + 1 }))),
  );
  const args = await importOf('killed', 'mastodon');
  const child = started(args);
  const exit = once(child, 'exit');
  while ((await count('post WHERE true', args)) === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  const before = await count('post WHERE true', args);
  expect(before).toBeLessThan(POSTS);

  const job = async () =>
    (
      await database.pool.query(
        'SELECT status, failures FROM job WHERE workspace_id = $1 ORDER BY created_at',
        [args[4]],
      )
    ).rows;
  const runs = createJobRuns(database.pool, ids);
  await runs.reconcile();
  expect(await job()).toEqual([{ status: 'working', failures: [] }]);
  await database.pool.query(
    "UPDATE job SET leased_until = now() - interval '1 second' WHERE workspace_id = $1",
    [args[4]],
  );
  await runs.reconcile();
  const brokeOff = {
    status: 'failed',
    failures: [
      {
        id: expect.stringMatching(/^job_/),
        code: 'INTERNAL_SERVER_ERROR',
        message: IMPORT_BROKE_OFF,
      },
    ],
  };
  expect(await job()).toEqual([brokeOff]);

  expect(JSON.parse((await cli(['--json', ...args])).out)).toMatchObject({
    takenCount: POSTS - before,
    alreadyThere: before,
    failedCount: 0,
  });
  expect([await count('post WHERE true', args), await job()]).toEqual([
    POSTS,
    [brokeOff, { status: 'completed', failures: [] }],
  ]);
});

it('imports a Mastodon outbox, says what it skipped, and finds its media where it is told', async () => {
  writeFileSync(
    file('outbox.json'),
    outboxOf(
      createOf({
        number: 1,
        attachment: [{ mediaType: 'image/png', url: '/media_attachments/a.png' }],
      }),
      boostOf(2),
      createOf({ number: 3, to: [], cc: [] }),
    ),
  );
  const args = await importOf('outbox', 'mastodon');
  expect(await cli([...args, '--media', 'http://files.example'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('An https address is allowed.'),
  });
  const first = await cli([...args, '--media', 'https://files.example']);
  expect([first.code, first.out.split('\n').map((line) => line.trimEnd())]).toEqual([
    0,
    [
      'taken               1',
      '  published_posted  1',
      'already there       0',
      'skipped             2',
      '  boost             1  Boosts of other posts. “https://other.example/users/bob/statuses/2”',
      expect.stringMatching(
        /^ {2}direct {12}1 {2}Direct messages: .* “https:\/\/m\.example\/users\/ada\/statuses\/3”$/,
      ),
      'failed              0',
      expect.stringMatching(/^\d+\.\d s, job_\w{16}$/),
    ],
  ]);
  expect(
    await count(`media WHERE url = 'https://files.example/media_attachments/a.png'`, args),
  ).toBe(1);
  expect(JSON.parse((await cli(['--json', ...args])).out)).toMatchObject({
    takenCount: 0,
    alreadyThere: 1,
    skipped: { boost: { count: 1 }, direct: { count: 1 } },
  });
  expect(await cli([...args.slice(0, 2), CLI, ...args.slice(3)])).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /cannot be read on from line 1, column 0 \(byte 0\): the file is not JSON/,
    ),
  });
});

it('imports an outbox of 500 MB in less than 300 MB of memory', async () => {
  const { posts, boosts, media } = await writeHugeOutbox(file('great.json'), 500);
  const args = await importOf('great', 'mastodon');
  const run = await cli(['--json', ...args]);
  expect(JSON.parse(run.out)).toMatchObject({
    takenCount: posts,
    failedCount: 0,
    malformed: null,
    stopped: false,
    skipped: { boost: { count: boosts }, too_large: { count: 1 } },
  });
  expect([
    run.code,
    await count('post WHERE true', args),
    await count('media WHERE true', args),
  ]).toEqual([0, posts, media]);
  expect(peakMegabytes(run)).toBeLessThan(300);
}, 120_000);
