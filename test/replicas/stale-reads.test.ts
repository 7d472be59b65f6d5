import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from '../setup/suite.js';
import {
  CHANGES,
  READS,
  replicatedGateways,
  type PostRequest,
  type ReplicatedGateways,
} from './replicated-gateways.js';

const CLIENTS = 64;
const SECONDS = { short: 8, quick: 60, full: 600 }[suite.length];
/** Shorter than the pauses of the replica: it is left out during some of them. */
const MAX_LAG_MS = 1_000;
const MAX_PAUSE_MS = 1_500;

jest.setTimeout(180_000 + SECONDS * 1_000);

let servers: ReplicatedGateways;

beforeAll(async () => {
  servers = await replicatedGateways({ maxLagMs: MAX_LAG_MS });
});
afterAll(() => servers?.close());

const randomOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;

/** A busy gateway rejects requests. A change that may have been saved has the same effect again. */
async function repeatIfUnavailable<T>(request: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await request();
    } catch (error) {
      if (!/UNAVAILABLE|^503/.test((error as Error).message)) throw error;
      await sleep(50);
    }
}

/** A user with a post that only this user changes: the text is the number of the change. */
interface Client extends PostRequest {
  acknowledged: number;
}

test(`${CLIENTS} clients read every change that was acknowledged`, async () => {
  const replica = servers.cluster.replicas[0]!;
  const clients: Client[] = [];
  for (let n = 0; n < CLIENTS; n++) {
    const as = await servers.records.aViewer();
    const { id } = await servers.records.aPost({ by: as, text: '0' });
    clients.push({ as, id, acknowledged: 0 });
  }
  await servers.waitUntilUsed(true);
  const transactionsBefore = await replica.transactions();
  const deadline = performance.now() + SECONDS * 1_000;
  const staleReads: string[] = [];
  const isOver = (): boolean => performance.now() >= deadline || staleReads.length > 0;
  let reads = 0;

  async function run(client: Client): Promise<void> {
    while (!isOver()) {
      const text = String(client.acknowledged + 1);
      await repeatIfUnavailable(() =>
        randomOf(Object.values(CHANGES))(randomOf(servers.gateways), client, text),
      );
      client.acknowledged += 1;
      for (let n = Math.floor(Math.random() * 6); n >= 0; n--) {
        const read = randomOf(Object.values(READS));
        const found = await repeatIfUnavailable(() => read(randomOf(servers.gateways), client));
        if (found !== text) staleReads.push(`${read.name}: ${found} instead of ${text}`);
        reads += 1;
      }
    }
  }
  async function disturb(): Promise<void> {
    while (!isOver()) {
      await replica.pause();
      await sleep(Math.random() * MAX_PAUSE_MS);
      await replica.resume();
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
  await Promise.all([...clients.map(run), disturb()]);

  expect(staleReads).toEqual([]);
  const changes = clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  await sleep(1_000); // until the replica has counted its transactions
  const onReplica = (await replica.transactions()) - transactionsBefore;
  suite.report(`${changes} changes, ${reads} reads, ${onReplica} transactions on the replica`);
  expect(changes).toBeGreaterThanOrEqual(CLIENTS);
  expect(onReplica).toBeGreaterThan(0);
});
