import type { PostType } from '../../domain/enums.js';
import type { Network } from '../../domain/networks/networks.js';
import {
  byLabelName,
  type Label,
  type Attachment,
  type MediaType,
  type ContentBlock,
} from '../../domain/posts/post-content.js';
import type { PostDetails } from '../../domain/posts/post-settings.js';
import { BLANK_POST, type Post, type Account } from '../../domain/posts/post.js';
import { isPublished, type StoredState } from '../../domain/posts/states.js';
import type { DemoContext } from '../demo-context.js';
import type { DemoUserKey } from '../demo-users.js';
import type { DemoWorkspace } from '../demo-workspaces.js';
import {
  PLACEHOLDER_VALUES,
  VISUAL_TEXTS,
  STATUS_TEXTS,
  LINK_TEXTS,
  POLLS,
  DOCUMENTS,
  ARTICLES,
} from './texts.js';

/** Specification of a demo post. The builder sets the other fields. */
export interface PostSpec extends Partial<
  Pick<
    Post,
    | 'text'
    | 'queuedAt'
    | 'parentId'
    | 'recycling'
    | 'recurring'
    | 'details'
    | 'reminder'
    | 'auto'
    | 'origin'
    | 'analytics'
    | 'labels'
    | 'hasQueuedChild'
  >
> {
  storedState: StoredState;
  type: PostType;
  /** Null for a draft without an account. */
  network: Network | null;
  creator: DemoUserKey;
  scheduledAt: Date | null;
  account?: Account;
  /** Post whose content to copy: the children of a series have the content of the series. */
  copyContentOf?: Post;
}

/** Addresses of posts, as the networks have them. */
const POST_LINKS: Partial<Record<Network, (id: string, account: Account) => string>> = {
  facebook: (id, { socialId }) => `https://www.facebook.com/${socialId}/posts/${id}`,
  instagram: (id) => `https://www.instagram.com/p/${id}/`,
  threads: (id) => `https://www.threads.net/@nordlicht.kaffee/post/${id}`,
  tiktok: (id) => `https://www.tiktok.com/@nordlichtkaffee/video/${id}`,
  twitter: (id) => `https://twitter.com/NordlichtKaffee/status/${id}`,
  mastodon: (id, { name }) => `https://kaffee.social/@${name.split('@')[1]}/${id}`,
  bluesky: (id) => `https://bsky.app/profile/nordlicht.example/post/${id}`,
  linkedin: (id) => `https://www.linkedin.com/feed/update/urn:li:share:${id}`,
  pinterest: (id) => `https://www.pinterest.com/pin/${id}/`,
  google: (id) => `https://local.google.com/place?id=7725&lpsid=${id}`,
  youtube: (id) => `https://www.youtube.com/watch?v=${id}`,
  wordpress: (id, { socialId }) => `${socialId}/${id}/`,
  telegram: (id) => `https://t.me/nordlichtnews/${id}`,
};
const FIRST_SOCIAL_ID = 113_204_400_000;
const DAY_MS = 86_400_000;

/**
 * Creates posts of a workspace in sequence: the n-th post of a type has the n-th text of that type,
 * counted over all calls of the returned function.
 */
export function createPostBuilder(
  demoWorkspace: DemoWorkspace,
  { dates: { now }, ids, databaseIds }: DemoContext,
): (spec: PostSpec) => Post {
  const countByType = new Map<PostType, number>();
  let postNumber = 0;
  return ({
    storedState,
    type,
    network,
    creator,
    scheduledAt,
    copyContentOf,
    account = demoWorkspace.accounts.find((candidate) => candidate.network === network) ?? null,
    ...overrides
  }) => {
    const typeNumber = countByType.get(type) ?? 0;
    countByType.set(type, typeNumber + 1);
    postNumber++;
    const isLive = isPublished(storedState);
    const createdAt = new Date(
      Math.min(now.getTime(), (scheduledAt ?? now).getTime()) - (1 + (postNumber % 9)) * DAY_MS,
    );
    const content = copyContentOf
      ? contentFieldsOf(copyContentOf)
      : contentOf(type, network, { typeNumber, postNumber }, demoWorkspace.media);
    const media = content.media ?? [];
    return {
      ...BLANK_POST,
      ...content,
      ...overrides,
      type,
      storedState,
      media,
      createdAt,
      id: ids.document(),
      databaseId: databaseIds.next().value as number,
      workspaceId: demoWorkspace.workspace.id,
      network: account?.network ?? null,
      account,
      accountId: account?.id ?? null,
      creatorId: demoWorkspace.users[creator].id,
      user: demoWorkspace.users[creator],
      scheduledAt,
      updatedAt: isLive && scheduledAt ? scheduledAt : createdAt,
      hasMedia: media.length > 0,
      postLink:
        isLive && account
          ? (POST_LINKS[account.network]?.(String(FIRST_SOCIAL_ID + postNumber * 7_919), account) ??
            null)
          : null,
      labels: overrides.labels ?? pickLabels(demoWorkspace.labels, postNumber),
      details:
        content.details || overrides.details ? { ...content.details, ...overrides.details } : null,
    };
  };
}

/**
 * Picks no label for every third post, else up to three. `k` shifts by one after each pass over the
 * labels, so that every label is used.
 */
function pickLabels(labels: readonly Label[], n: number): Label[] {
  const k = n + Math.floor(n / labels.length);
  const positions =
    n % 3 === 0
      ? []
      : [k, k * 5 + 1, k * 7 + 3].slice(0, n % 4).map((position) => position % labels.length);
  return labels.filter((_, i) => positions.includes(i)).sort(byLabelName);
}

const contentFieldsOf = ({
  text,
  title,
  excerpt,
  media,
  link,
  url,
  details,
  content,
  featuredMedia,
  tags,
  categories,
}: Post) => ({
  text,
  title,
  excerpt,
  media,
  link,
  url,
  details,
  content,
  featuredMedia,
  tags,
  categories,
});

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
function contentOf(
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
