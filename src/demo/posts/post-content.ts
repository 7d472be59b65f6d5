import type { Attachment, ContentBlock, MediaType } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostDetails } from '../../domain/posts/post-settings.js';
import type { Network } from '../../domain/networks/networks.js';
import type { PostType } from '../../domain/enums.js';
import { ARTICLES, DOCUMENTS, POLLS } from './long-texts.js';
import { LINK_TEXTS, STATUS_TEXTS, PLACEHOLDER_VALUES } from './short-texts.js';
import { VISUAL_TEXTS } from './photo-and-video-texts.js';

type Content = Partial<Post> & Pick<Post, 'text'>;
type MediaLibrary = readonly Attachment[];

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

/**
 * Replaces the placeholders of a text. `postNumber` counts all posts, so that a repeated text
 * usually gets other values.
 */
const fillPlaceholders = (text: string, postNumber: number): string =>
  text
    .replaceAll('{place}', pick(PLACEHOLDER_VALUES.place, postNumber * 3))
    .replaceAll('{bean}', pick(PLACEHOLDER_VALUES.bean, postNumber * 4))
    .replaceAll('{days}', pick(PLACEHOLDER_VALUES.days, postNumber * 5))
    .replaceAll('{number}', pick(PLACEHOLDER_VALUES.number, postNumber * 5));

/**
 * Position of a post: `typeNumber` among posts of its type, `postNumber` among all posts of the
 * workspace.
 */
interface PostPosition {
  typeNumber: number;
  postNumber: number;
}

const pickMedia = (library: MediaLibrary, type: MediaType, n: number, count = 1): Attachment[] => {
  const all = library.filter((media) => media.type === type);
  return Array.from({ length: count }, (_, i) => pick(all, n + i));
};
const visualText = (
  type: keyof typeof VISUAL_TEXTS,
  { typeNumber, postNumber }: PostPosition,
): string => fillPlaceholders(pick(VISUAL_TEXTS[type], typeNumber), postNumber);
const fillBlocks = (content: readonly ContentBlock[], postNumber: number): ContentBlock[] =>
  JSON.parse(fillPlaceholders(JSON.stringify(content), postNumber)) as ContentBlock[];

/** Content of the n-th post of each type. */
const CONTENT_BUILDERS: Record<
  PostType,
  (position: PostPosition, library: MediaLibrary) => Content
> = {
  status: ({ typeNumber, postNumber }) => ({
    text: fillPlaceholders(pick(STATUS_TEXTS, typeNumber), postNumber),
  }),
  link: ({ typeNumber, postNumber }) => {
    const { text, url, title, description } = pick(LINK_TEXTS, typeNumber);
    const link = {
      title,
      description,
      originalTitle: title,
      originalDescription: description,
      defaultImage: 'https://media.nordlicht.example/yirgacheffe-bag.jpg',
      providerDisplay: 'nordlicht.example',
    };
    return {
      text: fillPlaceholders(text, postNumber),
      url,
      link: typeNumber % 5 === 0 ? { ...link, callToAction: 'LEARN_MORE' } : link,
    };
  },
  photo: (position, library) => ({
    text: visualText('photo', position),
    media: pickMedia(library, 'photo', position.typeNumber),
  }),
  gif: (position, library) => ({
    text: visualText('gif', position),
    media: pickMedia(library, 'gif', position.typeNumber),
  }),
  video: (position, library) => ({
    text: visualText('video', position),
    media: pickMedia(library, 'video', position.typeNumber),
  }),
  reel: (position, library) => ({
    text: visualText('reel', position),
    media: pickMedia(library, 'video', position.typeNumber + 1),
    details: { type: 'reel', feed: position.typeNumber % 2 === 0 },
  }),
  story: (position, library) => ({
    text: visualText('story', position),
    media: pickMedia(
      library,
      position.typeNumber % 2 === 0 ? 'photo' : 'video',
      position.typeNumber,
    ),
    details: { type: 'story' },
  }),
  short: (position, library) => ({
    text: visualText('short', position),
    media: pickMedia(library, 'video', position.typeNumber + 2),
    details: { type: 'short' },
  }),
  poll: ({ typeNumber, postNumber }) => {
    const { text, question, options } = pick(POLLS, typeNumber);
    return {
      text: fillPlaceholders(text, postNumber),
      question: fillPlaceholders(question, postNumber),
      options: options.map((option) => fillPlaceholders(option, postNumber)),
      duration: 1 + (typeNumber % 7),
    };
  },
  document: ({ typeNumber, postNumber }, library) => {
    const { text, title } = pick(DOCUMENTS, typeNumber);
    return {
      text: fillPlaceholders(text, postNumber),
      title,
      media: pickMedia(library, 'document', typeNumber),
      details: { type: 'document' },
    };
  },
  carousel: (position, library) => ({
    text: visualText('carousel', position),
    media: pickMedia(library, 'photo', position.typeNumber, 3 + (position.typeNumber % 3)),
  }),
  article: ({ typeNumber, postNumber }, library) => {
    const { text, title, excerpt, content, tags, categories } = pick(ARTICLES, typeNumber);
    const [picture] = pickMedia(library, 'photo', typeNumber);
    return {
      text: fillPlaceholders(text, postNumber),
      title,
      excerpt: fillPlaceholders(excerpt, postNumber),
      content: fillBlocks(content, postNumber),
      tags,
      categories,
      featuredMedia: {
        id: picture!.id,
        type: picture!.type,
        url: picture!.url,
        altText: picture!.altText,
        title: picture!.title,
      },
    };
  },
};

