import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describedDoor } from './fixtures/described-proxy.js';
import { readingsAt, seriesOf } from './fixtures/readings.js';
import { recordsIn } from './fixtures/records.js';
import { emptyDatabase, testDatabase } from './setup/database.js';
import { freePort } from './setup/free-port.js';
import { buildWhatIsStarted, killStarted, start, until } from './setup/started.js';
import { removeFolder, temporaryFolder } from './setup/test-server.js';

jest.setTimeout(90_000);

// A test that failed half-way must not leave a gateway behind.
afterEach(killStarted);

const run = promisify(execFile);
const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

describe('node dist/main.js', () => {
  beforeAll(buildWhatIsStarted);

  it('serves the demo on the embedded database, drains on SIGTERM, and starts again within seconds', async () => {
    const folder = temporaryFolder();
    const [port, database] = [await freePort(), { DATA_DIR: folder }];
    try {
      const first = start({ ...database, PORT: String(port) });
      await until(() => answers(`http://127.0.0.1:${port}/healthz`), first);
      await until(() => first.output().includes('See it on its network'), first);
      const commands = first
        .output()
        .split('\n')
        .filter((line) => line.startsWith('curl '));
      expect(commands).toHaveLength(4);
      const door = await describedDoor(`http://127.0.0.1:${port}`);
      for (const command of commands) {
        const { stdout } = await run('sh', [
          '-c',
          command.replaceAll(`http://127.0.0.1:${port}`, door.url),
        ]);
        expect(Object.keys(JSON.parse(stdout) as object)).not.toContain('errors');
      }
      expect(door.departures).toEqual([]);
      await door.close();
      first.child.kill('SIGTERM');
      const stoppedAt = Date.now();
      await until(async () => !(await answers(`http://127.0.0.1:${port}/readyz`)), first);
      expect(await first.exit).toBe(0);
      expect(Date.now() - stoppedAt).toBeLessThan(10_000);

      const second = start({ ...database, PORT: String(port) });
      await until(() => second.output().includes('See it on its network'), second);
      const keyOf = (output: string): string | undefined => /Demo key +(\S+)/.exec(output)?.[1];
      expect(keyOf(second.output())).toBe(keyOf(first.output()));
      second.child.kill('SIGINT');
      expect(await second.exit).toBe(0);
      expect(second.errors()).toBe('');
    } finally {
      removeFolder(folder);
    }
  });

  it('uses DATABASE_URL and makes no demo there', async () => {
    const database = await emptyDatabase();
    const gateway = start({ DATABASE_URL: database.url, PORT: '0' });
    await until(() => gateway.output().includes('REST v1'), gateway);
    expect(gateway.output()).not.toContain('Demo');
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await database.drop();
  });

  it.each([0, 300, 900, 2_000])(
    'ends in silence where it is told to %d ms after it says that it lives, and starts well afterwards',
    async (ms) => {
      const folder = temporaryFolder();
      const port = await freePort();
      try {
        const hasty = start({ DATA_DIR: folder, PORT: String(port) });
        await until(() => answers(`http://127.0.0.1:${port}/healthz`), hasty);
        await sleep(ms);
        hasty.child.kill('SIGTERM');
        expect([await hasty.exit, hasty.errors()]).toEqual([0, '']);
        const patient = start({ DATA_DIR: folder, PORT: '0' });
        await until(() => patient.output().includes('See it on its network'), patient);
        patient.child.kill('SIGINT');
        patient.child.kill('SIGINT'); // somebody in a hurry
        expect([await patient.exit, patient.errors()]).toEqual([0, '']);
      } finally {
        removeFolder(folder);
      }
    },
  );

  it('answers what is under way when it is told to stop, tells /readyz so at once, and takes nothing new', async () => {
    const database = await testDatabase();
    const { apiKey, workspace } = await recordsIn(database).aViewer();
    const gateway = start({ DATABASE_URL: database.url, PORT: '0' });
    await until(() => gateway.output().includes('REST v1'), gateway);
    const url = /GraphQL +(\S+)\/graphql\n/.exec(gateway.output())![1]!;
    const client = await database.pool.connect();
    await client.query('BEGIN; LOCK TABLE post IN ACCESS EXCLUSIVE MODE');
    const under = fetch(`${url}/v1/posts`, {
      headers: { Authorization: `Bearer-API ${apiKey}`, 'Service-Workspace-Id': workspace.id },
    });
    const waiting = async (): Promise<boolean> =>
      (
        await database.pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).rowCount! > 0;
    await until(waiting, gateway);
    gateway.child.kill('SIGTERM');
    await until(async () => !(await answers(`${url}/readyz`)), gateway);
    await sleep(1_000); // connections are no longer taken
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    await client.query('COMMIT');
    client.release();
    expect((await under).status).toBe(200);
    expect([await gateway.exit, gateway.errors()]).toEqual([0, '']);
    await database.drop();
  });

  it.each([
    ['dist/main.js', { database: 'ok', migrations: 'ok', queue: 'ok', redis: 'unused' }],
    ['dist/worker.js', { database: 'ok', migrations: 'ok', queue: 'ok' }],
  ])('shows metrics and health of %s on METRICS_PORT', async (program, parts) => {
    const database = await emptyDatabase();
    const started = start({ DATABASE_URL: database.url, PORT: '0', METRICS_PORT: '0' }, [
      process.execPath,
      program,
    ]);
    await until(() => /Metrics +\S+\/metrics\n/.test(started.output()), started);
    const url = /Metrics +(\S+)\/metrics\n/.exec(started.output())![1]!;
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', parts }]);
    expect(seriesOf(await readingsAt(url), 'posts_gateway_part_up')).toEqual({
      '{part="database"}': 1,
      '{part="migrations"}': 1,
      '{part="queue"}': 1,
    });
    started.child.kill('SIGTERM');
    expect(await started.exit).toBe(0);
    expect(started.errors()).toBe('');
    await database.drop();
  });

  it('goes on when nobody reads its log any more', async () => {
    const database = await emptyDatabase();
    const gateway = start({ DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'info' });
    await until(() => gateway.output().includes('REST v1'), gateway);
    const url = /GraphQL +(\S+)\/graphql\n/.exec(gateway.output())![1]!;
    gateway.child.stderr!.destroy();
    gateway.child.stdout!.destroy();
    for (let line = 0; line < 3; line += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await database.drop();
  });

  it('says in one line that the metrics’ port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const gateway = start({
      PORT: '0',
      METRICS_PORT: String(port),
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    });
    expect(await gateway.exit).toBe(1);
    expect(gateway.errors()).toBe(
      `posts-gateway: Cannot listen on port ${port} of 127.0.0.1: it is in use; set METRICS_PORT to another one\n`,
    );
    other.close();
  });

  it('says in one line that the metrics have the port of everything else', async () => {
    const gateway = start({ PORT: '4999', METRICS_PORT: '4999' });
    expect([await gateway.exit, gateway.errors()]).toEqual([
      1,
      'posts-gateway: METRICS_PORT is 4999, and so is PORT: give one of them another\n',
    ]);
  });

  it.each([
    ['production, unless told otherwise, and still with a playground', {}, 'production', 200],
    ['what NODE_ENV says', { NODE_ENV: 'staging' }, 'staging', 200],
    ['production, and then without a playground', { NODE_ENV: 'production' }, 'production', 404],
  ])('lets libraries run as in %s', async (_what, env, mode, playground) => {
    const database = await emptyDatabase();
    const atExit =
      'data:text/javascript,process.once("exit", () => console.log(`libraries: ${process.env.NODE_ENV}`))';
    const gateway = start({ DATABASE_URL: database.url, PORT: '0', ...env }, [
      process.execPath,
      '--import',
      atExit,
      'dist/main.js',
    ]);
    await until(() => gateway.output().includes('REST v1'), gateway);
    const url = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
    expect((await fetch(`${url}/playground`)).status).toBe(playground);
    gateway.child.kill('SIGTERM');
    await gateway.exit;
    expect(gateway.output()).toContain(`libraries: ${mode}\n`);
    await database.drop();
  });

  it('ends with `npm start`, whose shell keeps the signal to itself', async () => {
    const database = await emptyDatabase();
    const gateway = start({ DATABASE_URL: database.url, PORT: '0', npm_lifecycle_event: 'start' }, [
      'sh',
      '-c',
      `'${process.execPath}' dist/main.js; true`,
    ]);
    await until(() => gateway.output().includes('REST v1'), gateway);
    gateway.child.kill('SIGTERM');
    await gateway.exit; // which comes when the gateway, too, has let go of the output
    expect(gateway.errors()).toBe('');
    await database.drop();
  });

  it.each([
    [
      'a bad setting',
      { PORT: 'many' },
      'posts-gateway: PORT is "many": a whole number from 0 to 65535\n',
    ],
    [
      'a database that is not there',
      { PORT: '0', DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/posts' },
      /^posts-gateway: The database cannot be used: [^\n]*\n$/,
    ],
  ])('says in one line of %s', async (_what, env, line) => {
    const gateway = start(env);
    expect(await gateway.exit).toBe(1);
    expect(gateway.errors()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    expect(gateway.errors()).not.toContain('secret');
    expect(gateway.output()).toBe('');
  });

  it('says in one line that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const gateway = start({ PORT: String(port), DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    expect(await gateway.exit).toBe(1);
    expect(gateway.errors()).toBe(
      `posts-gateway: Cannot listen on port ${port} of 127.0.0.1: it is in use; set PORT to another one\n`,
    );
    other.close();
  });
});
