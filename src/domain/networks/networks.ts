import type { PostType, VocabularyEntry } from '../enums.js';

/** The interface document's names for networks (D1). */
export const NETWORK_KINDS = {
  large_general: { description: 'Large general network.', source: 'Update post' },
  photo_sharing: { description: 'Photo-sharing network.', source: 'Update post' },
  text_conversation: {
    description: 'The photo-sharing network’s text-conversation app.',
    source: 'Update post',
  },
  short_video: { description: 'Short-video network.', source: 'Daily post limits' },
  short_message: { description: 'Short-message network.', source: 'Update post' },
  federated_microblog: { description: 'Federated microblog.', source: 'Update post' },
  decentralized_microblog: { description: 'Decentralized microblog.', source: 'Update post' },
  professional: { description: 'Professional network.', source: 'Update post' },
  pin_board: { description: 'Pin board network.', source: 'Update post' },
  business_listing: { description: 'Business-listing network.', source: 'Update post' },
  video: { description: 'Video network.', source: 'Update post' },
  blog_cms: { description: 'Blog/CMS.', source: 'Update post' },
  messaging: { description: 'Messaging network.', source: 'Update post' },
} as const satisfies Record<string, VocabularyEntry>;
export type NetworkKind = keyof typeof NETWORK_KINDS;

/** Types of social accounts. */
export const ACCOUNT_TYPES = {
  profile: { description: 'A person’s profile.', source: 'D2' },
  page: { description: 'A page.', source: 'D2' },
  group: { description: 'A group.', source: 'D2' },
  business: { description: 'A business profile.', source: 'D2' },
  channel: { description: 'A channel.', source: 'D2' },
  location: { description: 'A business location.', source: 'D2' },
  blog: { description: 'A blog.', source: 'D2' },
} as const satisfies Record<string, VocabularyEntry>;
export type AccountType = keyof typeof ACCOUNT_TYPES;

interface NetworkEntry extends VocabularyEntry {
  readonly kind: NetworkKind;
  readonly accountTypes: readonly AccountType[];
  /** The post types that this network supports. */
  readonly postTypes: readonly PostType[];
  /** The values of `details.privacy` (D6); null if the network has no such setting. */
  readonly privacy: readonly string[] | null;
}

const entry = <
  const E extends Omit<NetworkEntry, 'source' | 'privacy'> & { privacy?: readonly string[] },
>(
  definition: E,
) =>
  ({ privacy: null, ...definition, source: 'D1' }) as Omit<E, 'privacy'> &
    Pick<NetworkEntry, 'source' | 'privacy'>;

/** All networks, by their key in the APIs (D1). */
export const NETWORKS = {
  facebook: entry({
    description: 'Facebook, a large general network.',
    kind: 'large_general',
    accountTypes: ['profile', 'page', 'group'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'reel', 'story', 'carousel'],
  }),
  instagram: entry({
    description: 'Instagram, a photo-sharing network.',
    kind: 'photo_sharing',
    accountTypes: ['profile', 'business'],
    postTypes: ['photo', 'video', 'reel', 'story', 'carousel'],
  }),
  threads: entry({
    description: 'Threads, Instagram’s text-conversation app.',
    kind: 'text_conversation',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'carousel'],
  }),
  tiktok: entry({
    description: 'TikTok, a short-video network.',
    kind: 'short_video',
    accountTypes: ['profile', 'business'],
    postTypes: ['photo', 'video', 'carousel'],
    privacy: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'],
  }),
  twitter: entry({
    description: 'X, formerly Twitter, a short-message network.',
    kind: 'short_message',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'poll'],
  }),
  mastodon: entry({
    description: 'Mastodon, a federated microblog.',
    kind: 'federated_microblog',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'poll'],
  }),
  bluesky: entry({
    description: 'Bluesky, a decentralized microblog.',
    kind: 'decentralized_microblog',
    accountTypes: ['profile'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video'],
  }),
  linkedin: entry({
    description: 'LinkedIn, a professional network.',
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
    description: 'Pinterest, a pin board network.',
    kind: 'pin_board',
    accountTypes: ['profile', 'business'],
    postTypes: ['photo', 'video', 'carousel'],
  }),
  google: entry({
    description: 'Google Business Profile, a business-listing network.',
    kind: 'business_listing',
    accountTypes: ['location'],
    postTypes: ['status', 'link', 'photo', 'video'],
  }),
  youtube: entry({
    description: 'YouTube, a video network.',
    kind: 'video',
    accountTypes: ['channel'],
    postTypes: ['video', 'short'],
    privacy: ['public', 'unlisted', 'private'],
  }),
  wordpress: entry({
    description: 'WordPress, a blog and content management system.',
    kind: 'blog_cms',
    accountTypes: ['blog'],
    postTypes: ['article'],
  }),
  telegram: entry({
    description: 'Telegram, a messaging network.',
    kind: 'messaging',
    accountTypes: ['channel', 'group'],
    postTypes: ['status', 'link', 'photo', 'gif', 'video', 'document', 'carousel'],
  }),
} as const satisfies Record<string, NetworkEntry>;
export type Network = keyof typeof NETWORKS;

/** The interface document's name for this network (D1). */
export const networkKindOf = (network: Network): NetworkKind => NETWORKS[network].kind;

/** The post types of a network; null (any type) for drafts without a network (D9). */
export const postTypesOf = (network: Network | null): readonly PostType[] | null =>
  network === null ? null : NETWORKS[network].postTypes;

/**
 * A privacy value in the network's spelling; null if the network does not have it; unchanged if the
 * network has no privacy setting (D6).
 */
export function canonicalPrivacy(network: Network, requested: string): string | null {
  const values = NETWORKS[network].privacy;
  return values === null
    ? requested
    : (values.find((value) => value.toLowerCase() === requested.toLowerCase()) ?? null);
}
