import { emptyDatabase } from '../setup/database.js';
import { buildWhatIsStarted, killStarted, start, until } from '../setup/started.js';

const COMMAND = [process.execPath, 'bin/posts-gateway.mjs'] as const;

beforeAll(buildWhatIsStarted, 90_000);
afterEach(killStarted);

it('serve and worker are the gateway and the worker, in the command’s own process, and drain on SIGTERM', async () => {
  const { url, drop } = await emptyDatabase();
  const env = { DATABASE_URL: url, PORT: '0' };
  const gateway = start(env, [...COMMAND, 'serve']);
  const worker = start(env, [...COMMAND, 'worker']);
  await Promise.all([
    until(() => gateway.output().includes('Posts gateway is ready.'), gateway),
    until(() => worker.output().includes('doing jobs'), worker),
  ]);
  const address = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  for (const { child } of [gateway, worker]) child.kill('SIGTERM');
  expect(await Promise.all([gateway.exit, worker.exit])).toEqual([0, 0]);
  expect([gateway.errors(), worker.errors()]).toEqual(['', '']);
  await drop();
}, 60_000);

it('a result that cannot be written is no success', async () => {
  const full = start({}, ['sh', '-c', `${COMMAND.join(' ')} --version > /dev/full`]);
  expect([await full.exit, full.errors()]).toEqual([
    1,
    'error: It is done, but the result could not be written: ENOSPC\n',
  ]);
  const unread = start({}, ['sh', '-c', `${COMMAND.join(' ')} --help | true`]);
  expect([await unread.exit, unread.errors()]).toEqual([0, '']);
});
