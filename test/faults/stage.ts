import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import type { Database } from '../../src/persistence/database.js';
import type { Asker } from './asking.js';
import { UPDATES } from './changes.js';

const DAY_MS = 86_400_000;
const FUTURE_DAYS = 8;

/** What one client changes, and nobody else does. */
export interface Own {
  readonly planned: readonly string[];
  readonly published: readonly string[];
  readonly series: string;
  /** Another series, whose rule is changed. */
  readonly ruled: string;
}

/** The posts that the load changes, in one workspace. */
export interface Stage {
  readonly viewer: KeyedViewer;
  readonly own: readonly Own[];
  /** That everybody changes. */
  readonly shared: readonly string[];
  /** To be deleted, three at a time. */
  readonly doomed: string[];
  readonly publishedCount: number;
}

/** An owner on the business plan with posts in every state that the load needs; published ones are on the sandbox network. */
export async function aStage(
  database: Pick<Database, 'pool' | 'prisma'>,
  { clients, doomed }: { clients: number; doomed: number },
): Promise<Stage> {
  const records = recordsIn(database);
  const viewer = await records.aViewer({ rateLimitOverride: 1_000_000_000 });
  const workspaceId = viewer.workspace.id;
  const anAccount = () => records.anAccount({ workspaceId, network: 'mastodon', sandbox: true });
  const dateOf = (days: number): Date =>
    new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS);
  const planned = async (count: number): Promise<string[]> => {
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
        cell: 'published_posted',
        text: 'first',
        remoteId: '1',
      })
    ).id;

  const own: Own[] = [];
  for (let client = 0; client < clients; client++) {
    const [series = '', ruled = '', ...others] = await planned(5);
    own.push({ planned: others, published: [await published(), await published()], series, ruled });
  }
  return {
    viewer,
    own,
    shared: await planned(2),
    doomed: await planned(doomed),
    publishedCount: own.flatMap((one) => one.published).length,
  };
}

/** A date so many days from now, as rules take it: `2026-11-21`. */
export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Lets two posts of each client become series with a child for each day, through the gateway. */
export async function beginSeries(asker: Asker, { own }: Stage): Promise<void> {
  for (const id of own.flatMap(({ series, ruled }) => [series, ruled])) {
    const answer = await asker.ask(
      0,
      UPDATES.graphql.write({
        id,
        key: null,
        patch: { recurring: { repeat: 'daily', endDate: dayAhead(FUTURE_DAYS) } },
      }),
    );
    if (UPDATES.graphql.read(answer)?.outcome !== 'done')
      throw new Error(JSON.stringify(answer.body));
  }
}
