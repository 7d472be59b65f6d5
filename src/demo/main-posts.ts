import type { Post, PostAnalytics, Recycling } from '../domain/posts/post.js';
import { NETWORKS, type Network } from '../domain/networks/networks.js';
import { isPending, type Cell } from '../domain/posts/states.js';
import { wordsOf, type PostType } from '../domain/vocabulary.js';
import type { Ids } from '../services/ports.js';
import { dayOf, type Calendar } from './calendar.js';
import { SLOW_ACCOUNT, type Part } from './cast.js';
import { createPostBuilder, type Brief } from './post-builder.js';
import type { Scene } from './scene.js';
import { seriesBriefs } from './series-posts.js';

const CREATORS: readonly Part[] = [
  'owner',
  'editor',
  'admin',
  'editorWithPostActions',
  'owner',
  'editor',
  'viewer',
];
const creatorAt = (n: number): Part => CREATORS[n % CREATORS.length]!;
/** Only what a member who may not approve has changed waits for approval (D24). */
const creatorOf = (cell: Cell, otherwise: Part): Part => (isPending(cell) ? 'editor' : otherwise);

/** Every type that every network has. */
const KINDS: readonly { network: Network; type: PostType }[] = wordsOf<Network>(NETWORKS).flatMap(
  (network) => NETWORKS[network].postTypes.map((type) => ({ network, type })),
);
/** Every seventh of them, so that small groups meet all networks in turn. */
const kindAt = (n: number) => KINDS[(n * 7) % KINDS.length]!;

/** The main workspace's posts: for each filter, each network and each type, and for each rule somebody to try it on. */
export function mainPosts(
  scene: Scene,
  calendar: Calendar,
  ids: Ids,
  databaseIds: Iterator<number>,
): Post[] {
  const build = createPostBuilder(scene, calendar, ids, databaseIds);
  const plain = [published, scheduled, waiting, handedOver, drafts, failed, recycling, fromNetworks]
    .flatMap((group) => group(calendar, scene))
    .map(build);
  return [
    ...plain,
    ...seriesBriefs(scene, calendar).flatMap(({ series, children }) => {
      const parent = build(series);
      return [
        parent,
        ...children.map((child) => build({ ...child, like: parent, parentId: parent.databaseId })),
      ];
    }),
    build(slow(calendar, scene)),
  ];
}

type Group = (calendar: Calendar, scene: Scene) => Brief[];

const published: Group = ({ past }) => [
  ...[0, 1].flatMap((round) =>
    KINDS.map((kind, i): Brief => ({
      ...kind,
      cell: 'published_posted',
      creator: creatorAt(i + round),
      at: past(2 * i + round),
    })),
  ),
  ...(['published_deleted', 'published_hidden'] as const).flatMap((cell) =>
    [0, 1, 2].map((n): Brief => ({
      ...kindAt(n * 4 + 1),
      cell,
      creator: creatorAt(n),
      at: past(10 * n + 4),
    })),
  ),
];

const slow = ({ past }: Calendar, { accounts }: Scene): Brief => ({
  type: 'status',
  network: 'linkedin',
  account: accounts.find(({ name }) => name === SLOW_ACCOUNT)!,
  cell: 'published_posted',
  creator: 'owner',
  at: past(6),
});

const scheduled: Group = ({ future }) =>
  KINDS.map((kind, i) => ({
    ...kind,
    cell: 'scheduled',
    creator: creatorAt(i),
    at: future(Math.floor(i / 2)),
    auto: i % 6 === 0,
  }));

const APPROVAL_LEAVES: readonly Cell[] = [
  'scheduled_approved',
  'scheduled_pending',
  'scheduled_declined',
  'scheduled_locked',
];
const waiting: Group = ({ future }, { accounts }) => [
  ...APPROVAL_LEAVES.flatMap((cell, i) =>
    [0, 1, 2].map((n): Brief => ({
      ...kindAt(i * 5 + n + 2),
      cell,
      creator: creatorOf(cell, n === 0 ? 'editor' : creatorAt(n + 1)),
      at: future(3 * n + i),
    })),
  ),
  ...(['photo', 'carousel', 'video'] as const).map((type, n): Brief => ({
    type,
    network: 'instagram',
    account: accounts.find((one) => one.needsReauth)!,
    cell: 'scheduled_reauth',
    creator: creatorAt(n),
    at: future(n + 2),
  })),
];

