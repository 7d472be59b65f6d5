import { enumKeys, type PostType } from '../../domain/enums.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { Recycling } from '../../domain/posts/post-settings.js';
import type { PostAnalytics } from '../../domain/numbers/numbers.js';
import type { Post } from '../../domain/posts/post.js';
import { isPending, type StoredState } from '../../domain/posts/states.js';
import { toDateString, type DemoDates, type DemoContext } from '../demo-context.js';
import type { DemoUserKey } from '../demo-users.js';
import { SLOW_ACCOUNT, type DemoWorkspace } from '../demo-workspaces.js';
import { createPostBuilder, type PostSpec } from './post-builder.js';
import { createSeriesSpecs } from './series-posts.js';

/** Specifications of posts that demonstrate one topic. */
type PostGroup = (dates: DemoDates, demoWorkspace: DemoWorkspace) => PostSpec[];

const CREATORS: readonly DemoUserKey[] = [
  'owner',
  'editor',
  'admin',
  'editorWithPostActions',
  'owner',
  'editor',
  'viewer',
];
/** The creator of the n-th post of a group, in rotation. */
const creatorAt = (n: number): DemoUserKey => CREATORS[n % CREATORS.length]!;
/**
 * The creator of a post in this state. Pending posts are created by a member without approval
 * rights (D24).
 */
const creatorFor = (storedState: StoredState, defaultCreator: DemoUserKey): DemoUserKey =>
  isPending(storedState) ? 'editor' : defaultCreator;

/** Every pair of a network and one of its post types. */
const NETWORK_POST_TYPES: readonly { network: Network; type: PostType }[] = enumKeys<Network>(
  NETWORKS,
).flatMap((network) => NETWORKS[network].postTypes.map((type) => ({ network, type })));
/**
 * The network and type of the n-th post of a group. Steps by seven, so that small groups cover
 * different networks.
 */
const typeAt = (n: number) => NETWORK_POST_TYPES[(n * 7) % NETWORK_POST_TYPES.length]!;

/**
 * Two published posts of every type of each network, and posts that were deleted or hidden on their
 * network.
 */
