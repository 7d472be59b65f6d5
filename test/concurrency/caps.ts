import { capFor } from '../../src/domain/caps/daily-caps.js';
import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import { mutation } from './gateway-client.js';
import { UNAVAILABLE, codeOf, countEach, retryUntilKnown, unexpectedCodes } from './outcomes.js';
import type { TestEnvironment } from './environment.js';

const POSTS = 40;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EXPECTED_CODES = new Set(['done', 'DAILY_LIMIT_EXCEEDED', UNAVAILABLE]);

/**
 * Moves 40 posts, each on a separate day, into one day concurrently through two gateways: as many
 * are accepted as the daily cap of the account allows (D39).
 * @returns the violations and a summary of the run
 */
export async function contendedCaps(
  { gateways: { db, records }, gatewayClient, members }: TestEnvironment,
  rounds: number,
): Promise<{ violations: string[]; summary: string }> {
  const [as] = members;
  const { limit } = capFor({
    network: 'youtube',
    accountType: 'channel',
    postType: 'video',
    plan: as.workspace.plan,
  });
  const [violations, codes, firstCodes]: [string[], string[], string[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const account = await records.anAccount({
      workspaceId: as.workspace.id,
      network: 'youtube',
      type: 'channel',
    });
    const day = Date.now() + 500 * DAY;
    const posts = await Promise.all(
      Array.from({ length: POSTS }, (_none, index) =>
        records.aPost({
          by: as,
          account,
          type: 'video',
          text: `Video ${index}`,
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
        return retryUntilKnown(
          async () => codeOf(await gatewayClient.send(index, request)),
          (code) => code,
          firstCodes,
        );
      }),
    );
    codes.push(...outcomes);
    const {
      rows: [stored],
    } = await db.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM cap_slot WHERE account_id = $1 AND at >= $2',
      [account.id, new Date(day - DAY)],
    );
    const moved = outcomes.filter((code) => code === 'done').length;
    if (moved !== limit || stored!.count !== limit)
      violations.push(
        `round ${round}: ${moved} posts moved and ${stored!.count} cap slots stored; the cap is ${limit}`,
      );
  }
  return {
    violations: [
      ...violations,
      ...unexpectedCodes(firstCodes, EXPECTED_CODES),
      ...(await dataInconsistencies(db, [as])),
    ],
    summary: `${rounds} rounds of ${POSTS} posts with a cap of ${limit}: ${countEach(codes)}; first responses: ${countEach(firstCodes)}`,
  };
}
