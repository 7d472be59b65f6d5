import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCli } from '../../src/cli/run-command.js';
import { databaseName } from '../../src/config/config.js';
import { cliDependencies, piped } from '../fixtures/operator.js';
import { testDatabase } from '../setup/database.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';
import { forAllTests } from '../fixtures/lifecycle.js';

let folder: string;
const db = forAllTests(() => testDatabase());
beforeAll(async () => {
  folder = temporaryFolder();
});
afterAll(async () => {
  await db?.drop();
  removeFolder(folder);
});

/** The lines that a command prints on standard error, with these settings. */
async function errorLines(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  await runCli(args, cliDependencies(env), {
    out: () => undefined,
    err: (line) => lines.push(line),
    input: piped(''),
  });
  return lines;
}
const url = (): string => databaseName({ databaseUrl: db.url, dataDir: '' });
const CREATE_USER = ['users', 'create', '--name', 'Ada', '--email'];

describe('the name of the database', () => {
  it.each([
    ['postgresql://ada:secret@db:5432/posts', 'postgresql://ada@db:5432/posts'],
    ['postgresql://db/posts?sslmode=require', 'postgresql://db/posts?sslmode=require'],
    ['postgresql://ada@db/posts?password=secret&x=1', 'postgresql://ada@db/posts?x=1'],
    ['postgresql://ada:secret@a:1,b:2/posts', 'postgresql://ada@a:1,b:2/posts'],
    ['postgresql://ada@a,b/posts?password=secret&x=1', 'postgresql://ada@a,b/posts?x=1'],
  ])('has no password: %s', (databaseUrl, name) => {
    expect(databaseName({ databaseUrl, dataDir: '/data' })).toBe(name);
  });

  it('is the folder of an embedded one', () => {
    expect(databaseName({ databaseUrl: undefined, dataDir: '/data' })).toBe('embedded, in /data');
  });
});

describe('a command', () => {
  it('that changes the database names it, also with --json', async () => {
    expect(await errorLines({ DATABASE_URL: db.url }, ...CREATE_USER, 'a@b.example')).toEqual([
      `Database: ${url()}`,
    ]);
    expect(
      await errorLines({ DATABASE_URL: db.url }, '--json', ...CREATE_USER, 'c@d.example'),
    ).toEqual([`Database: ${url()}`]);
    expect(await errorLines({ DATABASE_URL: db.url }, 'migrate')).toEqual([`Database: ${url()}`]);
  });

  it('that backs it up, or fails to reach it, names it too', async () => {
    expect(await errorLines({ DATA_DIR: folder }, 'backup')).toEqual([
      `Database: embedded, in ${folder}`,
      expect.stringContaining('There is no database in'),
    ]);
    expect(
      await errorLines({ DATABASE_URL: 'postgresql://ada:secret@127.0.0.1:1/x' }, 'demo', 'reset'),
    ).toEqual([
      'Database: postgresql://ada@127.0.0.1:1/x',
      expect.stringContaining('Cannot use the database'),
    ]);
  });

  it.each([
    ['users', 'list'],
    ['workspaces', 'list'],
    ['accounts', 'list'],
    ['keys', 'list'],
    ['jobs', 'list'],
    ['migrate', '--status'],
    ['doctor'],
  ])('that only reads does not: %s %s', async (...command) => {
    expect(await errorLines({ DATABASE_URL: db.url }, ...command)).toEqual([]);
  });

  it('that only reads creates no embedded database', async () => {
    expect(await errorLines({ DATA_DIR: folder }, 'users', 'list')).toEqual([
      expect.stringContaining(`There is no database in ${folder} yet`),
    ]);
  });

  it.each([[[...CREATE_USER, 'a@b.example']], [['users', 'list']], [['doctor']]])(
    'in production takes no embedded database unless DATA_DIR is set: %j',
    async (args) => {
      const lines: string[] = [];
      const code = await runCli(args, cliDependencies({ NODE_ENV: 'production' }), {
        out: (line) => lines.push(line),
        err: (line) => lines.push(line),
        input: piped(''),
      });
      expect([code, lines.join('\n')]).toEqual([
        1,
        expect.stringContaining(
          'DATABASE_URL is not set. With NODE_ENV=production, the embedded database is used only if DATA_DIR is set to its folder',
        ),
      ]);
    },
  );
});

describe('--env-file', () => {
  it('reads settings from a file, before or after the command; variables that are set win', async () => {
    const file = path.join(folder, 'settings.env');
    writeFileSync(file, `# a comment\nDATABASE_URL="${db.url}"\nLOG_LEVEL=loud\n`);
    const env = { LOG_LEVEL: 'warn' };
    const named = [`Database: ${url()}`];
    expect(await errorLines({ ...env }, '--env-file', file, ...CREATE_USER, 'e@f.example')).toEqual(
      named,
    );
    expect(await errorLines({ ...env }, ...CREATE_USER, 'g@h.example', '--env-file', file)).toEqual(
      named,
    );
    expect(await errorLines({}, 'users', 'list', '--env-file', file)).toEqual([
      expect.stringContaining('Invalid LOG_LEVEL "loud"'),
    ]);
  });

  it('reports a file that cannot be read', async () => {
    const file = path.join(folder, 'none.env');
    expect(await errorLines({}, 'users', 'list', '--env-file', file)).toEqual([
      `error: Could not read the environment file ${file}: ENOENT`,
    ]);
  });
});
