import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import type { OpenDatabase } from '../../src/persistence/database.js';
import type { GatewayClient } from './gateway-client.js';
import { UPDATES } from './change-formats.js';

const DAY_MS = 86_400_000;
const FUTURE_DAYS = 8;

/** Posts that only one client changes. */
export interface ClientPosts {
  readonly scheduled: readonly string[];
  readonly published: readonly string[];
  readonly series: string;
  /** A second series, whose rule the client changes. */
  readonly ruleSeries: string;
}

/** The posts that the load changes, in one workspace. */
export interface TestPosts {
  readonly viewer: KeyedViewer;
  readonly byClient: readonly ClientPosts[];
  /** Posts that all clients change. */
  readonly shared: readonly string[];
  /** Posts to delete. */
  readonly toDelete: string[];
  readonly publishedCount: number;
}

/**
 * Creates an owner on the business plan with posts in every state that the load needs. Published
 * posts are on the sandbox network.
 */
export async function createTestPosts(
  database: OpenDatabase,
  { clients, toDelete }: { clients: number; toDelete: number },
): Promise<TestPosts> {
  const records = recordsIn(database);
  const viewer = await records.aViewer({ rateLimitOverride: 1_000_000_000 });
  const workspaceId = viewer.workspace.id;
  const anAccount = () => records.anAccount({ workspaceId, network: 'mastodon', sandbox: true });
  const dateOf = (days: number): Date =>
    new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS);
  const scheduled = async (count: number): Promise<string[]> => {
    const account = await anAccount();
    const posts: string[] = [];
    for (let n = 1; n <= count; n++)
      posts.push(
        (await records.aPost({ by: viewer, account, text: 'first', scheduledAt: dateOf(n) })).id,
      );
    return posts;
  };
  const published = async (): Promise<string> =>
    (
      await records.aPost({
        by: viewer,
        account: await anAccount(),
        storedState: 'published_posted',
        text: 'first',
        remoteId: '1',
      })
    ).id;

  const byClient: ClientPosts[] = [];
  for (let client = 0; client < clients; client++) {
    const [series = '', ruleSeries = '', ...others] = await scheduled(5);
    byClient.push({
      scheduled: others,
      published: [await published(), await published()],
      series,
      ruleSeries,
    });
  }
  const others = { shared: await scheduled(2), toDelete: await scheduled(toDelete) };
  // The remaining events are those of the load, which subscribers and a webhook receive.
  await database.pool.query('DELETE FROM event WHERE workspace_id = $1', [workspaceId]);
  return {
    viewer,
    byClient,
    ...others,
    publishedCount: byClient.flatMap(({ published: ids }) => ids).length,
  };
}

/** The date in that many days, in the format of series rules: `2026-11-21`. */
export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Makes two posts of each client the parents of daily series, through the gateway. */
export async function beginSeries(
  gatewayClient: GatewayClient,
  { byClient }: TestPosts,
): Promise<void> {
  for (const id of byClient.flatMap(({ series, ruleSeries }) => [series, ruleSeries])) {
    const response = await gatewayClient.send(
      0,
      UPDATES.graphql.toRequest({
        id,
        key: null,
        patch: { recurring: { repeat: 'daily', endDate: dayAhead(FUTURE_DAYS) } },
      }),
    );
    if (UPDATES.graphql.readResult(response)?.outcome !== 'acknowledged')
      throw new Error(JSON.stringify(response.body));
  }
}
