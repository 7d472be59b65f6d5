import { waitFor } from '../fixtures/wait-for.js';
import { measureRunningTime } from '../fixtures/redis-connection.js';
import {
  CHANGES,
  READS,
  replicatedGateways,
  type PostRequest,
  type ReplicatedGateways,
} from './replicated-gateways.js';

jest.setTimeout(120_000);

const MAX_LAG_MS = 5_000;
/** A change that waited for a replica that is away would take longer than the maximum lag. */
const MAX_CHANGE_MS = 4_000;

let servers: ReplicatedGateways;
let post: PostRequest;

beforeAll(async () => {
  servers = await replicatedGateways({ maxLagMs: MAX_LAG_MS, listsPrimary: true });
  const as = await servers.records.aViewer();
  const { id } = await servers.records.aPost({ by: as, text: 'Text' });
  post = { as, id };
});
afterAll(() => servers?.close());

test('a listed server that is the primary is no replica, and counts as none that is left out', async () => {
  const { host } = new URL(servers.cluster.url);
  await servers.waitUntilUsed(true); // the metric has only the replica
  await waitFor(() =>
    servers.logged.includes(`The read replica ${host} is not used: it is the primary`),
  );
  for (const gateway of servers.gateways) expect(await READS.query(gateway, post)).toBe('Text');
});

test('without Redis, changes do not wait for a listed server that is the primary', async () => {
  await servers.waitUntilUsed(true);
  await servers.redis.stop();
  try {
    const { ms } = await measureRunningTime(() =>
      CHANGES.put(servers.gateways[0], post, 'Changed'),
    );
    expect(ms).toBeLessThan(MAX_CHANGE_MS);
    for (const gateway of servers.gateways)
      expect(await READS.query(gateway, post)).toBe('Changed');
  } finally {
    await servers.redis.start();
  }
});