const LANGUAGE_PATTERNS: readonly [RegExp, string][] = [
  [/\p{sc=Hiragana}|\p{sc=Katakana}/u, 'ja'],
  [/\p{sc=Han}.*\p{sc=Han}.*\p{sc=Han}/u, 'zh'],
  [/\p{sc=Thai}.*\s.*\p{sc=Thai}/u, 'th'],
  [/^\p{sc=Arabic}/u, 'ar'],
  [/\b(der|die|das|wir|und)\b/u, 'de'],
];
const detectLanguage = (text: string): string =>
  LANGUAGE_PATTERNS.find(([script]) => script.test(text))?.[1] ?? 'en';

/** Network-specific settings of a post. */
const NETWORK_SETTINGS: Partial<Record<Network, (text: string, n: number) => PostDetails>> = {
  tiktok: (_, n) => ({
    privacy: n % 3 === 0 ? 'MUTUAL_FOLLOW_FRIENDS' : 'PUBLIC_TO_EVERYONE',
    comment: true,
    duet: n % 2 === 0,
    stitch: false,
    autoAddMusic: true,
  }),
  youtube: (_, n) => ({ privacy: n % 3 === 0 ? 'unlisted' : 'public' }),
  mastodon: (text) => ({ language: detectLanguage(text) }),
};
const NETWORKS_WITH_TITLE: readonly Network[] = ['youtube', 'pinterest'];

/** Content of a post of this type, with the settings of its network. */
export function contentOf(
  type: PostType,
  network: Network | null,
  position: PostPosition,
  library: MediaLibrary,
): Content {
  const content = CONTENT_BUILDERS[type](position, library);
  const { typeNumber } = position;
  if (!network) return content;
  const settings = NETWORK_SETTINGS[network]?.(content.text, typeNumber);
  return {
    ...content,
    ...(settings && { details: { ...content.details, ...settings } }),
    ...(NETWORKS_WITH_TITLE.includes(network) && {
      title: [...content.text].slice(0, 60).join(''),
    }),
    ...(network === 'instagram' &&
      type === 'photo' && {
        location: {
          id: `loc_${typeNumber % PLACEHOLDER_VALUES.place.length}`,
          name: pick(PLACEHOLDER_VALUES.place, typeNumber),
        },
      }),
    ...(network === 'telegram' &&
      type === 'link' && {
        sublinks: [{ url: 'https://nordlicht.example/journal', title: 'Journal' }],
      }),
  };
}
