import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openDemo } from '../../src/composition/demo-setup.js';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import type { BackupHeader } from '../../src/persistence/backup/backup-format.js';
import { openDatabase, type Database } from '../../src/persistence/database.js';
import { appliedMigrations } from '../../src/persistence/migration-states.js';
import {
  applyMigrations,
  applyThese,
  MIGRATIONS_DIR,
  readMigrations,
} from '../../src/persistence/migrations.js';
import { everyRow } from '../fixtures/every-row.js';
import { anOperator } from '../fixtures/operator.js';
import { recordsIn } from '../fixtures/records.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../setup/database.js';
import { removeFolder, silent, temporaryFolder } from '../setup/test-server.js';

const AWKWARD = 'tab\t, line\n, back\\slash \\N \\., „ümläut“ 日本語 🎈';

let folder: string;
let db: TestDatabase;
const place = (name: string): string => path.join(folder, name);
const on = (url: string) => anOperator(() => ({ DATABASE_URL: url })).cli;
const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const opened = (where: { databaseUrl?: string; dataDir?: string }): Promise<Database> =>
  openDatabase({ dataDir: '', ...where, poolSize: 2, log: silent });

/** Every row, and where each sequence stands; the migrations by their names, since they were applied at another time. */
async function contentOf({ pool }: Pick<Database, 'pool'>) {
  const { _prisma_migrations: _records, ...rows } = await everyRow(pool);
  const { rows: sequences } = await pool.query(
    'SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1',
  );
  return { rows, sequences, migrations: await appliedMigrations(pool) };
}
/** Calls with a database that is opened for it alone. */
async function withOpened<T>(
  where: { databaseUrl?: string; dataDir?: string },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await opened(where);
  return work(database).finally(() => database.close());
}
async function withEmpty(work: (url: string) => Promise<void>): Promise<void> {
  const empty = await emptyDatabase();
  await work(empty.url).finally(() => empty.drop());
}

/** Presses Ctrl-C as soon as the command listens for it. */
async function interrupted<T>(command: Promise<T>): Promise<T> {
  const others = process.listenerCount('SIGINT');
  while (process.listenerCount('SIGINT') === others) await new Promise(setImmediate);
  process.emit('SIGINT');
  return command;
}

beforeAll(async () => {
  folder = temporaryFolder();
  db = await testDatabase();
  const { id } = await recordsIn(db).aWorkspace({ name: AWKWARD });
  await recordsIn(db).anAccount({ workspaceId: id });
});
afterAll(async () => {
  await db?.drop();
  removeFolder(folder);
});

it('brings back every row of an embedded database that is in use, into one that was never started, with its demo', async () => {
  for (const name of ['from', 'to']) mkdirSync(place(name));
  const addresses = {
    graphqlUrl: 'http://127.0.0.1:4000/graphql',
    restUrl: 'http://127.0.0.1:4000/v1',
  };
  try {
    const source = await opened({ dataDir: place('from') });
    try {
      await applyMigrations(source.pool, MIGRATIONS_DIR, silent);
      await openDemo({ ...source, epochs: NO_EPOCHS }, place('from')).ensure(addresses);
      const before = await contentOf(source);
      const report = await anOperator(() => ({ DATA_DIR: place('from') })).json(
        'backup',
        place('demo.backup'),
      );
      expect(report).toMatchObject({
        file: place('demo.backup'),
        tables: { post: before.rows['post']!.length },
        keyFile: path.join(place('from'), 'credentials.key'),
      });
      expect(statSync(place('demo.backup'))).toMatchObject({ mode: 0o100600, size: report.bytes });

      const { json: there } = anOperator(() => ({ DATA_DIR: place('to') }));
      expect(await there('restore', place('demo.backup'))).toMatchObject({
        rows: report.rows,
        tables: report.tables,
      });
      expect(await withOpened({ dataDir: place('to') }, contentOf)).toEqual(before);
      expect(readFileSync(place('to/demo.json'), 'utf8')).toBe(
        readFileSync(place('from/demo.json'), 'utf8'),
      );
    } finally {
      await source.close();
    }
  } finally {
    for (const name of ['from', 'to']) removeFolder(place(name));
  }
}, 60_000);

