import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { buildWhatIsStarted, faultsOf, killStarted, start, until, type Started } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const ROUNDS = suite.number('rounds', { short: 3, quick: 8, full: 80 }[suite.form]);
jest.setTimeout(1_800_000);

beforeAll(buildWhatIsStarted);
afterEach(killStarted);

const MOST_DELAY_MS = 400;
const pause = (): Promise<void> => sleep(Math.random() * MOST_DELAY_MS);
const urlOf = ({ output }: Started): string => /http:\/\/[\d.]+:\d+/.exec(output())![0];

/** Starts a gateway on the folder, which serves when this returns. */
async function started(folder: string): Promise<Started> {
  await pause();
  const gateway = start({ DATA_DIR: folder, PORT: '0' });
  await until(() => gateway.output().includes('See it on its network'), gateway);
  return gateway;
}
/** Lets one end. */
async function stopped(gateway: Started): Promise<null> {
  await pause();
  gateway.child.kill(Math.random() < 0.5 ? 'SIGTERM' : 'SIGINT');
  expect([await gateway.exit, faultsOf(gateway)]).toEqual([0, []]);
  return null;
}

it(`two gateways on one embedded database start and stop in any order, ${ROUNDS} times, and lose nothing`, async () => {
  const folder = temporaryFolder();
  let pair: (Started | null)[] = [null, null];
  let [starts, text] = [0, ''];
  const ask = async (gateway: Started, init: RequestInit = {}): Promise<{ status: number; text: string }> => {
    const { keys, workspaceId } = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as DemoFile;
    const headers = { Authorization: `Bearer-API ${keys.owner}`, 'Service-Workspace-Id': workspaceId, 'Content-Type': 'application/json' };
    const response = await fetch(`${urlOf(gateway)}/v1/posts/${post}`, { ...init, headers });
    return { status: response.status, text: ((await response.json()) as { text: string }).text };
  };
  pair = await Promise.all(pair.map(() => started(folder)));
  const post = /\/v1\/posts\/([0-9a-f]{24})/.exec(pair[0]!.output())![1]!;

  for (let round = 0; round < ROUNDS; round += 1) {
    const changing = pair.map(() => Math.random() < 0.6);
    pair = await Promise.all(pair.map((one, place) => (changing[place] ? (one ? stopped(one) : started(folder)) : one)));
    starts += pair.filter((one, place) => changing[place] && one).length;
    const running = pair.filter((one): one is Started => one !== null);
    if (running.length === 0) expect(existsSync(path.join(folder, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    for (const gateway of running) if (text !== '') expect(await ask(gateway)).toEqual({ status: 200, text });
    if (running[0]) text = `Round ${round}`;
    if (running[0]) expect((await ask(running[0], { method: 'PUT', body: JSON.stringify({ post: { text } }) })).status).toBe(200);
  }
  await Promise.all(pair.map((one) => one && stopped(one)));
  expect([path.join('postgres', 'data', 'postmaster.pid'), 'postgres.lock'].filter((file) => existsSync(path.join(folder, file)))).toEqual([]);
  removeFolder(folder);
  suite.tell(`${ROUNDS} rounds of two gateways on one embedded database: ${starts + 2} starts`);
});
