import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openMigratedDatabase } from '../../src/composition/open-database.js';
import { anOperator } from '../fixtures/operator.js';
import { emptyDatabase, testDatabase } from '../setup/database.js';
import { removeFolder, silentLog, temporaryFolder } from '../setup/test-server.js';

const OPTIONS = { poolSize: 2, log: silentLog };
const open = (location: { databaseUrl?: string; dataDir: string }) =>
  openMigratedDatabase({ databaseUrl: undefined, ...location }, OPTIONS);

/** Makes the stopped embedded server of a data folder start as a standby. */
function makeStandby(dataDir: string): void {
  const record = path.join(dataDir, 'location');
  const folder = existsSync(record) ? readFileSync(record, 'utf8').trim() : dataDir;
  const data = [path.join(folder, 'data'), path.join(folder, 'postgres', 'data')].find(existsSync)!;
  const signal = path.join(data, 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(data);
  chownSync(signal, uid, gid);
}

it('a process refuses a standby at start and says so, and doctor reports it', async () => {
  const dataDir = temporaryFolder();
  try {
    await (await open({ dataDir })).close();
    makeStandby(dataDir);
    await expect(open({ dataDir })).rejects.toThrow(
      /^The database server is a standby, which accepts no changes: set DATABASE_URL to the primary server, or wait until this one is promoted$/,
    );
    const { code, out } = await anOperator(() => ({ DATA_DIR: dataDir })).cli('doctor');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(
        /^fail +database +PostgreSQL .+, a standby, which accepts no changes\n +→ Set DATABASE_URL to the primary server, or promote this one\.$/m,
      ),
    ]);
  } finally {
    removeFolder(dataDir);
  }
});

it('a process refuses a read-only database at start', async () => {
  const db = await testDatabase();
  try {
    const name = new URL(db.url).pathname.slice(1);
    await db.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await expect(open({ databaseUrl: db.url, dataDir: '' })).rejects.toThrow(
      /^The database accepts no changes, because default_transaction_read_only is on: /,
    );
  } finally {
    await db.drop();
  }
});

it('a process migrates a database that accepts changes', async () => {
  const empty = await emptyDatabase();
  try {
    const database = await open({ databaseUrl: empty.url, dataDir: '' });
    await database.close();
  } finally {
    await empty.drop();
  }
});