/** Queued: handed to publication, which has not ended; only reminders may be deleted then (delete rule 4). */
const handedOver: Group = ({ hours }) => [
  {
    type: 'status',
    network: 'mastodon',
    cell: 'scheduled',
    creator: 'owner',
    at: hours(1),
    queuedAt: hours(-0.05),
  },
  {
    type: 'photo',
    network: 'facebook',
    cell: 'scheduled',
    creator: 'editor',
    at: hours(2),
    queuedAt: hours(-0.1),
  },
  {
    type: 'story',
    network: 'instagram',
    cell: 'scheduled',
    creator: 'owner',
    at: hours(3),
    queuedAt: hours(-0.05),
    reminder: true,
    details: { reminder: true },
  },
  {
    type: 'reel',
    network: 'instagram',
    cell: 'scheduled',
    creator: 'editor',
    at: hours(30),
    reminder: true,
    details: { reminder: true },
  },
];

const DRAFTS: readonly { cell: Cell; creators: readonly Part[] }[] = [
  {
    cell: 'draft_dated',
    creators: ['owner', 'editor', 'admin', 'viewer', 'editorWithPostActions'],
  },
  {
    cell: 'draft_undated',
    creators: ['owner', 'editor', 'admin', 'viewer', 'editorWithPostActions'],
  },
  { cell: 'draft_public_dated', creators: ['owner', 'editor', 'admin', 'editor'] },
  { cell: 'draft_public_undated', creators: ['owner', 'editor', 'admin', 'editor'] },
  {
    cell: 'draft_private_dated',
    creators: ['owner', 'editor', 'owner', 'editor', 'editorWithPostActions'],
  },
  { cell: 'draft_private_undated', creators: ['owner', 'editor', 'owner', 'editor', 'viewer'] },
];
const drafts: Group = ({ future }) =>
  DRAFTS.flatMap(({ cell, creators }, i) =>
    creators.map((creator, n): Brief => ({
      // The third of each kind has no account yet (D9).
      ...(n === 2 ? { type: 'status', network: null } : kindAt(i * 6 + n + 3)),
      cell,
      creator,
      at: cell.endsWith('undated') ? null : future(2 * n + i),
    })),
  );

const failed: Group = ({ past }) =>
  [0, 1, 2, 3].map((n) => ({
    ...kindAt(n * 3 + 5),
    cell: 'failed',
    creator: creatorAt(n),
    at: past(n * 2),
  }));

const RECYCLING_LEAVES: readonly Cell[] = [
  'recycling_active',
  'recycling_paused',
  'recycling_expired',
  'recycling_failed',
  'recycling_pending',
  'recycling_declined',
  'recycling_reauth',
  'recycling_locked',
];
const recycling: Group = ({ past, future }) =>
  RECYCLING_LEAVES.flatMap((cell, i) =>
    (['status', 'link'] as const).map((type, n): Brief => {
      const rule: Recycling = {
        solo: n === 1,
        gap: 1 + i,
        gapFreq: n === 0 ? 'weeks' : 'days',
        label: 'evergreen',
        startDate: dayOf(past(30 + i)),
        expireDate: null,
        expireCount: cell === 'recycling_expired' ? 3 : 10 + i,
      };
      return {
        type,
        network: n === 0 ? 'mastodon' : 'facebook',
        cell,
        creator: creatorOf(cell, n === 0 ? 'owner' : 'editor'),
        at: cell === 'recycling_expired' ? past(5 + n) : future(i + n),
        recycling: rule,
      };
    }),
  );

/** Posts that others made and we took over, and that were posted on the network itself: they have figures (D7). */
const fromNetworks: Group = ({ past, hours }) => [
  ...Array.from({ length: 6 }, (_, n): Brief => ({
    type: 'article',
    network: 'wordpress',
    cell: 'published_posted',
    creator: 'owner',
    origin: 'imported',
    at: past(140 + 9 * n),
    analytics: figures(n, hours(-6)),
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
  ).map((network, n): Brief => ({
    type: NETWORKS[network].postTypes[0],
    network,
    cell: 'published_posted',
    creator: creatorAt(n),
    origin: 'synced',
    at: past(3 * n + 1),
    analytics: figures(n + 6, hours(-2)),
  })),
];

function figures(n: number, updatedAt: Date): PostAnalytics {
  const reach = 840 + 317 * n;
  const [likes, comments, shares, saves] = [40 + 13 * n, 3 + n, 2 + (n % 5), n % 7];
  const engagement = likes + comments + shares + saves;
  const [linkClicks, postClicks] = [12 + 4 * n, 31 + 6 * n];
  const share = (part: number): number => Math.round((part / reach) * 10_000) / 10_000;
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
    engagementRate: share(engagement),
    clickThroughRate: share(linkClicks),
    reachRate: Math.round((reach / 12_400) * 10_000) / 10_000,
  };
}
