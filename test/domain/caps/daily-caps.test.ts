import { capFor, capRowsOf, DAILY_CAPS } from '../../../src/domain/caps/daily-caps.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import { PLANS, POST_TYPES, enumKeys, type PostType } from '../../../src/domain/enums.js';
import type { AccountType } from '../../../src/domain/networks/network-definition.js';

describe('capFor', () => {
  it.each<[Network, AccountType, PostType, string, [number, number, number]]>([
    ['facebook', 'page', 'status', 'post', [12, 24, 36]],
    ['facebook', 'profile', 'reel', 'post', [12, 24, 36]],
    ['facebook', 'group', 'story', 'story', [12, 24, 36]],
    ['instagram', 'business', 'photo', 'post', [15, 20, 25]],
    ['instagram', 'business', 'reel', 'post', [15, 20, 25]],
    ['instagram', 'profile', 'story', 'story', [15, 20, 25]],
    ['threads', 'profile', 'status', 'post', [150, 200, 250]],
    ['tiktok', 'profile', 'video', 'video', [15, 20, 25]],
    ['tiktok', 'profile', 'photo', 'video', [15, 20, 25]],
    ['twitter', 'profile', 'poll', 'post', [25, 50, 100]],
    ['mastodon', 'profile', 'status', 'post', [25, 50, 100]],
    ['bluesky', 'profile', 'status', 'post', [25, 50, 100]],
    ['linkedin', 'profile', 'status', 'post', [10, 12, 14]],
    ['linkedin', 'page', 'article', 'post', [12, 18, 24]],
    ['pinterest', 'profile', 'photo', 'pin', [12, 24, 36]],
    ['google', 'location', 'status', 'update', [5, 10, 15]],
    ['youtube', 'channel', 'video', 'video', [5, 10, 15]],
    ['youtube', 'channel', 'short', 'video', [5, 10, 15]],
    ['wordpress', 'blog', 'article', 'article', [12, 18, 24]],
    ['telegram', 'channel', 'status', 'message', [5, 10, 15]],
  ])('%s %s %s counts as %s', (network, accountType, postType, postKind, limits) => {
    expect(enumKeys(PLANS).map((plan) => capFor({ network, accountType, postType, plan }))).toEqual(
      limits.map((limit) => ({ postKind, limit })),
    );
  });

  it('returns a cap for every network, account type, post type and plan', () => {
    const accountTypes: AccountType[] = [
      'profile',
      'page',
      'group',
      'business',
      'channel',
      'location',
      'blog',
    ];
    for (const network of enumKeys(NETWORKS)) {
      for (const accountType of accountTypes) {
        const kinds = capRowsOf(network, accountType).map((row) => row.postKind);
        expect(new Set(kinds).size).toBe(kinds.length);
        for (const postType of enumKeys(POST_TYPES)) {
          for (const plan of enumKeys(PLANS)) {
            const cap = capFor({ network, accountType, postType, plan });
            expect(kinds).toContain(cap.postKind);
            expect(cap.limit).toBeGreaterThan(0);
          }
        }
      }
    }
  });
});

describe('DAILY_CAPS', () => {
  it('has the document’s 16 rows, for all 13 networks, with limits that do not decrease by plan', () => {
    expect(DAILY_CAPS).toHaveLength(16);
    expect(new Set(DAILY_CAPS.map((row) => row.source)).size).toBe(16);
    expect(new Set(DAILY_CAPS.map((row) => row.network))).toEqual(new Set(enumKeys(NETWORKS)));
    for (const { limits } of DAILY_CAPS)
      expect([limits.free, limits.professional, limits.business]).toEqual(
        Object.values(limits).sort((a, b) => a - b),
      );
  });
});
