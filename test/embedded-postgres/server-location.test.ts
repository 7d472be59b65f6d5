import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openEmbeddedServer } from '../../src/embedded-postgres/embedded-postgres.js';
import { removeFolder, silentLog } from '../setup/test-server.js';
import { startOtherProcess } from './other-process.js';
import { closeServers, errorOf, isRunning, newFolder, openServer, query } from './servers.js';

const NOBODY = 65_534;
const AS_NOBODY = { uid: NOBODY, gid: NOBODY };
// The checkout may be private to root: then an ordinary user cannot run it.
const canRunAsNobody =
  process.getuid?.() === 0 &&
  spawnSync(
    process.execPath,
    ['-e', `require(${JSON.stringify(path.join(__dirname, '../setup/typescript.cjs'))})`],
    { ...AS_NOBODY, cwd: '/' },
  ).status === 0;

afterAll(closeServers);

it('rejects data of another version, and other folders, in one line that names the folder', async () => {
  const dataDir = newFolder();
  await (await openServer(dataDir)).release();
  const data = path.join(dataDir, 'postgres', 'data');
  const version = readFileSync(path.join(data, 'PG_VERSION'), 'utf8');
  writeFileSync(path.join(data, 'PG_VERSION'), '15\n');
  expect(await errorOf(openServer(dataDir))).toBe(
    `${data} was written by PostgreSQL 15, but this build contains PostgreSQL ${version.trim()}: move it away, or set DATA_DIR`,
  );
  writeFileSync(path.join(data, 'PG_VERSION'), version);

  renameSync(path.join(data, 'global', 'pg_control'), path.join(data, 'pg_control'));
  expect(await errorOf(openServer(dataDir))).toMatch(
    new RegExp(`^PostgreSQL did not start on ${data}: .*could not find the database system.*$`),
  );
  renameSync(path.join(data, 'pg_control'), path.join(data, 'global', 'pg_control'));
  expect(await errorOf(openServer(dataDir))).toBe('opened');

  const foreign = newFolder();
  mkdirSync(path.join(foreign, 'postgres', 'data'), { recursive: true });
  expect(await errorOf(openServer(foreign))).toContain('is not a PostgreSQL data folder');
});

if (process.platform !== 'win32')
  describe('a folder that the server cannot use', () => {
    it('stores the data elsewhere, and records the location', async () => {
      // PostgreSQL's tools would have the shell expand it
      const dataDir = newFolder('a $HOME `b`');
      const lines: string[] = [];
      const server = await openEmbeddedServer({
        dataDir,
        log: { ...silentLog, info: (line) => lines.push(line) },
      });
      const location = readFileSync(path.join(dataDir, 'location'), 'utf8').trim();
      // If the server's account cannot access the packages (a checkout in a private folder), its
      // programs are copied too.
      expect(lines.filter((line) => !line.startsWith('Copying PostgreSQL'))).toEqual([
        `The database server cannot use ${path.join(dataDir, 'postgres')}. Its files are in ${location}`,
      ]);
      expect(existsSync(path.join(location, 'data', 'PG_VERSION'))).toBe(true);
      expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
      await query(server.connectionString, 'CREATE TABLE saved ()');
      await server.release();
      const again = await openServer(dataDir);
      expect(again.isNew).toBe(false);
      expect(await isRunning(again.connectionString)).toBe(true);
      await again.release();
      removeFolder(dataDir);
    });
  });

// Without root there is only one account, which all other tests use.
if (canRunAsNobody)
  describe('accounts', () => {
    it('an ordinary user runs the server as itself, root joins it, and another user gets an error', async () => {
      const dataDir = newFolder();
      spawnSync('chown', [String(NOBODY), dataDir]);
      const ordinary = await startOtherProcess(dataDir, AS_NOBODY);
      expect(ordinary.problem).toBeUndefined();
      expect(statSync(path.join(dataDir, 'postgres', 'data')).uid).toBe(NOBODY);
      const root = await openServer(dataDir);
      expect(root.connectionString).toBe(ordinary.connectionString);
      await ordinary.release();
      await root.release();
      const third = await startOtherProcess(dataDir, { uid: 12_345, gid: 12_345 });
      expect(third.problem).toMatch(/EACCES|belongs to another user/);
    });
  });
