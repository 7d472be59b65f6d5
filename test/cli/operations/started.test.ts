import { emptyDatabase } from '../../setup/database.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../../setup/started-program.js';

const COMMAND = [process.execPath, 'bin/posts-gateway.mjs'] as const;

beforeAll(buildIfChanged, 90_000);
afterEach(killStartedPrograms);

it('serve and worker run a gateway and a worker in the process of the command, and drain on SIGTERM', async () => {
  const { url, drop } = await emptyDatabase();
  const env = { DATABASE_URL: url, PORT: '0' };
  const gateway = startProgram(env, [...COMMAND, 'serve']);
  const worker = startProgram(env, [...COMMAND, 'worker']);
  await Promise.all([
    waitUntil(() => gateway.output().includes('Posts gateway is ready.'), gateway),
    waitUntil(() => worker.output().includes('worker is running'), worker),
  ]);
  const address = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  for (const { child } of [gateway, worker]) child.kill('SIGTERM');
  expect(await Promise.all([gateway.exit, worker.exit])).toEqual([0, 0]);
  expect([gateway.errors(), worker.errors()]).toEqual(['', '']);
  await drop();
});

it('exits with 1 if the result cannot be written', async () => {
  const full = startProgram({}, ['sh', '-c', `${COMMAND.join(' ')} --version > /dev/full`]);
  expect([await full.exit, full.errors()]).toEqual([
    1,
    'error: The command succeeded, but its result could not be written: ENOSPC\n',
  ]);
  const unread = startProgram({}, ['sh', '-c', `${COMMAND.join(' ')} --help | true`]);
  expect([await unread.exit, unread.errors()]).toEqual([0, '']);
});
