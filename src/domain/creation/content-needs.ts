import type { PostType } from '../enums.js';
import { enumKeys } from '../enums.js';
import { hasVisibleText } from '../input/visible-text.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import { needsMedia } from '../posts/post-content.js';
import type { Post } from '../posts/post.js';

/** The fields of a post that its network's needs and limits read. */
export type PostContent = Pick<
  Post,
  | 'type'
  | 'text'
  | 'title'
  | 'question'
  | 'url'
  | 'media'
  | 'options'
  | 'tags'
  | 'content'
  | 'networkOptions'
>;

/** Something that a post must have before it can be published. */
export interface ContentNeed {
  /** Path of the missing value in the patch. */
  readonly path: readonly string[];
  readonly isMet: (post: PostContent) => boolean;
  /** What has to be sent, after the name of the field. */
  readonly message: string;
}

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
const TITLE: ContentNeed = {
  path: ['title'],
  isMet: ({ title }) => hasVisibleText(title),
  message: 'is required.',
};
const BOARD: ContentNeed = {
  path: ['networkOptions', 'boardId'],
  isMet: ({ networkOptions }) => hasVisibleText(networkOptions?.boardId),
  message: 'is required: the ID of the board to pin to.',
};

const NEEDS_OF_TYPES: Readonly<Partial<Record<PostType, readonly ContentNeed[]>>> = {
  status: [TEXT],
  link: [URL],
  carousel: [mediaItems(2)],
  poll: [QUESTION, OPTIONS],
  article: [ARTICLE],
};
const NEEDS_OF_NETWORKS: Readonly<Partial<Record<Network, readonly ContentNeed[]>>> = {
  youtube: [TITLE],
  pinterest: [BOARD],
  wordpress: [TITLE],
};

const needsOf = (network: Network, type: PostType): readonly ContentNeed[] => [
  ...(NEEDS_OF_TYPES[type] ?? (needsMedia(type) ? [mediaItems(1)] : [])),
  ...(NEEDS_OF_NETWORKS[network] ?? []),
];

/** What each network needs for each of its post types (D47). */
export const CONTENT_NEEDS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [
    network,
    Object.fromEntries(NETWORKS[network].postTypes.map((type) => [type, needsOf(network, type)])),
  ]),
) as Readonly<Record<Network, Readonly<Partial<Record<PostType, readonly ContentNeed[]>>>>>;
