import { createGatewayClient, toAttempt } from '../../test/faults/gateway-client.js';
import type { Deployment } from '../../test/faults/deployment.js';
import { createLoadClient, POSTS_PER_DELETION } from '../../test/faults/load-client.js';
import { createRandom, type Random } from '../../test/faults/random.js';
import { startEventClients } from '../../test/faults/received-events.js';
import { createRequestHistory, type RequestHistory } from '../../test/faults/request-history.js';
import { beginSeries, createTestPosts } from '../../test/faults/test-posts.js';
import { findViolations } from '../../test/faults/violations.js';
import { recordsIn } from '../../test/fixtures/records.js';
import { measureProcesses } from './late-responses.js';
import { newAccounts } from '../../test/publishing/load-accounts.js';
import { createLoadUsers } from '../../test/publishing/load-clients.js';
import { runLoadClient } from '../../test/publishing/load.js';
import {
  describeViolation,
  findPublishingViolations,
  readRows,
  type PublishedRow,
} from '../../test/publishing/network-record.js';
import type { PostRecord } from '../../test/publishing/post-record.js';
import { settle } from '../../test/publishing/settle.js';

/** Clients that change and read posts, and clients that create posts which are published. */
const EDITORS = 3;
const PUBLISHERS = 2;
const POSTS_PER_ROUND = 8;
/** One of each editor, and others at random times. */
const DELETIONS_PER_ROUND = 2 * EDITORS;

/** The load on a service, and everything that was acknowledged. */
export interface FailoverLoad {
  readonly history: RequestHistory;
  readonly records: readonly PostRecord[];
  /** For each gateway: saves a change, and returns whether that was acknowledged. */
  readonly writers: readonly (() => Promise<boolean>)[];
  /** Runs `work` while posts are created, changed, deleted and published. */
  during(work: () => Promise<void>): Promise<void>;
  /** Waits until all jobs are done, and compares the database with what was acknowledged. */
  finish(): Promise<{ violations: string[]; rows: PublishedRow[] }>;
  close(): Promise<void>;
}

/** The processes under load, and how to reach their database. */
export type Service = Pick<Deployment, 'database' | 'gateways' | 'workers'>;

const FORGET_LOST_REQUESTS =
  "UPDATE idempotency SET started_at = started_at - interval '1 minute' WHERE outcome IS NULL";

/** Creates the posts of the load. */
export async function createFailoverLoad(service: Service, rounds: number): Promise<FailoverLoad> {
  const urls = service.gateways.map(({ url }) => url);
  const database = await service.database();
  const testPosts = await createTestPosts(database, {
    clients: EDITORS,
    toDelete: rounds * DELETIONS_PER_ROUND * POSTS_PER_DELETION,
  });
  const { viewer } = testPosts;
  const users = await createLoadUsers(database, urls);
  const probed = await recordsIn(database).aPost({ by: users.viewer, text: 'first' });
  await database.close();

  const history = createRequestHistory();
  const gatewayClient = createGatewayClient(urls, viewer);
  const eventClients = await startEventClients(gatewayClient, { urls, viewer, history });
  await beginSeries(gatewayClient, testPosts);
  const processes = measureProcesses(service);
  const records: PostRecord[] = [];
  const publishingViolations: string[] = [];
  const accountIds: string[] = [];
  let round = 0;
  const nextRandom = (): Random => createRandom(round * (EDITORS + PUBLISHERS) + randoms++);
  let randoms = 0;

  async function openAccounts() {
    const current = await service.database();
    const accounts = await newAccounts(current, users.viewer.workspace.id);
    await current.close();
    accountIds.push(...accounts.map(({ id }) => id));
    return accounts;
  }

  return {
    history,
    records,
    writers: urls.map((_, gateway) => async () => {
      const response = await users.owner.send(gateway, {
        method: 'PUT',
        path: `/v1/posts/${probed.id}`,
        body: { post: { text: `written by gateway ${gateway}` } },
      });
      history.attempts.push(toAttempt(response));
      return response.status === 200;
    }),
    async during(work) {
      round += 1;
      let isOver = false;
      const accounts = await openAccounts();
      const { owner, member } = users;
      const clients = [
        ...testPosts.byClient.map(async (ownPosts) => {
          const client = createLoadClient(
            { gatewayClient, history, testPosts, random: nextRandom(), isOver: () => isOver },
            ownPosts,
          );
          await client.sendEachKind();
          await client.sendUntilOver();
        }),
        ...Array.from({ length: PUBLISHERS }, () =>
          runLoadClient(
            {
              round,
              accounts,
              owner,
              member,
              records,
              violations: publishingViolations,
              isOver: () => isOver,
            },
            nextRandom(),
            POSTS_PER_ROUND,
          ),
        ),
      ];
      await work();
      isOver = true;
      // A request whose connection was lost keeps its idempotency key for 30 s.
      const current = await service.database();
      await current.pool.query(FORGET_LOST_REQUESTS);
      await current.close();
      await Promise.all(clients);
    },
    async finish() {
      const current = await service.database();
      await settle(current);
      const rows = await readRows(current, accountIds);
      for (const violation of findPublishingViolations(rows, records))
        publishingViolations.push(await describeViolation(current, violation));
      await current.close();
      processes.complete(history);
      const deployment = service;
      const found = { deployment, history, testPosts, gatewayClient, eventClients };
      return { violations: [...publishingViolations, ...(await findViolations(found))], rows };
    },
    async close() {
      await Promise.all([gatewayClient, users.owner, users.member].map((client) => client.close()));
    },
  };
}
