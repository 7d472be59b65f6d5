import { inconsistencies } from '../fixtures/inconsistencies.js';
import { amiss, codeOf, insist, mutation, tally, UNCLEAR } from './asking.js';
import { anyOf, inParallel, type Stage } from './stage.js';

const CLIENTS = 24;
const SERIES = 3;
const DAY = 86_400_000;
const EXPLAINED = new Set([
  'done',
  UNCLEAR,
  'POST_NOT_FOUND',
  'RULE_VIOLATION',
  'DAILY_LIMIT_EXCEEDED',
  'FORBIDDEN',
  'CONFLICT',
]);
const CHILDREN = 'SELECT doc_id AS id FROM post WHERE parent_id = ANY($1) AND deleted_at IS NULL';

/**
 * Lets clients change the rules of series, edit their children, and delete children of several series at once, in any
 * order, through two gateways; now and then a whole series goes (D23).
 * @returns what is broken, and the figures
 */
export async function contendedSeries(
  { gateways: { db, records }, asker, members }: Stage,
  steps: number,
): Promise<{ broken: string[]; figures: string }> {
  const [owner] = members;
  const start = new Date(Math.ceil(Date.now() / DAY) * DAY + 2 * DAY);
  const account = await records.anAccount({ workspaceId: owner.workspace.id, network: 'mastodon' });
  const rule = () => ({
    repeat: anyOf(['daily', 'weekly']),
    repeatRate: anyOf([1, 2]),
    endDate: new Date(start.getTime() + anyOf([5, 10, 20]) * DAY).toISOString().slice(0, 10),
  });
  const codes: string[] = [];
  const send = async (
    gateway: number,
    field: 'updatePost' | 'deletePosts',
    input: object,
  ): Promise<string> => {
    const selection = field === 'updatePost' ? 'post { version }' : 'deletedIds';
    const code = codeOf(
      await asker.ask(gateway, mutation(anyOf(members), field, input, selection)),
    );
    codes.push(`${field} ${code}`);
    return code;
  };
  const series = await Promise.all(
    Array.from({ length: SERIES }, () => records.aPost({ by: owner, account, scheduledAt: start })),
  );
  for (const { id } of series)
    await insist(
      () => send(0, 'updatePost', { id, post: { recurring: rule() } }),
      (code) => code,
    );
  const childrenOf = async (ids: readonly number[]): Promise<string[]> =>
    (await db.pool.query<{ id: string }>(CHILDREN, [ids])).rows.map(({ id }) => id);

  await inParallel(CLIENTS, steps, async (client, step): Promise<unknown> => {
    const gateway = client + step;
    const { id, databaseId } = anyOf(series);
    const chance = Math.random();
    if (chance < 0.35) return send(gateway, 'updatePost', { id, post: { recurring: rule() } });
    if (chance < 0.5)
      return send(gateway, 'updatePost', { id, post: { text: `c${client}s${step}` } });
    const children = await childrenOf(
      chance < 0.75 ? [databaseId] : series.map((one) => one.databaseId),
    );
    if (children.length === 0) return undefined;
    if (chance < 0.75)
      return send(gateway, 'updatePost', {
        id: anyOf(children),
        post: { labels: [{ name: `c${client}` }] },
      });
    return send(gateway, 'deletePosts', {
      ids: Array.from(new Set(Array.from({ length: 5 }, () => anyOf(children)))),
    });
  });
  // The end of one series, while it is edited and its children are deleted.
  const [last] = series;
  const children = await childrenOf([last!.databaseId]);
  await Promise.all([
    insist(
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
  const wrong = amiss(
    codes.map((code) => code.split(' ').slice(1).join(' ')),
    EXPLAINED,
  );
  return {
    broken: [
      ...orphans.map((id) => `post ${id} has outlived its series`),
      ...wrong,
      ...(await inconsistencies(db.pool, [owner])),
    ],
    figures: `${CLIENTS} clients, ${SERIES} series, ${codes.length} changes: ${tally(codes)}`,
  };
}
