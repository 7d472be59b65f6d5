import { openDatabase, type Database } from '../../../src/persistence/database.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { run } from '../../../src/persistence/sql.js';
import { cliDependencies, piped } from '../../fixtures/operator.js';
import { runCli } from '../../../src/cli/run-command.js';
import { emptyDatabase } from '../../setup/database.js';
import { silentLog } from '../../setup/test-server.js';
import { startPgBouncer, type PgBouncer } from './pgbouncer.js';

jest.setTimeout(300_000);

let empty: { url: string; drop(): Promise<void> };
let pooler: PgBouncer;
beforeAll(async () => {
  empty = await emptyDatabase();
});
afterAll(() => empty.drop());
afterEach(() => pooler.close());

const open = (): Promise<Database> =>
  openDatabase({ connectionString: pooler.url, poolSize: 4, log: silentLog });

const SETTINGS =
  "SELECT current_setting('statement_timeout') AS timeout, current_setting('plan_cache_mode') AS plans, current_setting('jit') AS jit, current_setting('random_page_cost') AS cost, current_setting('application_name') AS name";

describe('PgBouncer in session mode', () => {
  it('passes on the settings of each session, statements of each process and migrations', async () => {
    pooler = await startPgBouncer(empty.url, 'session');
    const [first, second] = [await open(), await open()];
    await applyMigrations(first.pool, MIGRATIONS_DIR, silentLog);
    for (const { pool } of [first, second])
      expect(await run(pool, SETTINGS)).toEqual([
        {
          timeout: '15s',
          plans: 'force_generic_plan',
          jit: 'off',
          cost: '1.1',
          name: 'posts-gateway',
        },
      ]);
    expect(await second.prisma.user.count()).toBe(0);
    await first.close();
    const third = await open(); // gets the session that the first one left
    expect(await run(third.pool, 'SELECT 3 AS three')).toEqual([{ three: 3 }]);
    await second.close();
    await third.close();
  });
});

describe.each(['transaction', 'statement'] as const)('PgBouncer in %s mode', (mode) => {
  it('is refused at the start, with the setting to change', async () => {
    pooler = await startPgBouncer(empty.url, mode);
    const refused = await open().catch((error: Error) => error.message);
    expect(refused).toMatch(
      /^Cannot use the database: a connection pooler in transaction or statement mode .*pool_mode = session/,
    );
  });

  it('is reported by doctor', async () => {
    pooler = await startPgBouncer(empty.url, mode);
    const lines: string[] = [];
    const code = await runCli(
      ['doctor'],
      cliDependencies({ DATABASE_URL: pooler.url }, (line) => lines.push(line)),
      { out: (line) => lines.push(line), err: (line) => lines.push(line), input: piped('') },
    );
    expect([code, lines.join('\n')]).toEqual([1, expect.stringContaining('pool_mode = session')]);
  });
});
