import { DAILY_CAPS } from '../../src/domain/caps/daily-caps.js';
import { code, codes, page, table } from './markdown.js';

/** docs/reference/caps.md: how many posts an account can publish per day. */
export const capsPage = (): string =>
  page(
    'Daily caps',
    'An account can publish a limited number of posts in any 24-hour period. The limit depends on the plan of the workspace owner. Each row of the table is a separate cap, which applies to each account separately. Scheduled posts, published posts and the future occurrences of a series each count toward the cap at their own time. Drafts, failed posts, imported posts and deleted posts do not count. The last column names the row of the [interface document](../client-basics.md#errors-usererrors-and-errors) that defines the cap.',
    table(
      [
        'network',
        'post kind',
        'account types',
        'post types',
        'free',
        'professional',
        'business',
        'interface document',
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
    'If a change would exceed a cap in any 24-hour period, the gateway rejects it with DAILY_LIMIT_EXCEEDED. The message states the next time at which the cap allows another post. To see how much of each cap is left, query `accounts { dailyCaps { postKind limit used remaining nextFreeAt } }`.',
  );

/** The text for a row without post types: another row of the network may count some types. */
const remainingTypesOf = (network: string): string =>
  DAILY_CAPS.some((row) => row.network === network && row.postTypes !== null)
    ? 'all others'
    : 'all';
