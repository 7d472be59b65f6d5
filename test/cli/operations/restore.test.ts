import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { restoreBackup, writeBackup, type BackupHeader } from '../../../src/persistence/backup.js';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readAppliedMigrations, migrationNames } from '../../../src/persistence/migrations.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { anOperator } from '../../fixtures/operator.js';
import { recordsIn } from '../../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { silentLog } from '../../setup/test-server.js';
import {
  aBackupFolder,
  AWKWARD_NAME,
  contentOf,
  interrupt,
  NO_SIGNAL,
  withDatabase,
  withEmptyDatabase,
} from './backup-databases.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let db: TestDatabase;
let target: TestDatabase;
const inFolder = (name: string): string => backups.inFolder(name);
const operatorOfTarget = anOperator(() => ({ DATABASE_URL: target.url }));
const restore = (file: string, ...options: string[]) =>
  operatorOfTarget.cli('restore', inFolder(file), ...options);
const backups = forAllTests(() => aBackupFolder());

beforeAll(async () => {
  [db, target] = await Promise.all([testDatabase(), testDatabase()]);
  const { id } = await recordsIn(db).aWorkspace({ name: AWKWARD_NAME });
  await recordsIn(db).anAccount({ workspaceId: id });
  await recordsIn(target).aWorkspace({ name: 'Mine' });
  await writeBackup(db, { file: inFolder('good.backup'), demo: null }, NO_SIGNAL);
});
afterAll(async () => {
  await Promise.all([db?.drop(), target?.drop()]);
  backups.removeAll();
});

it('replaces existing rows only with --replace', async () => {
  const [source, before] = [await contentOf(db), await contentOf(target)];
  expect(await restore('good.backup')).toEqual({
    code: 1,
    out: '',
    err: `error: Could not restore ${inFolder('good.backup')}: the database is not empty (app_user 1, workspace 1, membership 1). Restore into an empty one, or replace its rows with --replace`,
  });
  expect(await contentOf(target)).toEqual(before);
  expect(await restore('good.backup', '--replace')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Restored \d+ rows of the backup from 2\d{3}-.+Z\.\nPublication is paused\. .+`publishing resume`\.$/,
    ),
  });
  expect(await contentOf(target)).toEqual(source);
  expect(await restore('good.backup', '--replace')).toMatchObject({ code: 0 });
  expect(await contentOf(target)).toEqual(source);
});

it('gives the database another identity, so that earlier cursors of changes expire', async () => {
  const identity = async (): Promise<unknown> =>
    (await target.pool.query<{ identity: string }>('SELECT identity FROM database_identity')).rows;
  const before = await identity();
  expect(await restore('good.backup', '--replace')).toMatchObject({ code: 0 });
  const after = await identity();
  expect(after).toEqual([{ identity: expect.any(String) }]);
  expect(after).not.toEqual(before);
  const { tables } = JSON.parse(readText().split('\n')[0]!) as BackupHeader;
  expect(tables.map(({ name }) => name)).not.toContain('database_identity');
});

const readBytes = () => readFileSync(inFolder('good.backup'));
const readText = () => gunzipSync(readBytes()).toString('utf8');
const withHeader = (change: (header: BackupHeader) => object): Buffer => {
  const [header, ...lines] = readText().split('\n');
  return gzipSync([JSON.stringify(change(JSON.parse(header!))), ...lines].join('\n'));
};
const DAMAGED = 'it is not a backup of Posts Gateway, or is damaged: ';

