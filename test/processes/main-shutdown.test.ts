import { setTimeout as sleep } from 'node:timers/promises';
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

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

describe('shutting down node dist/main.js', () => {
  beforeAll(buildIfChanged);

  it.each([0, 300, 900, 2_000])(
    'exits cleanly on a signal %d ms after /healthz responds on METRICS_PORT, and starts again',
    async (ms) => {
      const folder = temporaryFolder();
      const port = await freePort();
      try {
        const interrupted = startProgram({
          DATA_DIR: folder,
          PORT: '0',
          METRICS_PORT: String(port),
        });
        await waitUntil(() => isOk(`http://127.0.0.1:${port}/healthz`), interrupted);
        await sleep(ms);
        interrupted.child.kill('SIGTERM');
        expect([await interrupted.exit, interrupted.errors()]).toEqual([0, '']);
        const restarted = startProgram({ DATA_DIR: folder, PORT: '0' });
        await waitUntil(() => restarted.output().includes('See it on its network'), restarted);
        restarted.child.kill('SIGINT');
        restarted.child.kill('SIGINT'); // the second signal has no effect
        expect([await restarted.exit, restarted.errors()]).toEqual([0, '']);
      } finally {
        removeFolder(folder);
      }
    },
  );

  it('on SIGTERM fails /readyz immediately, finishes active requests, and accepts no new connections', async () => {
    const database = await testDatabase();
    const { apiKey, workspace } = await recordsIn(database).aViewer();
    const gateway = startProgram({ DATABASE_URL: database.url, PORT: '0' });
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const url = /GraphQL +(\S+)\/graphql\n/.exec(gateway.output())![1]!;
    const client = await database.pool.connect();
    await client.query('BEGIN; LOCK TABLE post IN ACCESS EXCLUSIVE MODE');
    const active = fetch(`${url}/v1/posts`, {
      headers: { Authorization: `Bearer-API ${apiKey}`, 'Service-Workspace-Id': workspace.id },
    });
    const isBlocked = async (): Promise<boolean> =>
      (
        await database.pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).rowCount! > 0;
    await waitUntil(isBlocked, gateway);
    gateway.child.kill('SIGTERM');
    await waitUntil(async () => !(await isOk(`${url}/readyz`)), gateway);
    await waitUntil(
      () =>
        fetch(`${url}/healthz`).then(
          () => false,
          () => true,
        ),
      gateway,
    );
    await client.query('COMMIT');
    client.release();
    expect((await active).status).toBe(200);
    expect([await gateway.exit, gateway.errors()]).toEqual([0, '']);
    await database.drop();
  });

  it('exits with `npm start`, whose shell does not forward signals', async () => {
    const database = await emptyDatabase();
    const gateway = startProgram(
      { DATABASE_URL: database.url, PORT: '0', npm_lifecycle_event: 'start' },
      ['sh', '-c', `'${process.execPath}' dist/main.js; true`],
    );
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    gateway.child.kill('SIGTERM');
    await gateway.exit; // resolves when the gateway has closed its output, too
    expect(gateway.errors()).toBe('');
    await database.drop();
  });
});
