import { DAILY_CAPS } from '../../src/domain/caps/daily-caps.js';
import { code, codes, page, table } from './markdown.js';

/** docs/reference/caps.md: how many posts a day. */
export const capsPage = (): string =>
  page(
    'Daily caps',
    'How many posts an account may publish in any 24 hours (rolling, UTC), by the plan of the workspace’s owner. Each account has a count of its own for each row. Scheduled and published posts and the future posts of series count by their dates; drafts, failed, imported and removed posts do not.',
    table(
      [
        'network',
        'what is counted',
        'accounts',
        'types',
        'free',
        'professional',
        'business',
        'row of the interface document',
      ],
      DAILY_CAPS.map(({ network, postKind, accountTypes, postTypes, limits, source }) => [
        code(network),
        code(postKind),
        codes(accountTypes),
        postTypes ? codes(postTypes) : othersOf(network),
        limits.free,
        limits.professional,
        limits.business,
        source,
      ]),
    ),
    'A change that would put more than that into any 24 hours is refused with DAILY_LIMIT_EXCEEDED, which tells the next free time. How much is left: `accounts { dailyCaps { postKind limit used remaining nextFreeAt } }`.',
  );

/** Whether a network counts some types in another row. */
const othersOf = (network: string): string =>
  DAILY_CAPS.some((row) => row.network === network && row.postTypes !== null)
    ? 'all others'
    : 'all';
