import { writeBackup, type BackupHeader } from '../../../src/persistence/backup.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { anOperator } from '../../fixtures/operator.js';
import { testDatabase } from '../../setup/database.js';
import { aBackupFolder, contentOf, NO_SIGNAL, withEmptyDatabase } from './backup-databases.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const REASON =
  'has the schema of release 0.1.0, which 0.2.0 can neither read nor upgrade: start with an empty database (set DATABASE_URL or DATA_DIR to a new one)';
const backups = forAllTests(() => aBackupFolder());

const db = forAllTests(() => testDatabase());
afterAll(async () => {
  await db?.drop();
  backups.removeAll();
});

it.each([
  ['migrate'],
  ['migrate', '--status'],
  ['migrate', '--rolled-back', '20261121150000_post_counts'],
  ['users', 'list'],
  ['restore', 'any.backup', '--replace'],
])('%s %s rejects a database of 0.1.0 in one line', (...args) =>
  withEmptyDatabase(async (url) => {
    await recordOldMigration(url);
    expect(await anOperator(() => ({ DATABASE_URL: url })).cli(...args)).toEqual({
      code: 1,
      out: '',
      err: `error: The database ${REASON}`,
    });
  }),
);

it('doctor reports a database of 0.1.0', () =>
  withEmptyDatabase(async (url) => {
    await recordOldMigration(url);
    const { code, out } = await anOperator(() => ({ DATABASE_URL: url })).cli('doctor');
    expect([code, out]).toEqual([1, expect.stringContaining(`The database ${REASON}\n`)]);
  }));

it('restore rejects a backup of 0.1.0, and leaves the database unchanged', async () => {
  const [current, old] = [backups.inFolder('current.backup'), backups.inFolder('old.backup')];
  await writeBackup(db, { file: current, demo: null }, NO_SIGNAL);
  const [header, ...lines] = gunzipSync(readFileSync(current)).toString('utf8').split('\n');
  const oldHeader = {
    ...(JSON.parse(header!) as BackupHeader),
    migrations: ['20261121000000_first_release', '20261122000000_replaced_keys'],
  };
  writeFileSync(old, gzipSync([JSON.stringify(oldHeader), ...lines].join('\n')));
  const before = await contentOf(db);
  const { cli } = anOperator(() => ({ DATABASE_URL: db.url }));
  expect(await cli('restore', old, '--replace')).toEqual({
    code: 1,
    out: '',
    err: `error: Could not restore ${old}: the backup ${REASON}`,
  });
  expect(await contentOf(db)).toEqual(before);
});

async function recordOldMigration(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'CREATE TABLE _prisma_migrations (id text, checksum text, finished_at timestamptz, migration_name text, logs text, rolled_back_at timestamptz, started_at timestamptz DEFAULT now(), applied_steps_count int)',
  );
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '20261121000000_first_release', now())",
  );
  await client.end();
}
