import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedServer } from '../../src/embedded-postgres/embedded-postgres.js';
import { startOtherProcess } from './other-process.js';
import { closeServers, isRunning, newFolder, openServer, query } from './servers.js';
import { waitFor } from '../fixtures/wait-for.js';

afterAll(closeServers);

describe('the embedded server of one folder', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = path.join(newFolder(), 'with späces');
  });

  it('is created once, by the first of two processes that start concurrently', async () => {
    const both = await Promise.all([startOtherProcess(dataDir), startOtherProcess(dataDir)]);
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(both[0].connectionString).toBe(both[1].connectionString);
    await query(both[0].connectionString, 'CREATE TABLE saved AS SELECT 42 AS value');
    await Promise.all(both.map((process) => process.release()));
    expect(await isRunning(both[0].connectionString)).toBe(false);
    expect(existsSync(path.join(dataDir, 'postgres.lock'))).toBe(false);
  });

  it('keeps its data, listens on loopback only and hides its password', async () => {
    const server = await openServer(dataDir);
    expect(server.isNew).toBe(false);
    expect(await query(server.connectionString, 'SELECT value FROM saved')).toEqual([
      { value: 42 },
    ]);
    expect(
      await query(
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
    expect(await isRunning(server.connectionString.replace(/:[^:@]+@/, ':guess@'))).toBe(false);
    if (process.platform !== 'win32')
      expect(statSync(path.join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    await Promise.all([server.release(), server.release()]);
    expect(await isRunning(server.connectionString)).toBe(false);
  });

  const postmasterOf = async ({ connectionString }: EmbeddedServer): Promise<number> =>
    (
      await query<{ pid: number }>(
        connectionString,
        "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
      )
    )[0]!.pid;

  // SIGINT: an operator stops it without regard to its users.
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'is restarted by its users after %s, on the same port',
    async (signal) => {
      const server = await openServer(dataDir);
      process.kill(await postmasterOf(server), signal);
      await waitFor(async () => !(await isRunning(server.connectionString)));
      await waitFor(() => isRunning(server.connectionString));
      expect(await query(server.connectionString, 'SELECT value FROM saved')).toEqual([
        { value: 42 },
      ]);
      const second = await openServer(dataDir);
      expect(second.connectionString).toBe(server.connectionString);
      await second.release();
      await server.release();
      expect(await isRunning(server.connectionString)).toBe(false);
    },
  );

  it('waits for its port if another program has taken it', async () => {
    const server = await openServer(dataDir);
    const port = Number(new URL(server.connectionString).port);
    process.kill(await postmasterOf(server), 'SIGINT');
    const otherProgram = createServer((socket) => socket.destroy());
    while (!otherProgram.listening)
      await new Promise<void>((resolve) => {
        otherProgram.once('error', () => setTimeout(resolve, 5)).listen(port, '127.0.0.1', resolve);
      });
    await sleep(2_500); // two attempts
    await new Promise((resolve) => otherProgram.close(resolve));
    await waitFor(() => isRunning(server.connectionString));
    await server.release();
    expect(await isRunning(server.connectionString)).toBe(false);
  });

  it.each([0, 300, 1_050])(
    'is stopped by its last user, %d ms after all connections were lost',
    async (ms) => {
      const server = await openServer(dataDir);
      await query(
        server.connectionString,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'posts-gateway lifetime'",
      );
      await sleep(ms);
      await server.release();
      expect(await isRunning(server.connectionString)).toBe(false);
    },
  );

  it('keeps running for a second process after the first one ended', async () => {
    const first = await startOtherProcess(dataDir);
    const second = await openServer(dataDir);
    expect(second.connectionString).toBe(first.connectionString);
    await first.release();
    expect(await query(second.connectionString, 'SELECT value FROM saved')).toEqual([
      { value: 42 },
    ]);
    await second.release();
    expect(await isRunning(second.connectionString)).toBe(false);
  });

  it('survives SIGKILL of the process that started it, and is stopped by its last user', async () => {
    const starter = await startOtherProcess(dataDir);
    await starter.kill();
    expect(await isRunning(starter.connectionString)).toBe(true);
    const next = await openServer(dataDir);
    expect(next.connectionString).toBe(starter.connectionString);
    await next.release();
    expect(await isRunning(next.connectionString)).toBe(false);
  });

  it('is not stopped while a process uses it whose lock connection was lost', async () => {
    const holder = await openServer(dataDir);
    const terminate =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'posts-gateway lifetime'";
    await query(holder.connectionString, terminate);
    const locked = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted";
    for (
      let attempt = 0;
      attempt < 100 && (await query(holder.connectionString, locked)).length === 0;
      attempt += 1
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
    await (await startOtherProcess(dataDir)).release();
    expect(await isRunning(holder.connectionString)).toBe(true);
    await holder.release();
    expect(await isRunning(holder.connectionString)).toBe(false);
  });

  it('can be opened again after its postmaster was killed', async () => {
    const before = await openServer(dataDir);
    process.kill(
      Number(
        readFileSync(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split(
          '\n',
        )[0],
      ),
      'SIGKILL',
    );
    await before.release();
    const after = await openServer(dataDir);
    expect(await query(after.connectionString, 'SELECT value FROM saved')).toEqual([{ value: 42 }]);
    await after.release();
  });

  it('is not blocked by the lock file of a process that died during the start', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(
      path.join(dataDir, 'postgres.lock'),
      JSON.stringify({ pid, started: '', token: 'dead' }),
    );
    const both = await Promise.all([openServer(dataDir), startOtherProcess(dataDir)]);
    expect(both[0].connectionString).toBe(both[1].connectionString);
    await both[1].release();
    await both[0].release();
  });
});
