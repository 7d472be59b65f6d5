import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../../src/demo/demo-file.js';
import {
  buildIfChanged,
  errorLinesOf,
  killStartedPrograms,
  startProgram,
  waitUntil,
  type StartedProgram,
} from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const ROUNDS = suite.number('rounds', { short: 1, quick: 8, full: 80 }[suite.length]);
jest.setTimeout(1_800_000);

beforeAll(buildIfChanged);
afterEach(killStartedPrograms);

const MAX_DELAY_MS = 400;
const pause = (): Promise<void> => sleep(Math.random() * MAX_DELAY_MS);
const urlOf = ({ output }: StartedProgram): string => /http:\/\/[\d.]+:\d+/.exec(output())![0];

/** Starts a gateway on the folder and waits until it serves. */
async function startGateway(folder: string): Promise<StartedProgram> {
  await pause();
  const gateway = startProgram({ DATA_DIR: folder, PORT: '0' });
  await waitUntil(() => gateway.output().includes('See it on its network'), gateway);
  return gateway;
}
/** Stops a gateway with a random signal. It must exit without an error. */
async function stopGateway(gateway: StartedProgram): Promise<null> {
  await pause();
  gateway.child.kill(Math.random() < 0.5 ? 'SIGTERM' : 'SIGINT');
  expect([await gateway.exit, errorLinesOf(gateway)]).toEqual([0, []]);
  return null;
}

/**
 * Which of the two starts first, and which stops first: the one that started PostgreSQL or the
 * other one.
 */
const ORDERS = (
  [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
  ] as const
).slice(0, suite.length === 'short' ? 2 : 4);

it(`two gateways on one embedded database start and stop in every order, and ${ROUNDS} times at random, without losing a change`, async () => {
  const folder = temporaryFolder();
  const gateways: (StartedProgram | null)[] = [null, null];
  let [starts, text, post] = [0, '', ''];
  const send = async (
    gateway: StartedProgram,
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
  const toggle = async (index: number): Promise<void> => {
    const gateway = gateways[index];
    gateways[index] = gateway ? await stopGateway(gateway) : await startGateway(folder);
    if (!gateway) starts += 1;
  };
  const running = (): StartedProgram[] => gateways.filter((gateway) => gateway !== null);
  const expectTextKept = async (): Promise<void> => {
    for (const gateway of running()) expect(await send(gateway)).toEqual({ status: 200, text });
  };
  const change = async (to: string): Promise<void> => {
    await expectTextKept();
    text = to;
    expect(
      (await send(running()[0]!, { method: 'PUT', body: JSON.stringify({ post: { text } }) }))
        .status,
    ).toBe(200);
    await expectTextKept();
  };
  const expectNothingLeft = (): void =>
    expect(
      [path.join('postgres', 'data', 'postmaster.pid'), 'postgres.lock'].filter((file) =>
        existsSync(path.join(folder, file)),
      ),
    ).toEqual([]);

  await toggle(0);
  post = /\/v1\/posts\/([0-9a-f]{24})/.exec(gateways[0]!.output())![1]!;
  ({ text } = await send(gateways[0]!));
  await toggle(0);
  for (const [first, firstToStop] of ORDERS) {
    await toggle(first);
    await change(`only ${first} is running`);
    await toggle(1 - first);
    await change(`${first} and ${1 - first} are running`);
    await toggle(firstToStop);
    await change(`${1 - firstToStop} is still running`);
    await toggle(1 - firstToStop);
    expectNothingLeft();
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const toToggle = round === 0 ? [0, 1] : [0, 1].filter(() => Math.random() < 0.6);
    await Promise.all(toToggle.map(toggle));
    if (running().length === 0) expectNothingLeft();
    else await change(`Round ${round}`);
  }
  await Promise.all([0, 1].filter((index) => gateways[index]).map(toggle));
  expectNothingLeft();
  await toggle(0);
  await expectTextKept();
  await toggle(0);
  removeFolder(folder);
  suite.report(
    `${ORDERS.length} orders and ${ROUNDS} rounds of two gateways on one embedded database: ${starts} starts`,
  );
});
