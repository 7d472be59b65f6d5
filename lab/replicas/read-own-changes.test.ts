import { Redis } from 'ioredis';
import { openStream } from '../../test/fixtures/event-stream.js';
import type { KeyedViewer } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import {
  CHANGES,
  READS,
  replicatedGateways,
  type PostRequest,
  type ReplicatedGateways,
} from './replicated-gateways.js';

let servers: ReplicatedGateways;

beforeAll(async () => {
  servers = await replicatedGateways({ maxLagMs: 20_000 });
});
afterEach(async () => {
  await servers.cluster.replicas[0]!.resume();
});
afterAll(() => servers?.close());

interface Scene {
  /** The user who changes the post, and another member of the workspace. */
  readonly owner: PostRequest;
  readonly other: PostRequest;
}

/**
 * A post with the text "Before", which both users have read through both gateways. The replica
 * stands still from now on.
 */
async function aPostOnAPausedReplica(): Promise<Scene> {
  const { records, cluster } = servers;
  const as = await records.aViewer();
  const member = await records.aViewer({ workspaceId: as.workspace.id, role: 'admin' });
  const { id } = await records.aPost({ by: as, text: 'Before' });
  const scene = { owner: { as, id }, other: { as: member, id } };
  await servers.waitUntilUsed(true);
  for (const request of Object.values(scene))
    expect(await readAll(request)).toEqual(everywhere('Before'));
  await cluster.replicas[0]!.catchUp();
  await cluster.replicas[0]!.pause();
  return scene;
}

/** Reads in all ways through both gateways. */
async function readAll(request: PostRequest): Promise<string[]> {
  const reads = Object.values(READS);
  return Promise.all(
    servers.gateways.flatMap((gateway) => reads.map((read) => read(gateway, request))),
  );
}
const everywhere = (text: string): string[] =>
  Object.values(READS).flatMap(() => servers.gateways.map(() => text));

/** The other user reads the replica, which does not have the change. */
const otherReadsReplica = ({ other }: Scene): Promise<void> =>
  waitFor(async () => (await READS.detail(servers.gateways[1], other)) === 'Before');

test.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
  'shows users their own change (%s) while the replica is behind',
  async (kind) => {
    const scene = await aPostOnAPausedReplica();
    const { owner } = scene;
    await CHANGES[kind](servers.gateways[0], owner, 'After');
    expect(await readAll(owner)).toEqual(everywhere('After'));
    await otherReadsReplica(scene);

    const apiKey = await servers.records.aKey({ userId: owner.as.user.id });
    const withOtherKey: KeyedViewer = { ...owner.as, apiKey };
    expect(await readAll({ ...owner, as: withOtherKey })).toEqual(everywhere('After'));
  },
);

test('shows the change to a client that sends its position', async () => {
  const scene = await aPostOnAPausedReplica();
  const position = await CHANGES.put(servers.gateways[0], scene.owner, 'After');
  expect(position).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
  await otherReadsReplica(scene);
  const at = (text: string): PostRequest => ({
    ...scene.other,
    headers: { 'X-Database-Position': text },
  });
  expect(await readAll(at(position))).toEqual(everywhere('After'));
  // a position that no server has is only read from the primary
  expect(await readAll(at('FFFFFFFF/FFFFFFFF'))).toEqual(everywhere('After'));
  await otherReadsReplica(scene);
});

test('rejects a position that is not valid', async () => {
  const { as } = await aPostOnAPausedReplica().then(({ owner }) => owner);
  for (const text of ['', '12', '1/G', '1/123456789', '0/1, 0/2']) {
    const headers = { 'X-Database-Position': text };
    const response = await servers.gateways[0].v1('GET', '/posts', { as, headers });
    expect(response).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } });
    expect(response.body.message).toContain('X-Database-Position');
  }
});

test('shows users their own change after Redis lost its data', async () => {
  const scene = await aPostOnAPausedReplica();
  await CHANGES.mutation(servers.gateways[0], scene.owner, 'After');
  await otherReadsReplica(scene);
  const redis = new Redis(servers.redis.url);
  await redis.flushall();
  await redis.quit();
  expect(await readAll(scene.owner)).toEqual(everywhere('After'));
});

test('shows users their own change while Redis is away and after it was restarted', async () => {
  const scene = await aPostOnAPausedReplica();
  await CHANGES.mutation(servers.gateways[0], scene.owner, 'After');
  await servers.redis.stop();
  expect(await readAll(scene.owner)).toEqual(everywhere('After'));
  await servers.redis.start();
  await waitFor(
    () => servers.logged.filter((line) => line.startsWith('Redis is available again')).length >= 2,
  );
  expect(await readAll(scene.owner)).toEqual(everywhere('After'));
});

test('shows the post of a change that was listed', async () => {
  const scene = await aPostOnAPausedReplica();
  const [first] = servers.gateways;
  const changes = async (after?: string) => {
    const query =
      'query ($after: String) { changes(after: $after) { nextCursor nodes { post { text } } } }';
    const { body } = await first.graphql(query, { after }, { as: scene.other.as });
    return body.data.changes;
  };
  const { nextCursor } = await changes();
  await CHANGES.put(first, scene.owner, 'After');
  await otherReadsReplica(scene);
  const page = await changes(nextCursor);
  expect(page.nodes).toEqual([{ post: { text: 'After' } }]);
  expect(await readAll(scene.other)).toEqual(everywhere('After'));
});

test('shows the post of an event that was streamed', async () => {
  const scene = await aPostOnAPausedReplica();
  const [first, second] = servers.gateways;
  const { apiKey: key, workspace } = scene.other.as;
  const query = 'subscription { events { postId } }';
  const stream = await openStream({ url: second.url, key, workspaceId: workspace.id, query });
  await CHANGES.put(first, scene.owner, 'After');
  await stream.nextResult();
  expect(await readAll(scene.other)).toEqual(everywhere('After'));
  stream.close();
});
