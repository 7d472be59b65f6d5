import { type PostType, enumKeys } from '../enums.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import type { LimitedPart, ContentNeed } from '../networks/network-definition.js';
import type { LimitUnit } from './limit-units.js';
import { hasVisibleText } from '../input/text-readers.js';
import { needsMedia } from '../posts/post-content.js';

/** A limit of a network for posts of one type. */
export interface ContentLimit {
  readonly type: PostType;
  readonly field: LimitedPart;
  readonly max: number;
  readonly unit: LimitUnit;
  /** Each link of the text counts as this many; null if links count as they are. */
  readonly linkLength: number | null;
}

const limitsOf = (network: Network): ContentLimit[] => {
  const { postTypes, limits } = NETWORKS[network];
  return postTypes.flatMap((type) =>
    limits
      .filter(({ types }) => types?.includes(type) ?? true)
      .map(({ field, max, unit, linkLength = null }) => ({ type, field, max, unit, linkLength })),
  );
};

/** The limits of each network in its own units (D47): one row for each post type and part. */
export const CONTENT_LIMITS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [network, limitsOf(network)]),
) as Record<Network, ContentLimit[]>;

const TEXT: ContentNeed = {
  path: ['text'],
  isMet: ({ text }) => hasVisibleText(text),
  message: 'is required.',
};
const URL: ContentNeed = {
  path: ['url'],
  isMet: ({ url }) => hasVisibleText(url),
  message: 'is required: the link to share.',
};
const mediaItems = (minimum: number): ContentNeed => ({
  path: ['media'],
  isMet: ({ media }) => media.length >= minimum,
  message: `must have at least ${minimum} ${minimum === 1 ? 'entry' : 'entries'}.`,
});
const QUESTION: ContentNeed = {
  path: ['question'],
  isMet: ({ question, text }) => hasVisibleText(question) || hasVisibleText(text),
  message: 'is required unless text contains the question.',
};
const OPTIONS: ContentNeed = {
  path: ['options'],
  isMet: ({ options }) => options.length >= 2,
  message: 'must have at least 2 entries.',
};
const ARTICLE: ContentNeed = {
  path: ['content'],
  isMet: ({ content, text }) => content.length > 0 || hasVisibleText(text),
  message: 'is required unless text contains the article.',
};
const NEEDS_OF_TYPES: Readonly<Partial<Record<PostType, readonly ContentNeed[]>>> = {
  status: [TEXT],
  link: [URL],
  carousel: [mediaItems(2)],
  poll: [QUESTION, OPTIONS],
  article: [ARTICLE],
};
const needsOf = (network: Network, type: PostType): readonly ContentNeed[] => [
  ...(NEEDS_OF_TYPES[type] ?? (needsMedia(type) ? [mediaItems(1)] : [])),
  ...(NETWORKS[network].needs ?? []),
];

/** What each network needs for each of its post types (D47). */
export const CONTENT_NEEDS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [
    network,
    Object.fromEntries(NETWORKS[network].postTypes.map((type) => [type, needsOf(network, type)])),
  ]),
) as Readonly<Record<Network, Readonly<Partial<Record<PostType, readonly ContentNeed[]>>>>>;
