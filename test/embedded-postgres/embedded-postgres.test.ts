import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openEmbedded, type Embedded } from '../../src/embedded-postgres/embedded-postgres.js';
import {
  openTestServer as openServer,
  removeFolder,
  silent,
  temporaryFolder,
} from '../setup/test-server.js';
import { killNeighbours, neighbour } from './other-process.js';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const asNobody = { uid: NOBODY, gid: NOBODY };
// A root's checkout may be closed to others; then there is nothing an ordinary user could run.
const nobodyCanRun =
  isRoot &&
  spawnSync(
    process.execPath,
    ['-e', `require(${JSON.stringify(path.join(__dirname, '../setup/typescript.cjs'))})`],
    { ...asNobody, cwd: '/' },
  ).status === 0;

const folders: string[] = [];
const newFolder = (): string => {
  folders.push(temporaryFolder());
  return folders.at(-1)!;
};
const opened: Embedded[] = [];
const openTestServer = async (dataDir: string): Promise<Embedded> => {
  const server = await openServer(dataDir);
  opened.push(server);
  return server;
};
afterAll(async () => {
  killNeighbours();
  for (const server of opened) await server.release(); // does nothing unless a test failed
  folders.forEach(removeFolder);
});

async function ask<Row extends pg.QueryResultRow>(
  connectionString: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
const isUp = (connectionString: string): Promise<boolean> =>
  ask(connectionString, 'SELECT 1').then(
    () => true,
    () => false,
  );
const problemOf = (opening: Promise<Embedded>): Promise<string> =>
  opening.then(
    async (server) => {
      await server.release();
      return 'opened';
    },
    (error: Error) => error.message,
  );

describe('the embedded server of one folder', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = path.join(newFolder(), 'with späces');
  });

  it('is made once, by the first of two processes that start at once', async () => {
    const both = await Promise.all([neighbour(dataDir), neighbour(dataDir)]);
    expect(both.map(({ fresh }) => fresh).sort()).toEqual([false, true]);
    expect(both[0].connectionString).toBe(both[1].connectionString);
    await ask(both[0].connectionString, 'CREATE TABLE kept AS SELECT 42 AS value');
    await Promise.all(both.map((one) => one.leave()));
    expect(await isUp(both[0].connectionString)).toBe(false);
    expect(existsSync(path.join(dataDir, 'postgres.lock'))).toBe(false);
  });

  it('keeps its data, listens on loopback alone and hides its password', async () => {
    const server = await openTestServer(dataDir);
    expect(server.fresh).toBe(false);
    expect(await ask(server.connectionString, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    expect(
      await ask(
        server.connectionString,
        `SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
      current_setting('password_encryption') AS passwords, current_setting('server_encoding') AS encoding, lower('ÄŁЖ') AS low`,
      ),
    ).toEqual([
      {
        addresses: '127.0.0.1',
        sockets: '',
        passwords: 'scram-sha-256',
        encoding: 'UTF8',
        low: 'äłж',
      },
    ]);
    expect(await isUp(server.connectionString.replace(/:[^:@]+@/, ':guess@'))).toBe(false);
    if (process.platform !== 'win32')
      expect(statSync(path.join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    await Promise.all([server.release(), server.release()]);
    expect(await isUp(server.connectionString)).toBe(false);
  });

  const postmasterOf = async ({ connectionString }: Embedded): Promise<number> =>
    (
      await ask<{ pid: number }>(
        connectionString,
        "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
      )
    )[0]!.pid;

  // SIGINT: somebody stops it who does not know who uses it.
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'is started again after %s, by those who use it and where they look for it',
    async (signal) => {
      const server = await openTestServer(dataDir);
      process.kill(await postmasterOf(server), signal);
      while (await isUp(server.connectionString)) await sleep(5);
      while (!(await isUp(server.connectionString))) await sleep(100);
      expect(await ask(server.connectionString, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
      const second = await openTestServer(dataDir);
      expect(second.connectionString).toBe(server.connectionString);
      await second.release();
      await server.release();
      expect(await isUp(server.connectionString)).toBe(false);
    },
  );

  it('waits for its port where somebody else has taken it meanwhile', async () => {
    const server = await openTestServer(dataDir);
    const port = Number(new URL(server.connectionString).port);
    process.kill(await postmasterOf(server), 'SIGINT');
    const taken = createServer((socket) => socket.destroy());
    while (!taken.listening)
      await new Promise<void>((resolve) => {
        taken.once('error', () => setTimeout(resolve, 5)).listen(port, '127.0.0.1', resolve);
      });
    await sleep(2_500); // two tries
    await new Promise((resolve) => taken.close(resolve));
    while (!(await isUp(server.connectionString))) await sleep(100);
    await server.release();
    expect(await isUp(server.connectionString)).toBe(false);
  });

  it.each([0, 300, 1_050])(
    'is not left behind by the last who goes, %d ms after it lost its connection, and others with it',
    async (ms) => {
      const server = await openTestServer(dataDir);
      await ask(
        server.connectionString,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'posts-gateway lifetime'",
      );
      await sleep(ms);
      await server.release();
      expect(await isUp(server.connectionString)).toBe(false);
    },
  );

  it('runs on for a second process that outlives the first', async () => {
    const first = await neighbour(dataDir);
    const second = await openTestServer(dataDir);
    expect(second.connectionString).toBe(first.connectionString);
    await first.leave();
    expect(await ask(second.connectionString, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    await second.release();
    expect(await isUp(second.connectionString)).toBe(false);
  });

  it('survives kill -9 of its starter, is adopted, and is stopped by the last to leave', async () => {
    const starter = await neighbour(dataDir);
    await starter.kill();
    expect(await isUp(starter.connectionString)).toBe(true);
    const next = await openTestServer(dataDir);
    expect(next.connectionString).toBe(starter.connectionString);
    await next.release();
    expect(await isUp(next.connectionString)).toBe(false);
  });

  it('is not stopped under a process whose lifetime connection was lost', async () => {
    const holder = await openTestServer(dataDir);
    const lost =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'posts-gateway lifetime'";
    await ask(holder.connectionString, lost);
    const locked = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted";
    for (
      let turn = 0;
      turn < 100 && (await ask(holder.connectionString, locked)).length === 0;
      turn += 1
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
    await (await neighbour(dataDir)).leave();
    expect(await isUp(holder.connectionString)).toBe(true);
    await holder.release();
    expect(await isUp(holder.connectionString)).toBe(false);
  });

  it('comes back after its postmaster was killed', async () => {
    const before = await openTestServer(dataDir);
    process.kill(
      Number(
        readFileSync(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split(
          '\n',
        )[0],
      ),
      'SIGKILL',
    );
    await before.release();
    const after = await openTestServer(dataDir);
    expect(await ask(after.connectionString, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
    await after.release();
  });

  it('is not blocked by the lock of a process that died while starting', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(
      path.join(dataDir, 'postgres.lock'),
      JSON.stringify({ pid, started: '', token: 'dead' }),
    );
    const both = await Promise.all([openTestServer(dataDir), neighbour(dataDir)]);
    expect(both[0].connectionString).toBe(both[1].connectionString);
    await both[1].leave();
    await both[0].release();
  });

  it('refuses data of another version, and what is no data, in one line that names the folder', async () => {
    const data = path.join(dataDir, 'postgres', 'data');
    const version = readFileSync(path.join(data, 'PG_VERSION'), 'utf8');
    writeFileSync(path.join(data, 'PG_VERSION'), '15\n');
    expect(await problemOf(openTestServer(dataDir))).toBe(
      `${data} was written by PostgreSQL 15, this build brings ${version.trim()}: move it away, or set DATA_DIR`,
    );
    writeFileSync(path.join(data, 'PG_VERSION'), version);

    renameSync(path.join(data, 'global', 'pg_control'), path.join(data, 'pg_control'));
    expect(await problemOf(openTestServer(dataDir))).toMatch(
      new RegExp(`^PostgreSQL did not start on ${data}: .*could not find the database system.*$`),
    );
    renameSync(path.join(data, 'pg_control'), path.join(data, 'global', 'pg_control'));
    expect(await problemOf(openTestServer(dataDir))).toBe('opened');

    const foreign = newFolder();
    mkdirSync(path.join(foreign, 'postgres', 'data'), { recursive: true });
    expect(await problemOf(openTestServer(foreign))).toContain('is not a PostgreSQL data folder');
  });
});

if (process.platform !== 'win32')
  describe('a folder that the server cannot use', () => {
    it('keeps the data elsewhere, and records where', async () => {
      // PostgreSQL's tools would let the shell expand it
      const dataDir = path.join(newFolder(), 'a $HOME `b`');
      folders.push(dataDir);
      const told: string[] = [];
      const server = await openEmbedded({
        dataDir,
        log: { ...silent, info: (line) => told.push(line) },
      });
      const location = readFileSync(path.join(dataDir, 'location'), 'utf8').trim();
      // Where the packages too are out of the server's reach (a clone in a closed folder), its programs are copied next.
      expect(told.filter((line) => !line.startsWith('Copying PostgreSQL'))).toEqual([
        `The database server cannot use ${path.join(dataDir, 'postgres')}; its files are in ${location}`,
      ]);
      expect(existsSync(path.join(location, 'data', 'PG_VERSION'))).toBe(true);
      expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
      await ask(server.connectionString, 'CREATE TABLE kept ()');
      await server.release();
      const again = await openTestServer(dataDir);
      expect(again.fresh).toBe(false);
      expect(await isUp(again.connectionString)).toBe(true);
      await again.release();
      removeFolder(dataDir);
    });
  });

// Without root there is one user only, and every other test here is that user's.
if (nobodyCanRun)
  describe('users', () => {
    it('an ordinary user runs the server as itself; root joins it; another ordinary user is told', async () => {
      const dataDir = newFolder();
      spawnSync('chown', [String(NOBODY), dataDir]);
      const ordinary = await neighbour(dataDir, asNobody);
      expect(ordinary.problem).toBeUndefined();
      expect(statSync(path.join(dataDir, 'postgres', 'data')).uid).toBe(NOBODY);
      const root = await openTestServer(dataDir);
      expect(root.connectionString).toBe(ordinary.connectionString);
      await ordinary.leave();
      await root.release();
      const third = await neighbour(dataDir, { uid: 12_345, gid: 12_345 });
      expect(third.problem).toMatch(/EACCES|belongs to another user/);
    });
  });
