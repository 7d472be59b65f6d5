import { setTimeout as sleep } from 'node:timers/promises';
import { openStream } from '../../test/fixtures/event-stream.js';
import type { KeyedViewer } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { suite } from '../../test/setup/suite.js';
import {
  aReplicatedClient,
  repeatIfUnavailable,
  type ReplicatedClient,
} from './replicated-client.js';
import { replicatedGateways, type ReplicatedGateways } from './replicated-gateways.js';

const CLIENTS = 64;
const SECONDS = { short: 8, quick: 60, full: 600 }[suite.length];
/** Shorter than the pauses of the replica: it is left out during some of them. */
const MAX_LAG_MS = 1_000;
const MAX_PAUSE_MS = 1_500;
/** Clients whose changes other members follow, in each way. */
const FOLLOWED = 4;
const POLL_MS = 50;

jest.setTimeout(180_000 + SECONDS * 1_000);

let servers: ReplicatedGateways;

beforeAll(async () => {
  servers = await replicatedGateways({ maxLagMs: MAX_LAG_MS });
});
afterAll(() => servers?.close());

/** A member who follows the changes of a client. */
interface Follower {
  /** What they know, and what is correct, as text. */
  state(): { readonly known: string; readonly correct: string };
  close(): Promise<void>;
}

/** Another member of the workspace. */
const memberOf = ({ as }: ReplicatedClient): Promise<KeyedViewer> =>
  servers.records.aViewer({ workspaceId: as.workspace.id, role: 'admin' });

/** Receives the events of a client, which must be its acknowledged changes, each once and in order. */
async function subscriberOf(client: ReplicatedClient): Promise<Follower> {
  const { apiKey: key, workspace } = await memberOf(client);
  const stream = await openStream({
    url: servers.gateways[0].url,
    key,
    workspaceId: workspace.id,
    query: 'subscription { events { type postId } }',
  });
  const received: string[] = [];
  void (async () => {
    for (;;) {
      const { type, postId } = (await stream.nextResult()).data.events;
      // a post is created and scheduled at once
      if (type !== 'POST_SCHEDULED') received.push(`${type} ${postId}`);
    }
  })().catch(() => undefined); // the stream has ended: events are missing if it was too early
  return {
    state: () => ({ known: received.join('\n'), correct: client.acknowledged.join('\n') }),
    close: async () => stream.close(),
  };
}

/** Keeps a copy of the posts of a client, which must be complete at the end. */
async function copierOf(client: ReplicatedClient): Promise<Follower> {
  const as = await memberOf(client);
  const copy = new Map(client.texts);
  let after: string | undefined;
  let isOver = false;
  let pages = 0;
  const readPage = async (): Promise<void> => {
    const page = await repeatIfUnavailable(async () => {
      const { body } = await servers.gateways[pages++ % 2]!.graphql(
        'query ($after: String) { changes(after: $after) { nextCursor nodes { kind postId post { text } } } }',
        { after },
        { as },
      );
      if (body.errors) throw new Error(JSON.stringify(body.errors));
      return body.data.changes;
    });
    after = page.nextCursor;
    for (const { kind, postId, post } of page.nodes) {
      if (kind === 'DELETED') copy.delete(postId);
      else if (post) copy.set(postId, post.text);
    }
  };
  await readPage();
  const ended = (async () => {
    while (!isOver) {
      await readPage();
      await sleep(POLL_MS);
    }
  })();
  return {
    state: () => ({
      known: JSON.stringify([...copy].sort()),
      correct: JSON.stringify([...client.texts].sort()),
    }),
    async close() {
      isOver = true;
      await ended;
    },
  };
}

test(`${CLIENTS} clients read every change that was acknowledged, and followers miss none`, async () => {
  const replica = servers.cluster.replicas[0]!;
  const clients: ReplicatedClient[] = [];
  for (let n = 0; n < CLIENTS; n++) clients.push(await aReplicatedClient(servers));
  const followers: Follower[] = [];
  for (const client of clients.slice(0, FOLLOWED)) followers.push(await subscriberOf(client));
  for (const client of clients.slice(-FOLLOWED)) followers.push(await copierOf(client));
  await servers.waitUntilUsed(true);
  const transactionsBefore = await replica.transactions();
  const deadline = performance.now() + SECONDS * 1_000;
  const staleReads: string[] = [];
  const isOver = (): boolean => performance.now() >= deadline || staleReads.length > 0;
  let reads = 0;

  async function run(client: ReplicatedClient): Promise<void> {
    while (!isOver()) {
      await client.change();
      for (let n = Math.floor(Math.random() * 6); n >= 0; n--) {
        const staleRead = await client.read();
        if (staleRead !== null) staleReads.push(staleRead);
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
  const states = () => followers.map((follower) => follower.state());
  await waitFor(() => states().every(({ known, correct }) => known === correct)).catch(() =>
    expect(states().map(({ known }) => known)).toEqual(states().map(({ correct }) => correct)),
  );
  await Promise.all(followers.map((follower) => follower.close()));
  const changes = clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  await sleep(1_000); // until the replica has counted its transactions
  const onReplica = (await replica.transactions()) - transactionsBefore;
  suite.report(`${changes} changes, ${reads} reads, ${onReplica} transactions on the replica`);
  expect(changes).toBeGreaterThanOrEqual(CLIENTS);
  expect(onReplica).toBeGreaterThan(0);
});