it.each<[string, string, () => Buffer | string]>([
  ['not gzip', `${DAMAGED}incorrect header check`, () => 'hello'],
  ['gzip of other content', DAMAGED, () => gzipSync('hello\n')],
  [
    'of another format',
    `${DAMAGED}its first line does not name "posts-gateway backup 1"`,
    () => withHeader((header) => ({ ...header, format: 'posts-gateway backup 2' })),
  ],
  [
    'of invalid rows',
    `${DAMAGED}invalid byte sequence`,
    () =>
      gzipSync(
        Buffer.from(readText()).map((byte, at, all) =>
          at > all.indexOf(10) + 2 && at < all.indexOf(10) + 9 ? 0xc3 : byte,
        ),
      ),
  ],
  [
    'one endless line',
    `${DAMAGED}its first line is too long`,
    () => gzipSync(Buffer.alloc(3_000_000, 'x')),
  ],
  ['empty', `${DAMAGED}unexpected end of file`, () => ''],
  ['truncated', `${DAMAGED}unexpected end of file`, () => readBytes().subarray(0, -20)],
  [
    'truncated in the middle',
    `${DAMAGED}unexpected end of file`,
    () => readBytes().subarray(0, readBytes().length / 2),
  ],
  [
    'without its last line',
    `${DAMAGED}the trailer is missing`,
    () => gzipSync(readText().replace('end of backup\n', '')),
  ],
  [
    'longer than its header states',
    `${DAMAGED}the trailer is missing`,
    () => gzipSync(`${readText()}x\n`),
  ],
  [
    'shorter than its header states',
    `${DAMAGED}it ends too early`,
    () => gzipSync(readText().split('\n').slice(0, 3).join('\n')),
  ],
  [
    'damaged in the middle',
    DAMAGED,
    () => Buffer.from(readBytes().map((byte, at) => (at > 600 && at < 620 ? byte ^ 0xff : byte))),
  ],
  [
    'of a later release',
    'it was written by a later release: this build lacks migration 29990101000000_later',
    () =>
      withHeader((header) => ({
        ...header,
        migrations: [...header.migrations, '29990101000000_later'],
      })),
  ],
  [
    'of an earlier release than the tables',
    'it was written by an earlier release, and the database already has migration',
    () => withHeader((header) => ({ ...header, migrations: [] })),
  ],
  [
    'of release 0.1.0',
    'the backup has the schema of release 0.1.0',
    () => withHeader((header) => ({ ...header, migrations: ['20261121000000_first_release'] })),
  ],
  [
    'of rows that violate a constraint',
    'violates foreign key constraint',
    () => gzipSync(readText().replaceAll(/^(wks_\w+\t)usr_\w+/gm, '$1usr_none')),
  ],
])('changes nothing if the file is %s', async (_, message, createFile) => {
  const before = await contentOf(target);
  writeFileSync(inFolder('bad.backup'), createFile());
  expect(await restore('bad.backup', '--replace')).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(message),
  });
  expect(await contentOf(target)).toEqual(before);
});

it.each([
  ['none.backup', 'ENOENT'],
  ['.', 'EISDIR'],
])('reports that it cannot read %s', async (name, code) => {
  expect(await restore(name)).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining(`error: Could not restore ${inFolder(name)}: ${code}`),
  });
});

it('changes nothing after Ctrl-C', async () => {
  const before = await contentOf(target);
  expect(await interrupt(restore('good.backup', '--replace'))).toEqual({
    code: 1,
    out: '',
    err: `error: Could not restore ${inFolder('good.backup')}: canceled. The database is unchanged`,
  });
  expect(await contentOf(target)).toEqual(before);
});

it('fails if another process keeps a table locked', async () => {
  const before = await contentOf(target);
  await target.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE post IN ROW EXCLUSIVE MODE`;
      expect(await restore('good.backup', '--replace')).toEqual({
        code: 1,
        out: '',
        err: `error: Could not restore ${inFolder('good.backup')}: the database is in use. Stop all gateways, workers and imports, then restore again`,
      });
    },
    { timeout: 25_000 },
  );
  expect(await contentOf(target)).toEqual(before);
});

/** The migrations of a later release: those of this build and one that adds a column. */
function laterMigrations(): string {
  const dir = inFolder('migrations');
  cpSync(MIGRATIONS_DIR, dir, { recursive: true });
  const later = path.join(dir, '29990101000000_later');
  mkdirSync(later);
  writeFileSync(
    path.join(later, 'migration.sql'),
    "ALTER TABLE app_user ADD COLUMN nickname TEXT NOT NULL DEFAULT 'none'",
  );
  return dir;
}

it('migrates the rows of a backup of an earlier release', () =>
  withEmptyDatabase((url) =>
    withDatabase({ databaseUrl: url }, async (database) => {
      const { pool } = database;
      const migrationsDir = laterMigrations();
      await restoreBackup(
        database,
        { file: inFolder('good.backup'), migrationsDir, mayReplace: false, log: silentLog },
        NO_SIGNAL,
      );
      expect(await readAppliedMigrations(database.scan)).toEqual([
        ...migrationNames(MIGRATIONS_DIR),
        '29990101000000_later',
      ]);
      const users = 'SELECT id, email FROM app_user ORDER BY id';
      expect((await pool.query(users)).rows).toEqual((await db.pool.query(users)).rows);
      expect((await pool.query('SELECT DISTINCT nickname FROM app_user')).rows).toEqual([
        { nickname: 'none' },
      ]);
    }),
  ));
