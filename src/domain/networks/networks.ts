import type { PostType, Word } from '../vocabulary.js';

export const NETWORK_KINDS = {
  large_general: { meaning: 'Large general network.', source: 'Update post' },
  photo_sharing: { meaning: 'Photo-sharing network.', source: 'Update post' },
  text_conversation: {
    meaning: 'The photo-sharing network’s text-conversation app.',
    source: 'Update post',
  },
  short_video: { meaning: 'Short-video network.', source: 'Daily post limits' },
  short_message: { meaning: 'Short-message network.', source: 'Update post' },
  federated_microblog: { meaning: 'Federated microblog.', source: 'Update post' },
  decentralized_microblog: { meaning: 'Decentralized microblog.', source: 'Update post' },
  professional: { meaning: 'Professional network.', source: 'Update post' },
  pin_board: { meaning: 'Pin board network.', source: 'Update post' },
  business_listing: { meaning: 'Business-listing network.', source: 'Update post' },
  video: { meaning: 'Video network.', source: 'Update post' },
  blog_cms: { meaning: 'Blog/CMS.', source: 'Update post' },
  messaging: { meaning: 'Messaging network.', source: 'Update post' },
} as const satisfies Record<string, Word>;
export type NetworkKind = keyof typeof NETWORK_KINDS;

export const ACCOUNT_TYPES = {
  profile: { meaning: 'A person’s profile.', source: 'D2' },
  page: { meaning: 'A page.', source: 'D2' },
  group: { meaning: 'A group.', source: 'D2' },
  business: { meaning: 'A business profile.', source: 'D2' },
  channel: { meaning: 'A channel.', source: 'D2' },
  location: { meaning: 'A place of business.', source: 'D2' },
  blog: { meaning: 'A blog.', source: 'D2' },
} as const satisfies Record<string, Word>;
export type AccountType = keyof typeof ACCOUNT_TYPES;

interface NetworkEntry extends Word {
  readonly kind: NetworkKind;
  readonly accountTypes: readonly AccountType[];
  /** The post types this network has; a post of it can take no other. */
  readonly postTypes: readonly PostType[];
  /** The words `details.privacy` may take (D6); null where the network has no such setting. */
  readonly privacy: readonly string[] | null;
}

const entry = <
  const E extends Omit<NetworkEntry, 'source' | 'privacy'> & { privacy?: readonly string[] },
>(
  one: E,
) =>
  ({ privacy: null, ...one, source: 'D1' }) as Omit<E, 'privacy'> &
    Pick<NetworkEntry, 'source' | 'privacy'>;

export const NETWORKS = {
  facebook: entry({
    meaning: 'The large general network.',
    kind: 'large_general',
    accountTypes: ['profile', 'page', 'group'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'reel', 'story', 'carousel'],
  }),
  instagram: entry({
    meaning: 'The photo-sharing network.',
    kind: 'photo_sharing',
    accountTypes: ['profile', 'business'],
    postTypes: ['photo', 'video', 'reel', 'story', 'carousel'],
  }),
  threads: entry({
    meaning: 'The text-conversation app.',
    kind: 'text_conversation',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'carousel'],
  }),
  tiktok: entry({
    meaning: 'The short-video network.',
    kind: 'short_video',
    accountTypes: ['profile', 'business'],
    postTypes: ['photo', 'video', 'carousel'],
    privacy: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'],
  }),
  twitter: entry({
    meaning: 'The short-message network.',
    kind: 'short_message',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'poll'],
  }),
  mastodon: entry({
    meaning: 'The federated microblog.',
    kind: 'federated_microblog',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'poll'],
  }),
  bluesky: entry({
    meaning: 'The decentralized microblog.',
    kind: 'decentralized_microblog',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video'],
  }),
  linkedin: entry({
    meaning: 'The professional network.',
    kind: 'professional',
    accountTypes: ['profile', 'page'],
    postTypes: [
      'status',
      'link',
      'photo',
      'gif',
      'video',
      'poll',
      'document',
      'carousel',
      'article',
    ],
  }),
  pinterest: entry({
    meaning: 'The pin board network.',
    kind: 'pin_board',
    accountTypes: ['profile', 'business'],
    postTypes: ['photo', 'video', 'carousel'],
  }),
  google: entry({
    meaning: 'The business-listing network.',
    kind: 'business_listing',
    accountTypes: ['location'],
    postTypes: ['status', 'link', 'photo', 'video'],
  }),
  youtube: entry({
    meaning: 'The video network.',
    kind: 'video',
    accountTypes: ['channel'],
    postTypes: ['video', 'short'],
    privacy: ['public', 'unlisted', 'private'],
  }),
  wordpress: entry({
    meaning: 'The blog/CMS.',
    kind: 'blog_cms',
    accountTypes: ['blog'],
    postTypes: ['article'],
  }),
  telegram: entry({
    meaning: 'The messaging network.',
    kind: 'messaging',
    accountTypes: ['channel', 'group'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'document', 'carousel'],
  }),
} as const satisfies Record<string, NetworkEntry>;
export type Network = keyof typeof NETWORKS;

/** What the interface document calls this network (D1). */
export const kindOf = (network: Network): NetworkKind => NETWORKS[network].kind;

/** The post types a network has; every type while a draft has no network yet (D9). */
export const typesOf = (network: Network | null): readonly PostType[] | null =>
  network === null ? null : NETWORKS[network].postTypes;
