import { DAILY_CAPS } from '../../src/domain/caps/daily-caps.js';
import { code, codes, page, table } from './markdown.js';

/** docs/reference/caps.md: how many posts an account can publish per day. */
export const capsPage = (): string =>
  page(
    'Daily caps',
    'Maximum posts per account in any 24 hours (rolling, UTC), by the plan of the workspace owner. Each row is counted separately for each account. Scheduled posts, published posts and the future occurrences of a series count on their dates. Drafts and failed, imported or deleted posts do not count.',
    table(
      [
        'network',
        'post kind',
        'account types',
        'post types',
        'free',
        'professional',
        'business',
        'row of the interface document',
      ],
      DAILY_CAPS.map(({ network, postKind, accountTypes, postTypes, limits, source }) => [
        code(network),
        code(postKind),
        codes(accountTypes),
        postTypes ? codes(postTypes) : remainingTypesOf(network),
        limits.free,
        limits.professional,
        limits.business,
        source,
      ]),
    ),
    'A change that would exceed a cap in any 24 hours is rejected with DAILY_LIMIT_EXCEEDED; the message contains the next free time. To query what is left: `accounts { dailyCaps { postKind limit used remaining nextFreeAt } }`.',
  );

/** The text for a row without post types: another row of the network may count some types. */
const remainingTypesOf = (network: string): string =>
  DAILY_CAPS.some((row) => row.network === network && row.postTypes !== null)
    ? 'all others'
    : 'all';
