import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { openDescribedProxy } from '../fixtures/described-proxy.js';
import { scrapeMetrics, seriesOf } from '../fixtures/metric-series.js';
import { requestAs } from '../fixtures/gateway-processes.js';
import { recordsIn } from '../fixtures/records.js';
import { emptyDatabase, testDatabase } from '../setup/database.js';
import { freePort } from '../setup/free-port.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

// A test that fails must not leave a gateway running.
afterEach(killStartedPrograms);

const run = promisify(execFile);
const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

const HEALTHY = {
  database: 'ok',
  migrations: 'ok',
  publishing: 'ok',
  clock: 'ok',
  media: 'ok',
};

describe('node dist/main.js', () => {
  beforeAll(buildIfChanged);

  it('serves the demo on the embedded database, drains on SIGTERM, and starts again within seconds', async () => {
    const folder = temporaryFolder();
    const [port, database] = [await freePort(), { DATA_DIR: folder }];
    try {
      const first = startProgram({ ...database, PORT: String(port) });
      await waitUntil(() => isOk(`http://127.0.0.1:${port}/healthz`), first);
      await waitUntil(() => first.output().includes('See it on its network'), first);
      const commands = first
        .output()
        .split('\n')
        .filter((line) => line.startsWith('curl '));
      expect(commands).toHaveLength(4);
      const variables = first.output().match(/^(export )?(HOST|KEY|WORKSPACE)=\S+$/gm)!;
      expect(variables).toHaveLength(3);
      const list =
        'curl -sg "$HOST/v1/posts" -H "Authorization: Bearer-API $KEY" -H "Service-Workspace-Id: $WORKSPACE"';
      const listed = await run('sh', ['-ec', [...variables, list].join('\n')]);
      expect(JSON.parse(listed.stdout)).toMatchObject({ page: 0 });
      const proxy = await openDescribedProxy(`http://127.0.0.1:${port}`);
      for (const command of commands) {
        const { stdout } = await run('sh', [
          '-c',
          command.replaceAll(`http://127.0.0.1:${port}`, proxy.url),
        ]);
        expect(Object.keys(JSON.parse(stdout) as object)).not.toContain('errors');
      }
      expect(proxy.violations).toEqual([]);
      await proxy.close();
      first.child.kill('SIGTERM');
      const stoppedAt = Date.now();
      await waitUntil(async () => !(await isOk(`http://127.0.0.1:${port}/readyz`)), first);
      expect(await first.exit).toBe(0);
      expect(Date.now() - stoppedAt).toBeLessThan(10_000);

      const second = startProgram({ ...database, PORT: String(port) });
      await waitUntil(() => second.output().includes('See it on its network'), second);
      const keyOf = (output: string): string | undefined => /Demo key +(\S+)/.exec(output)?.[1];
      expect(keyOf(second.output())).toBe(keyOf(first.output()));
      second.child.kill('SIGINT');
      expect(await second.exit).toBe(0);
      expect(second.errors()).toBe('');
    } finally {
      removeFolder(folder);
    }
  });

  it('keeps file descriptors for the database when clients take all others, and says what to do', async () => {
    const { url, drop } = await emptyDatabase();
    const port = await freePort();
    const gateway = startProgram({ DATABASE_URL: url, PORT: String(port) }, [
      'bash',
      '-c',
      'ulimit -n 100; exec node dist/main.js',
    ]);
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const sockets = Array.from({ length: 120 }, () =>
      connect(port, '127.0.0.1').on('error', () => undefined),
    );
    await waitUntil(() => gateway.errors().includes('Closing new connections'), gateway);
    expect(gateway.errors()).toContain('75 are open');
    expect(gateway.errors()).toContain('Raise the limit (ulimit -n, LimitNOFILE)');
    const [first] = sockets;
    first!.write('GET /readyz HTTP/1.1\r\nHost: gateway\r\n\r\n');
    const [response] = (await once(first!, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1.1 200 /);
    for (const socket of sockets) socket.destroy();
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await drop();
  });

  it('says what it lacks when it has no file descriptor for the database', async () => {
    const database = await testDatabase();
    const viewer = await recordsIn(database).aViewer({ rateLimitOverride: 1_000_000 });
    const port = await freePort();
    const gateway = startProgram({ DATABASE_URL: database.url, PORT: String(port) }, [
      'bash',
      '-c',
      'ulimit -n 64; exec node dist/main.js', // three quarters and its own files are more
    ]);
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const request = `GET /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer-API ${viewer.apiKey}\r\nService-Workspace-Id: ${viewer.workspace.id}\r\n\r\n`;
    let answers = '';
    const sockets = Array.from({ length: 64 }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      return socket.on('data', (answer: Buffer) => {
        answers += answer.toString();
        socket.write(request);
      });
    });
    await waitUntil(() => readdirSync(`/proc/${gateway.child.pid}/fd`).length >= 64, gateway);
    // Requests at the same time need more connections to the database than are open.
    for (const socket of sockets) socket.write(request);
    const words = 'The gateway has too many open files and connections. Retry later.';
    await waitUntil(() => answers.includes(words), gateway);
    expect(answers).toContain('HTTP/1.1 503 Service Unavailable');
    const advice = 'raise the limit of open files of this process (ulimit -n, LimitNOFILE)';
    await waitUntil(() => gateway.errors().includes(advice), gateway);
    for (const socket of sockets) socket.destroy();
    const isServed = (): Promise<boolean> =>
      requestAs({ url: `http://127.0.0.1:${port}` }, viewer).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isServed, gateway);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await database.drop();
  });

  it.each([
    [
      '127.0.0.1',
      [expect.stringMatching(/^Programs at 127\.0\.0\.1 can forge X-Forwarded-For.+ Set /)],
    ],
    ['10.0.0.7', []],
  ])(
    'says at the start whether clients at the proxy %s can forge addresses',
    async (TRUSTED_PROXIES, warnings) => {
      const gateway = startProgram({
        DATABASE_URL: 'postgresql://127.0.0.1:1/none',
        TRUSTED_PROXIES,
      });
      expect(await gateway.exit).toBe(1); // there is no database
      const messages = gateway
        .errors()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
      expect(messages).toEqual(warnings);
    },
  );

  it('uses DATABASE_URL, and sets up no demo there', async () => {
    const database = await emptyDatabase();
    const gateway = startProgram({ DATABASE_URL: database.url, PORT: '0' });
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    expect(gateway.output()).not.toContain('Demo');
    // The bundler removes calls that it takes for calls without effect.
    const v1 = /REST v1 +(\S+)/.exec(gateway.output())![1]!;
    expect((await fetch(`${v1}/posts?query=%FF`)).status).toBe(400);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await database.drop();
  });

  it.each([
    ['dist/main.js', { ...HEALTHY, media_url: 'ok', redis: 'unused' }],
    ['dist/worker.js', HEALTHY],
  ])('serves metrics and health of %s on METRICS_PORT', async (program, checks) => {
    const database = await emptyDatabase();
    const folder = temporaryFolder();
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      MEDIA_BASE_URL: 'https://posts.example.com',
      PORT: '0',
      METRICS_PORT: '0',
    };
    const started = startProgram(settings, [process.execPath, program]);
    await waitUntil(() => /Metrics +\S+\/metrics\n/.test(started.output()), started);
    const url = /Metrics +(\S+)\/metrics\n/.exec(started.output())![1]!;
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', checks }]);
    expect(seriesOf(await scrapeMetrics(url), 'posts_gateway_dependency_up')).toEqual(
      Object.fromEntries(
        Object.entries(checks)
          .filter(([, status]) => status === 'ok')
          .map(([name]) => [`{dependency="${name}"}`, 1]),
      ),
    );
    started.child.kill('SIGTERM');
    expect(await started.exit).toBe(0);
    expect(started.errors()).toBe('');
    await database.drop();
    removeFolder(folder);
  });

  it('keeps running when the reader of its log is gone', async () => {
    const database = await emptyDatabase();
    const gateway = startProgram({ DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'info' });
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const url = /GraphQL +(\S+)\/graphql\n/.exec(gateway.output())![1]!;
    gateway.child.stderr!.destroy();
    gateway.child.stdout!.destroy();
    for (let line = 0; line < 3; line += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await database.drop();
  });

  it.each([
    ['production by default, with the playground', {}, 'production', 200],
    ['NODE_ENV if it is set', { NODE_ENV: 'staging' }, 'staging', 200],
    [
      'production if set, without the playground',
      { NODE_ENV: 'production', MEDIA_BASE_URL: 'https://posts.example.com' },
      'production',
      404,
    ],
  ])('runs libraries with %s', async (_what, env, mode, playground) => {
    const database = await emptyDatabase();
    const atExit =
      'data:text/javascript,process.once("exit", () => console.log(`libraries: ${process.env.NODE_ENV}`))';
    const gateway = startProgram({ DATABASE_URL: database.url, PORT: '0', ...env }, [
      process.execPath,
      '--import',
      atExit,
      'dist/main.js',
    ]);
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const url = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
    expect((await fetch(`${url}/playground`)).status).toBe(playground);
    gateway.child.kill('SIGTERM');
    await gateway.exit;
    expect(gateway.output()).toContain(`libraries: ${mode}\n`);
    await database.drop();
  });
});
