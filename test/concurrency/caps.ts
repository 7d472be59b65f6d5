import { capFor } from '../../src/domain/caps/daily-caps.js';
import { inconsistencies } from '../fixtures/inconsistencies.js';
import { amiss, codeOf, insist, mutation, tally, UNCLEAR } from './asking.js';
import type { Stage } from './stage.js';

const RIVALS = 40;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EXPLAINED = new Set(['done', 'DAILY_LIMIT_EXCEEDED', UNCLEAR]);

/**
 * Lets 40 posts, each on a day of its own, be moved into one day at once, through two gateways: as many get in as the
 * account's daily cap has places, and no more (D39).
 * @returns what is broken, and the figures
 */
export async function contendedCaps(
  { gateways: { db, records }, asker, members }: Stage,
  rounds: number,
): Promise<{ broken: string[]; figures: string }> {
  const [as] = members;
  const { limit } = capFor({
    network: 'youtube',
    accountType: 'channel',
    postType: 'video',
    plan: as.workspace.plan,
  });
  const [broken, codes, heard]: [string[], string[], string[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const account = await records.anAccount({
      workspaceId: as.workspace.id,
      network: 'youtube',
      type: 'channel',
    });
    const day = Date.now() + 500 * DAY;
    const posts = await Promise.all(
      Array.from({ length: RIVALS }, (_none, index) =>
        records.aPost({
          by: as,
          account,
          type: 'video',
          scheduledAt: new Date(Math.floor((Date.now() + (2 + 3 * index) * DAY) / 1000) * 1000),
        }),
      ),
    );
    const outcomes = await Promise.all(
      posts.map(async ({ id }, index) => {
        const scheduledAt = new Date(day + (index * HOUR) / 4).toISOString();
        const request = mutation(
          members[index % members.length]!,
          'updatePost',
          { id, post: { scheduledAt } },
          'post { scheduledAt }',
        );
        return insist(
          async () => codeOf(await asker.ask(index, request)),
          (code) => code,
          heard,
        );
      }),
    );
    codes.push(...outcomes);
    const {
      rows: [held],
    } = await db.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM cap_slot WHERE account_id = $1 AND at >= $2',
      [account.id, new Date(day - DAY)],
    );
    const moved = outcomes.filter((one) => one === 'done').length;
    if (moved !== limit || held!.count !== limit)
      broken.push(
        `round ${round}: ${moved} posts were moved and ${held!.count} places are held; the cap is ${limit}`,
      );
  }
  return {
    broken: [...broken, ...amiss(heard, EXPLAINED), ...(await inconsistencies(db.pool, [as]))],
    figures: `${rounds} rounds of ${RIVALS} posts for ${limit} places: ${tally(codes)}; told first: ${tally(heard)}`,
  };
}
