import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import { mutation } from './gateway-client.js';
import { UNAVAILABLE, codeOf, countEach, retryUntilKnown, unexpectedCodes } from './outcomes.js';
import { randomOf, runClients, type TestEnvironment } from './environment.js';

const CLIENTS = 24;
const SERIES = 3;
const DAY = 86_400_000;
const EXPECTED_CODES = new Set([
  'done',
  UNAVAILABLE,
  'POST_NOT_FOUND',
  'RULE_VIOLATION',
  'DAILY_LIMIT_EXCEEDED',
  'FORBIDDEN',
  'CONFLICT',
]);
const CHILDREN_SQL =
  'SELECT doc_id AS id FROM post WHERE parent_id = ANY($1) AND deleted_at IS NULL';

/**
 * Lets clients change the rules of series, edit their children, and delete children of several
 * series concurrently, in random order, through two gateways. At the end one series is deleted
 * meanwhile (D23).
 * @returns the violations and a summary of the run
 */
export async function contendedSeries(
  { gateways: { db, records }, gatewayClient, members }: TestEnvironment,
  steps: number,
): Promise<{ violations: string[]; summary: string }> {
  const [owner] = members;
  const start = new Date(Math.ceil(Date.now() / DAY) * DAY + 2 * DAY);
  const account = await records.anAccount({ workspaceId: owner.workspace.id, network: 'mastodon' });
  const rule = () => ({
    repeat: randomOf(['daily', 'weekly']),
    repeatRate: randomOf([1, 2]),
    endDate: new Date(start.getTime() + randomOf([5, 10, 20]) * DAY).toISOString().slice(0, 10),
  });
  const codes: string[] = [];
  const send = async (
    gateway: number,
    field: 'updatePost' | 'deletePosts',
    input: object,
  ): Promise<string> => {
    const selection = field === 'updatePost' ? 'post { version }' : 'deletedIds';
    const code = codeOf(
      await gatewayClient.send(gateway, mutation(randomOf(members), field, input, selection)),
    );
    codes.push(`${field} ${code}`);
    return code;
  };
  const series = await Promise.all(
    Array.from({ length: SERIES }, () => records.aPost({ by: owner, account, scheduledAt: start })),
  );
  for (const { id } of series)
    await retryUntilKnown(
      () => send(0, 'updatePost', { id, post: { recurring: rule() } }),
      (code) => code,
    );
  const childrenOf = async (ids: readonly number[]): Promise<string[]> =>
    (await db.pool.query<{ id: string }>(CHILDREN_SQL, [ids])).rows.map(({ id }) => id);

  await runClients(CLIENTS, steps, async (client, step): Promise<unknown> => {
    const gateway = client + step;
    const { id, databaseId } = randomOf(series);
    const random = Math.random();
    if (random < 0.35) return send(gateway, 'updatePost', { id, post: { recurring: rule() } });
    if (random < 0.5)
      return send(gateway, 'updatePost', { id, post: { text: `c${client}s${step}` } });
    const children = await childrenOf(
      random < 0.75 ? [databaseId] : series.map((parent) => parent.databaseId),
    );
    if (children.length === 0) return undefined;
    if (random < 0.75)
      return send(gateway, 'updatePost', {
        id: randomOf(children),
        post: { labels: [{ name: `c${client}` }] },
      });
    return send(gateway, 'deletePosts', {
      ids: Array.from(new Set(Array.from({ length: 5 }, () => randomOf(children)))),
    });
  });
  // Deletes one series while it is edited and its children are deleted.
  const [last] = series;
  const children = await childrenOf([last!.databaseId]);
  await Promise.all([
    retryUntilKnown(
      () => send(0, 'deletePosts', { ids: [last!.id] }),
      (code) => code,
    ),
    send(1, 'updatePost', {
      id: last!.id,
      post: { recurring: { repeat: 'daily', repeatRate: 1 } },
    }),
    send(1, 'updatePost', { id: last!.id, post: { text: 'late' } }),
    ...(children.length > 0
      ? [
          send(1, 'deletePosts', { ids: [...children].reverse() }),
          send(0, 'updatePost', { id: children[0], post: { text: 'alone' } }),
        ]
      : []),
  ]);
  const orphans = await childrenOf([last!.databaseId]);
  const unexpected = unexpectedCodes(
    codes.map((code) => code.split(' ').slice(1).join(' ')),
    EXPECTED_CODES,
  );
  return {
    violations: [
      ...orphans.map((id) => `post ${id} has outlived its series`),
      ...unexpected,
      ...(await dataInconsistencies(db, [owner])),
    ],
    summary: `${CLIENTS} clients, ${SERIES} series, ${codes.length} changes: ${countEach(codes)}`,
  };
}
