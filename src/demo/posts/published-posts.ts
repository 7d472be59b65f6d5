import { NETWORKS } from '../../domain/networks/networks.js';
import type { PostAnalytics } from '../../domain/posts/post.js';
import type { DemoDates } from '../demo-dates.js';
import type { DemoWorkspace } from '../demo-workspace.js';
import type { PostSpec } from './post-builder.js';
import { creatorAt, NETWORK_POST_TYPES, typeAt, type PostGroup } from './post-creators.js';
import { SLOW_ACCOUNT } from '../workspace-definitions.js';

/**
 * Two published posts of every type of each network, and posts that were deleted or hidden on their
 * network.
 */
export const publishedPosts: PostGroup = ({ past }) => [
  ...[0, 1].flatMap((round) =>
    NETWORK_POST_TYPES.map((networkAndType, i): PostSpec => ({
      ...networkAndType,
      storedState: 'published_posted',
      creator: creatorAt(i + round),
      scheduledAt: past(2 * i + round),
    })),
  ),
  ...(['published_deleted', 'published_hidden'] as const).flatMap((storedState) =>
    [0, 1, 2].map((n): PostSpec => ({
      ...typeAt(n * 4 + 1),
      storedState,
      creator: creatorAt(n),
      scheduledAt: past(10 * n + 4),
    })),
  ),
];

/** The post of the account whose network is rate limited. */
export const slowPost = ({ past }: DemoDates, { accounts }: DemoWorkspace): PostSpec => ({
  type: 'status',
  network: 'linkedin',
  account: accounts.find(({ name }) => name === SLOW_ACCOUNT)!,
  storedState: 'published_posted',
  creator: 'owner',
  scheduledAt: past(6),
});

/** Imported posts and posts published on the network itself, which have analytics (D7). */
export const importedAndSyncedPosts: PostGroup = ({ past, hoursFromNow }) => [
  ...Array.from({ length: 6 }, (_, n): PostSpec => ({
    type: 'article',
    network: 'wordpress',
    storedState: 'published_posted',
    creator: 'owner',
    origin: 'imported',
    scheduledAt: past(140 + 9 * n),
    analytics: createAnalytics(n, hoursFromNow(-6)),
  })),
  ...(
    [
      'facebook',
      'instagram',
      'mastodon',
      'linkedin',
      'youtube',
      'twitter',
      'threads',
      'pinterest',
    ] as const
  ).map((network, n): PostSpec => ({
    type: NETWORKS[network].postTypes[0],
    network,
    storedState: 'published_posted',
    creator: creatorAt(n),
    origin: 'synced',
    scheduledAt: past(3 * n + 1),
    analytics: createAnalytics(n + 6, hoursFromNow(-2)),
  })),
];

function createAnalytics(n: number, updatedAt: Date): PostAnalytics {
  const reach = 840 + 317 * n;
  const [likes, comments, shares, saves] = [40 + 13 * n, 3 + n, 2 + (n % 5), n % 7];
  const engagement = likes + comments + shares + saves;
  const [linkClicks, postClicks] = [12 + 4 * n, 31 + 6 * n];
  const ratio = (count: number): number => Math.round((count / reach) * 10_000) / 10_000;
  return {
    reach,
    engagement,
    likes,
    comments,
    shares,
    saves,
    linkClicks,
    postClicks,
    updatedAt,
    videoViews: n % 3 === 0 ? 260 + 90 * n : null,
    engagementRate: ratio(engagement),
    clickThroughRate: ratio(linkClicks),
    reachRate: Math.round((reach / 12_400) * 10_000) / 10_000,
    pollVotes: null,
  };
}