it('takes all rows as they were at one moment, while others write', async () => {
  const records = recordsIn(db);
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await records.aWorkspace();
  })(); // a workspace and its owner's membership are one transaction
  expect(await cli('backup', place('busy.backup'))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/busy\.backup: [\d,]+ rows, \d+ kB\.$/),
  });
  isOver = true;
  await writing;
  await withEmpty(async (url) => {
    expect(await on(url)('restore', place('busy.backup'))).toMatchObject({ code: 0, err: '' });
    const [workspaces, owners] = await withOpened(
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
    expect(workspaces.map(({ name }) => name)).toContain(AWKWARD);
  });
});

describe('a restore', () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await testDatabase();
    await recordsIn(target).aWorkspace({ name: 'Mine' });
    await json('backup', place('good.backup'));
  });
  afterAll(() => target.drop());
  const restore = (file: string, ...more: string[]) =>
    on(target.url)('restore', place(file), ...more);

  it('loses no row, unless it may', async () => {
    const [source, before] = [await contentOf(db), await contentOf(target)];
    expect(await restore('good.backup')).toEqual({
      code: 1,
      out: '',
      err: 'error: The database has rows already (workspace 1, app_user 1, membership 1): restore into an empty one, or lose them with --replace',
    });
    expect(await contentOf(target)).toEqual(before);
    expect(await restore('good.backup', '--replace')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ rows are as they were on 2\d{3}-.+Z\.$/),
    });
    expect(await contentOf(target)).toEqual(source);
    expect(await restore('good.backup', '--replace')).toMatchObject({ code: 0 });
    expect(await contentOf(target)).toEqual(source);
  });

  const bytes = () => readFileSync(place('good.backup'));
  const textOf = () => gunzipSync(bytes()).toString('utf8');
  const withHeader = (change: (header: BackupHeader) => object): Buffer => {
    const [first, ...rest] = textOf().split('\n');
    return gzipSync([JSON.stringify(change(JSON.parse(first!))), ...rest].join('\n'));
  };
  it.each<[string, string, () => Buffer | string]>([
    [
      'no gzip',
      'is no backup of this program, or is damaged: incorrect header check',
      () => 'hello',
    ],
    [
      'gzip of something else',
      'is no backup of this program, or is damaged: it does not begin as one',
      () => gzipSync('hello\n'),
    ],
    [
      'of a header that lacks its parts',
      'is no backup of this program, or is damaged: it does not begin as one',
      () => withHeader((header) => ({ ...header, migrations: null })),
    ],
    [
      'of rows that are none',
      'is no backup of this program, or is damaged: ',
      () =>
        gzipSync(
          Buffer.from(textOf()).map((byte, at, all) =>
            at > all.indexOf(10) + 2 && at < all.indexOf(10) + 9 ? 0xc3 : byte,
          ),
        ),
    ],
    [
      'a line without end',
      'is no backup of this program, or is damaged: its first line is too long',
      () => gzipSync(Buffer.alloc(3_000_000, 'x')),
    ],
    ['empty', 'is no backup of this program, or is damaged: unexpected end of file', () => ''],
    [
      'cut short',
      'is no backup of this program, or is damaged: unexpected end of file',
      () => bytes().subarray(0, -20),
    ],
    [
      'cut before its last line',
      'is no backup of this program, or is damaged: it ends too early',
      () => gzipSync(textOf().replace('end of backup\n', '')),
    ],
    [
      'longer than it says',
      'is no backup of this program, or is damaged: it does not end as one',
      () => gzipSync(`${textOf()}x\n`),
    ],
    [
      'damaged in the middle',
      'is no backup of this program, or is damaged: ',
      () => Buffer.from(bytes().map((byte, at) => (at > 600 && at < 620 ? byte ^ 0xff : byte))),
    ],
    [
      'of a later release',
      'The backup has migration 29990101000000_later, which this build does not know: it is of a later release',
      () =>
        withHeader((header) => ({
          ...header,
          migrations: [...header.migrations, '29990101000000_later'],
        })),
    ],
    [
      'of an earlier release',
      'The backup is of an earlier release, and the database has migration',
      () => withHeader((header) => ({ ...header, migrations: header.migrations.slice(0, 1) })),
    ],
    [
      'with rows that do not fit',
      'violates foreign key constraint',
      () => gzipSync(textOf().replaceAll(/^(wks_\w+\t)usr_\w+/gm, '$1usr_nobody')),
    ],
  ])('changes nothing where the file is %s', async (_, complaint, content) => {
    const before = await contentOf(target);
    writeFileSync(place('bad.backup'), content());
    expect(await restore('bad.backup', '--replace')).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining(complaint),
    });
    expect(await contentOf(target)).toEqual(before);
  });

  it('says of a file that is not there that it is not', async () => {
    expect(await restore('none.backup')).toEqual({
      code: 1,
      out: '',
      err: `error: ${place('none.backup')} cannot be read: ENOENT`,
    });
    expect(await restore('.')).toEqual({
      code: 1,
      out: '',
      err: `error: ${folder} cannot be read: EISDIR`,
    });
  });

  it('and a backup end at Ctrl-C, and leave everything as it was', async () => {
    const before = await contentOf(target);
    expect(await interrupted(restore('good.backup', '--replace'))).toEqual({
      code: 1,
      out: '',
      err: 'error: Stopped: the database is as it was',
    });
    expect(await contentOf(target)).toEqual(before);
    expect(await interrupted(cli('backup', place('stopped.backup')))).toEqual({
      code: 1,
      out: '',
      err: 'error: Stopped: there is no backup',
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });

  it('gives up where somebody holds on to a table', async () => {
    const before = await contentOf(target);
    await target.prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE post IN ROW EXCLUSIVE MODE`;
        expect(await restore('good.backup', '--replace')).toEqual({
          code: 1,
          out: '',
          err: 'error: The database is in use: stop what works on it (gateways, workers, imports), and restore again',
        });
      },
      { timeout: 25_000 },
    );
    expect(await contentOf(target)).toEqual(before);
  });
});

it('of an earlier release is brought up to date', () =>
  withEmpty((earlier) =>
    withEmpty(async (url) => {
      const all = readMigrations(MIGRATIONS_DIR);
      await withOpened({ databaseUrl: earlier }, async ({ pool }) => {
        await applyThese(pool, all.slice(0, 2), silent);
        await pool.query(
          "INSERT INTO app_user (id, name, email) VALUES ('usr_1', 'Ada', 'ada@example.com')",
        );
      });
      expect(await on(earlier)('backup', place('earlier.backup'))).toMatchObject({ code: 0 });
      expect(await on(url)('restore', place('earlier.backup'))).toMatchObject({ code: 0, err: '' });
      await withOpened({ databaseUrl: url }, async ({ pool, prisma }) => {
        expect(await appliedMigrations(pool)).toEqual(all.map(({ name }) => name));
        expect(await prisma.user.findMany()).toMatchObject([
          { id: 'usr_1', email: 'ada@example.com' },
        ]);
      });
    }),
  ));

describe('a backup', () => {
  it('takes no file’s place', async () => {
    writeFileSync(place('mine.txt'), 'mine');
    expect(await cli('backup', place('mine.txt'))).toEqual({
      code: 1,
      out: '',
      err: `error: ${place('mine.txt')} is there already: give another name`,
    });
    expect(readFileSync(place('mine.txt'), 'utf8')).toBe('mine');
  });

  it('goes to a file', async () => {
    expect(await cli('backup', '-')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(
        'The name of a file is allowed; standard output is not written to.',
      ),
    });
  });

  it('is one whole file, where two were begun with one name', async () => {
    const said = await Promise.all([1, 2].map(() => cli('backup', place('twin.backup'))));
    expect(said.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(said.find(({ code }) => code === 1)!.err).toBe(
      `error: ${place('twin.backup')} is there already: give another name`,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('twin'))).toEqual(['twin.backup']);
    await withEmpty(async (url) =>
      expect(await on(url)('restore', place('twin.backup'))).toMatchObject({ code: 0, err: '' }),
    );
  });

  it('leaves nothing behind where it fails', async () => {
    expect(await cli('backup', place('none/x.backup'))).toEqual({
      code: 1,
      out: '',
      err: `error: ${place('none/x.backup')} cannot be written: ENOENT`,
    });
    await withEmpty(async (url) => {
      expect(await on(url)('backup', place('nothing.backup'))).toEqual({
        code: 1,
        out: '',
        err: 'error: The database has no tables yet: there is nothing to back up',
      });
    });
    expect(readdirSync(folder).filter((name) => /nothing|unfinished/.test(name))).toEqual([]);
  });

  it('says that credentials open with their key alone', async () => {
    const { id: workspaceId } = await recordsIn(db).aWorkspace();
    const { id: accountId } = await recordsIn(db).anAccount({ workspaceId });
    await db.pool.query("INSERT INTO account_credential (account_id, sealed) VALUES ($1, '')", [
      accountId,
    ]);
    expect((await cli('backup', place('sealed.backup'))).out).toContain(
      'keep CREDENTIALS_KEY elsewhere',
    );
  });
});