const publishedPosts: PostGroup = ({ past }) => [
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
const slowPost = ({ past }: DemoDates, { accounts }: DemoWorkspace): PostSpec => ({
  type: 'status',
  network: 'linkedin',
  account: accounts.find(({ name }) => name === SLOW_ACCOUNT)!,
  storedState: 'published_posted',
  creator: 'owner',
  scheduledAt: past(6),
});

/** Imported posts and posts published on the network itself, which have analytics (D7). */
const importedAndSyncedPosts: PostGroup = ({ past, hoursFromNow }) => [
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

/** A scheduled post of every type of each network. */
const scheduledPosts: PostGroup = ({ future }) =>
  NETWORK_POST_TYPES.map((networkAndType, i) => ({
    ...networkAndType,
    storedState: 'scheduled',
    creator: creatorAt(i),
    scheduledAt: future(Math.floor(i / 2)),
    auto: i % 6 === 0,
  }));

const APPROVAL_STATES: readonly StoredState[] = [
  'scheduled_approved',
  'scheduled_pending',
  'scheduled_declined',
  'scheduled_locked',
];
/**
 * Scheduled posts in the states of approval, and posts of an account that needs reauthorization.
 */
const approvalAndReauthPosts: PostGroup = ({ future }, { accounts }) => [
  ...APPROVAL_STATES.flatMap((storedState, i) =>
    [0, 1, 2].map((n): PostSpec => ({
      ...typeAt(i * 5 + n + 2),
      storedState,
      creator: creatorFor(storedState, n === 0 ? 'editor' : creatorAt(n + 1)),
      scheduledAt: future(3 * n + i),
    })),
  ),
  ...(['photo', 'carousel', 'video'] as const).map((type, n): PostSpec => ({
    type,
    network: 'instagram',
    account: accounts.find(({ needsReauth }) => needsReauth)!,
    storedState: 'scheduled_reauth',
    creator: creatorAt(n),
    scheduledAt: future(n + 2),
  })),
];

/**
 * Queued posts, whose publication has started, and reminders. A queued post can be deleted only if
 * it is a reminder (delete rule 4).
 */
const queuedPostsAndReminders: PostGroup = ({ hoursFromNow }) => [
  {
    type: 'status',
    network: 'mastodon',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(1),
    queuedAt: hoursFromNow(-0.05),
  },
  {
    type: 'photo',
    network: 'facebook',
    storedState: 'scheduled',
    creator: 'editor',
    scheduledAt: hoursFromNow(2),
    queuedAt: hoursFromNow(-0.1),
  },
  {
    type: 'story',
    network: 'instagram',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(3),
    queuedAt: hoursFromNow(-0.05),
    reminder: true,
    details: { reminder: true },
  },
  {
    type: 'reel',
    network: 'instagram',
    storedState: 'scheduled',
    creator: 'editor',
    scheduledAt: hoursFromNow(30),
    reminder: true,
    details: { reminder: true },
  },
];

const SECONDS = 1 / 3600;
/** Text of the post that the sandbox network rejects. */
const REFUSED_TEXT = 'Ein Beitrag, den das Netzwerk nicht annimmt.';

/**
 * Posts that become due in the first minutes after the demo was created: three are published, one
 * is rejected by its network, and one is too late (D52 to D57).
 */
const duePosts: PostGroup = ({ hoursFromNow }) => [
  {
    type: 'status',
    network: 'mastodon',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(20 * SECONDS),
    text: 'In zwanzig Sekunden kommt der erste Espresso des Tages.',
  },
  {
    type: 'status',
    network: 'bluesky',
    storedState: 'scheduled',
    creator: 'editor',
    scheduledAt: hoursFromNow(60 * SECONDS),
    text: 'In einer Minute öffnet die Rösterei. Der Kaffee ist schon fertig.',
  },
  {
    type: 'status',
    network: 'telegram',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(120 * SECONDS),
    text: 'Noch zwei Minuten bis zur Verkostung in der Hafenstraße.',
  },
  {
    type: 'status',
    network: 'twitter',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(40 * SECONDS),
    text: REFUSED_TEXT,
  },
  {
    type: 'status',
    network: 'threads',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(-3),
    text: 'Guten Morgen! Wer um acht Uhr kommt, bekommt den Kaffee geschenkt.',
  },
];

/** Finds the post that its network rejects. */
export const findRefusedPost = (posts: readonly Post[]): Post =>
  posts.find(({ text }) => text === REFUSED_TEXT)!;

const DRAFTS: readonly { storedState: StoredState; creators: readonly DemoUserKey[] }[] = [
  {
    storedState: 'draft_dated',
    creators: ['owner', 'editor', 'admin', 'viewer', 'editorWithPostActions'],
  },
  {
    storedState: 'draft_undated',
    creators: ['owner', 'editor', 'admin', 'viewer', 'editorWithPostActions'],
  },
  { storedState: 'draft_public_dated', creators: ['owner', 'editor', 'admin', 'editor'] },
  { storedState: 'draft_public_undated', creators: ['owner', 'editor', 'admin', 'editor'] },
  {
    storedState: 'draft_private_dated',
    creators: ['owner', 'editor', 'owner', 'editor', 'editorWithPostActions'],
  },
  {
    storedState: 'draft_private_undated',
    creators: ['owner', 'editor', 'owner', 'editor', 'viewer'],
  },
];
/** Drafts of every state. */
const draftPosts: PostGroup = ({ future }) =>
  DRAFTS.flatMap(({ storedState, creators }, i) =>
    creators.map((creator, n): PostSpec => ({
      // The third draft of each state has no account yet (D9).
      ...(n === 2 ? { type: 'status', network: null } : typeAt(i * 6 + n + 3)),
      storedState,
      creator,
      scheduledAt: storedState.endsWith('undated') ? null : future(2 * n + i),
    })),
  );

/** Posts whose publication failed. */
const failedPosts: PostGroup = ({ past }) =>
  [0, 1, 2, 3].map((n) => ({
    ...typeAt(n * 3 + 5),
    storedState: 'failed',
    creator: creatorAt(n),
    scheduledAt: past(n * 2),
  }));

const RECYCLING_STATES: readonly StoredState[] = [
  'recycling_active',
  'recycling_paused',
  'recycling_expired',
  'recycling_failed',
  'recycling_pending',
  'recycling_declined',
  'recycling_reauth',
  'recycling_locked',
];
/** Recycled posts in every state. */
const recyclingPosts: PostGroup = ({ past, future }) =>
  RECYCLING_STATES.flatMap((storedState, i) =>
    (['status', 'link'] as const).map((type, n): PostSpec => {
      const rule: Recycling = {
        solo: n === 1,
        gap: 1 + i,
        gapFreq: n === 0 ? 'weeks' : 'days',
        label: 'evergreen',
        startDate: toDateString(past(30 + i)),
        expireCount: storedState === 'recycling_expired' ? 3 : 10 + i,
      };
      return {
        type,
        network: n === 0 ? 'mastodon' : 'facebook',
        storedState,
        creator: creatorFor(storedState, n === 0 ? 'owner' : 'editor'),
        scheduledAt: storedState === 'recycling_expired' ? past(5 + n) : future(i + n),
        recycling: rule,
      };
    }),
  );

const GROUPS: readonly PostGroup[] = [
  publishedPosts,
  scheduledPosts,
  approvalAndReauthPosts,
  queuedPostsAndReminders,
  duePosts,
  draftPosts,
  failedPosts,
  recyclingPosts,
  importedAndSyncedPosts,
];

/**
 * The posts of the main workspace: at least one for each filter, for each type of each network, and
 * for each rule.
 */
export function createMainPosts(demoWorkspace: DemoWorkspace, context: DemoContext): Post[] {
  const { dates } = context;
  const build = createPostBuilder(demoWorkspace, context);
  const posts = GROUPS.flatMap((group) => group(dates, demoWorkspace)).map(build);
  const series = createSeriesSpecs(demoWorkspace, dates).flatMap((specs) => {
    const parent = build(specs.series);
    return [
      parent,
      ...specs.children.map((child) =>
        build({ ...child, copyContentOf: parent, parentId: parent.databaseId }),
      ),
    ];
  });
  return [...posts, ...series, build(slowPost(dates, demoWorkspace))];
}
