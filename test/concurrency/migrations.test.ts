import { readdirSync } from 'node:fs';
import pg from 'pg';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { emptyDatabase, testDatabase } from '../setup/database.js';
import {
  buildIfChanged,
  errorLinesOf,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { suite } from '../setup/suite.js';

const ROUNDS = suite.number('rounds', { short: 1, quick: 3, full: 20 }[suite.length]);
jest.setTimeout(600_000);

beforeAll(buildIfChanged);
afterEach(killStartedPrograms);

const NAMES = readdirSync(MIGRATIONS_DIR, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
const RECORDS =
  'SELECT migration_name AS name, finished_at IS NOT NULL AS finished, applied_steps_count AS steps, rolled_back_at AS back FROM _prisma_migrations ORDER BY 1';
const COLUMNS =
  "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2";
const INDEXES =
  "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2";

it(`are applied once by two commands and two gateways that start concurrently, ${ROUNDS} times`, async () => {
  const reference = await testDatabase();
  const schemaOf = async (pool: pg.Pool): Promise<unknown> => [
    (await pool.query(COLUMNS)).rows,
    (await pool.query(INDEXES)).rows,
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    const database = await emptyDatabase();
    const env = { DATABASE_URL: database.url, PORT: '0' };
    const commands = [1, 2].map(() =>
      startProgram(env, [process.execPath, 'dist/cli.js', 'migrate']),
    );
    const gateways = [1, 2].map(() => startProgram(env));
    expect(await Promise.all(commands.map(({ exit }) => exit))).toEqual([0, 0]);
    for (const gateway of gateways) {
      await waitUntil(() => gateway.output().includes('REST v1'), gateway);
      gateway.child.kill('SIGTERM');
    }
    expect(await Promise.all(gateways.map(({ exit }) => exit))).toEqual([0, 0]);
    const errorLines = [...commands, ...gateways].flatMap(errorLinesOf);
    expect(errorLines.filter((line) => !line.startsWith('Database: '))).toEqual([]);
    const pool = new pg.Pool({ connectionString: database.url });
    expect((await pool.query(RECORDS)).rows).toEqual(
      NAMES.map((name) => ({ name, finished: true, steps: 1, back: null })),
    );
    expect(await schemaOf(pool)).toEqual(await schemaOf(reference.pool));
    await pool.end();
    await database.drop();
  }
  await reference.drop();
  suite.report(
    `${ROUNDS} rounds of two commands and two gateways on an empty database: ${NAMES.length} migrations applied once each`,
  );
});
