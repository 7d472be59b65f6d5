import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfiguredDatabase } from '../../../src/composition/open-database.js';
import { readConfig } from '../../../src/config/config.js';
import { openDemo } from '../../../src/composition/demo.js';
import type { EmbeddedServer } from '../../../src/embedded-postgres/embedded-postgres.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { anOperator } from '../../fixtures/operator.js';
import { recordsIn } from '../../fixtures/records.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../../setup/started-program.js';
import { openTestServer, removeFolder, silentLog } from '../../setup/test-server.js';
import {
  aBackupFolder,
  AWKWARD_NAME,
  contentOf,
  interrupt,
  openAt,
  withDatabase,
  withEmptyDatabase,
} from './backup-databases.js';

let dataDir: string;
let server: EmbeddedServer;
let db: ConfiguredDatabase;
let backups: ReturnType<typeof aBackupFolder>;
const inFolder = (name: string): string => backups.inFolder(name);
const cliAt = (url: string) => anOperator(() => ({ DATABASE_URL: url })).cli;
const { cli } = anOperator(() => ({ DATA_DIR: dataDir }));

beforeAll(async () => {
  buildIfChanged();
  backups = aBackupFolder();
  dataDir = backups.createDataDir('data');
  server = await openTestServer(dataDir); // without fsync
  db = await openAt({ dataDir });
  await applyMigrations(db, MIGRATIONS_DIR, silentLog);
  const { id } = await recordsIn(db).aWorkspace({ name: AWKWARD_NAME });
  await recordsIn(db).anAccount({ workspaceId: id });
});
afterAll(async () => {
  killStartedPrograms();
  await db?.close();
  await server?.release();
  removeFolder(dataDir);
  backups.removeAll();
});

it('backs up an embedded database in use, and restores every row and the demo into a data folder that was never started', async () => {
  const [from, to] = [backups.createDataDir('from'), backups.createDataDir('to')];
  const addresses = {
    graphqlUrl: 'http://127.0.0.1:4000/graphql',
    restUrl: 'http://127.0.0.1:4000/v1',
  };
  try {
    const source = await openAt({ dataDir: from });
    try {
      await applyMigrations(source, MIGRATIONS_DIR, silentLog);
      await openDemo(
        { database: source, grantsVersions: NO_GRANTS_VERSIONS },
        { ...readConfig({}), dataDir: from },
      ).ensure(addresses);
      const before = await contentOf(source);
      const file = inFolder('demo.backup');
      const report = await anOperator(() => ({ DATA_DIR: from })).json('backup', file);
      expect(report).toMatchObject({
        file,
        tables: { post: before.rows['post']!.length },
        keyFile: path.join(from, 'credentials.key'),
      });
      expect(statSync(file)).toMatchObject({ mode: 0o100600, size: report.bytes });

      expect(await anOperator(() => ({ DATA_DIR: to })).json('restore', file)).toMatchObject({
        rows: report.rows,
        tables: report.tables,
      });
      expect(await withDatabase({ dataDir: to }, contentOf)).toEqual(before);
      expect(readFileSync(path.join(to, 'demo.json'), 'utf8')).toBe(
        readFileSync(path.join(from, 'demo.json'), 'utf8'),
      );
    } finally {
      await source.close();
    }
  } finally {
    for (const dataDir of [from, to]) removeFolder(dataDir);
  }
});

it.each([
  ['', ''],
  ['?sslmode=require&password=other-secret', '?sslmode=require'],
])('refuses a database of DATABASE_URL%s, and names the command to run', async (given, named) => {
  const file = inFolder('refused.backup');
  const address = '127.0.0.1:1/posts';
  expect(await cliAt(`postgresql://ada:secret@${address}${given}`)('backup', file)).toEqual({
    code: 1,
    out: '',
    err: `error: Only the embedded database is backed up by this command. Back up the database of DATABASE_URL with pg_dump --format=custom --file=posts.dump 'postgresql://ada@${address}${named}'`,
  });
  expect(existsSync(file)).toBe(false);
});

