import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../../src/demo/demo-file.js';
import {
  buildWhatIsStarted,
  faultsOf,
  killStarted,
  start,
  until,
  type Started,
} from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const ROUNDS = suite.number('rounds', { short: 1, quick: 8, full: 80 }[suite.form]);
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

/** Which of two starts first, and which stops first: the one that started PostgreSQL, or the one that came to it. */
const ORDERS = (
  [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
  ] as const
).slice(0, suite.form === 'short' ? 2 : 4);

it(`two gateways on one embedded database start and stop in every order, and ${ROUNDS} times by chance, and lose nothing`, async () => {
  const folder = temporaryFolder();
  const pair: (Started | null)[] = [null, null];
  let [starts, text, post] = [0, '', ''];
  const ask = async (
    gateway: Started,
    init: RequestInit = {},
  ): Promise<{ status: number; text: string }> => {
    const { keys, workspaceId } = JSON.parse(
      readFileSync(path.join(folder, 'demo.json'), 'utf8'),
    ) as DemoFile;
    const headers = {
      Authorization: `Bearer-API ${keys.owner}`,
      'Service-Workspace-Id': workspaceId,
      'Content-Type': 'application/json',
    };
    const response = await fetch(`${urlOf(gateway)}/v1/posts/${post}`, { ...init, headers });
    return { status: response.status, text: ((await response.json()) as { text: string }).text };
  };
  const turn = async (place: number): Promise<void> => {
    const one = pair[place];
    pair[place] = one ? await stopped(one) : await started(folder);
    if (!one) starts += 1;
  };
  const running = (): Started[] => pair.filter((one) => one !== null);
  const isKept = async (): Promise<void> => {
    for (const gateway of running()) expect(await ask(gateway)).toEqual({ status: 200, text });
  };
  const change = async (to: string): Promise<void> => {
    await isKept();
    text = to;
    expect(
      (await ask(running()[0]!, { method: 'PUT', body: JSON.stringify({ post: { text } }) }))
        .status,
    ).toBe(200);
    await isKept();
  };
  const isAtRest = (): void =>
    expect(
      [path.join('postgres', 'data', 'postmaster.pid'), 'postgres.lock'].filter((file) =>
        existsSync(path.join(folder, file)),
      ),
    ).toEqual([]);

  await turn(0);
  post = /\/v1\/posts\/([0-9a-f]{24})/.exec(pair[0]!.output())![1]!;
  ({ text } = await ask(pair[0]!));
  await turn(0);
  for (const [first, firstToStop] of ORDERS) {
    await turn(first);
    await change(`${first} is alone`);
    await turn(1 - first);
    await change(`${first} and then ${1 - first}`);
    await turn(firstToStop);
    await change(`${1 - firstToStop} is left`);
    await turn(1 - firstToStop);
    isAtRest();
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const changing = round === 0 ? [0, 1] : [0, 1].filter(() => Math.random() < 0.6);
    await Promise.all(changing.map(turn));
    if (running().length === 0) isAtRest();
    else await change(`Round ${round}`);
  }
  await Promise.all([0, 1].filter((place) => pair[place]).map(turn));
  isAtRest();
  await turn(0);
  await isKept();
  await turn(0);
  removeFolder(folder);
  suite.tell(
    `${ORDERS.length} orders and ${ROUNDS} rounds of two gateways on one embedded database: ${starts} starts`,
  );
});