it('writes a consistent snapshot while other processes write', async () => {
  const records = recordsIn(db);
  let isStopped = false;
  const writer = (async () => {
    while (!isStopped) await records.aWorkspace();
  })(); // inserts a workspace and its owner's membership in one transaction
  expect(await cli('backup', inFolder('busy.backup'))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/busy\.backup: [\d,]+ rows, \d+ kB\.$/),
  });
  isStopped = true;
  await writer;
  await withEmptyDatabase(async (url) => {
    expect(await cliAt(url)('restore', inFolder('busy.backup'))).toMatchObject({
      code: 0,
      err: '',
    });
    const [workspaces, owners] = await withDatabase(
      { databaseUrl: url },
      async ({ prisma }) =>
        [
          await prisma.workspace.findMany({ select: { id: true, name: true } }),
          await prisma.membership.findMany({ where: { role: 'owner' } }),
        ] as const,
    );
    expect(owners.map(({ workspaceId }) => workspaceId).sort()).toEqual(
      workspaces.map(({ id }) => id).sort(),
    );
    expect(workspaces.map(({ name }) => name)).toContain(AWKWARD_NAME);
  });
});

it('does not overwrite a file', async () => {
  const file = inFolder('mine.txt');
  writeFileSync(file, 'mine');
  expect(await cli('backup', file)).toEqual({
    code: 1,
    out: '',
    err: `error: Could not write ${file}: the file exists. Choose another name`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('does not write to standard output', async () => {
  expect(await cli('backup', '-')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(
      'Must be a file name: backups cannot be written to standard output.',
    ),
  });
});

it('writes one complete file if two backups with the same name run concurrently', async () => {
  const file = inFolder('duplicate.backup');
  const results = await Promise.all([1, 2].map(() => cli('backup', file)));
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(results.find(({ code }) => code === 1)!.err).toBe(
    `error: Could not write ${file}: the file exists. Choose another name`,
  );
  expect(readdirSync(backups.folder).filter((name) => name.startsWith('duplicate'))).toEqual([
    'duplicate.backup',
  ]);
  await withEmptyDatabase(async (url) =>
    expect(await cliAt(url)('restore', file)).toMatchObject({ code: 0, err: '' }),
  );
});

const filesNamed = (name: string): string[] =>
  readdirSync(backups.folder).filter((file) => file.startsWith(name));

it('leaves no file if it fails', async () => {
  expect(await cli('backup', inFolder('none/x.backup'))).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(`error: Could not write ${inFolder('none/x.backup')}: ENOENT`),
  });
  const empty = backups.createDataDir('empty');
  try {
    await withDatabase({ dataDir: empty }, async () =>
      expect(
        await anOperator(() => ({ DATA_DIR: empty })).cli('backup', inFolder('nothing.backup')),
      ).toEqual({
        code: 1,
        out: '',
        err: `error: Could not write ${inFolder('nothing.backup')}: the database has no tables yet`,
      }),
    );
  } finally {
    removeFolder(empty);
  }
  expect(filesNamed('nothing')).toEqual([]);
});

it('leaves no file after Ctrl-C', async () => {
  expect(await interrupt(cli('backup', inFolder('canceled.backup')))).toEqual({
    code: 1,
    out: '',
    err: `error: Could not write ${inFolder('canceled.backup')}: canceled`,
  });
  expect(filesNamed('canceled')).toEqual([]);
});

it('leaves only a file that is marked as unfinished if it is killed, and can be repeated', async () => {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN; LOCK TABLE app_user');
    const backup = startProgram({ DATA_DIR: dataDir }, [
      process.execPath,
      'dist/cli.js',
      'backup',
      inFolder('killed.backup'),
    ]);
    await waitUntil(() => filesNamed('killed').length > 0, backup);
    backup.child.kill('SIGKILL');
    await backup.exit;
    expect(filesNamed('killed')).toEqual([
      expect.stringMatching(/^killed\.backup\.[0-9a-f]{8}\.unfinished$/),
    ]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect(await cli('backup', inFolder('killed.backup'))).toMatchObject({ code: 0 });
});

it('advises to store the credentials key separately', async () => {
  const { id: workspaceId } = await recordsIn(db).aWorkspace();
  const { id: accountId } = await recordsIn(db).anAccount({ workspaceId });
  await db.pool.query("INSERT INTO account_credential (account_id, sealed) VALUES ($1, '')", [
    accountId,
  ]);
  expect((await cli('backup', inFolder('sealed.backup'))).out).toContain(
    `Store ${path.join(dataDir, 'credentials.key')} separately`,
  );
});
