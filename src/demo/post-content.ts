import type {
  Attachment,
  ContentBlock,
  MediaType,
  Post,
  PostDetails,
} from '../domain/posts/post.js';
import type { Network } from '../domain/networks/networks.js';
import type { PostType } from '../domain/vocabulary.js';
import { ARTICLES, DOCUMENTS, POLLS } from './long-texts.js';
import { LINK_TEXTS, STATUS_TEXTS, VARIATIONS } from './short-texts.js';
import { VISUAL_TEXTS } from './visual-texts.js';

type Content = Partial<Post> & Pick<Post, 'text'>;
type Library = readonly Attachment[];

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

/** Fills in a text’s gaps. `turn` counts all posts, so that a text that comes again has other words, as a rule. */
const fill = (text: string, turn: number): string =>
  text
    .replaceAll('{place}', pick(VARIATIONS.place, turn * 3))
    .replaceAll('{bean}', pick(VARIATIONS.bean, turn * 4))
    .replaceAll('{days}', pick(VARIATIONS.days, turn * 5))
    .replaceAll('{number}', pick(VARIATIONS.number, turn * 5));

/** The n-th text of a list that goes round, and which post of the scene asks for it. */
interface Turn {
  n: number;
  turn: number;
}

const of = (library: Library, type: MediaType, n: number, count = 1): Attachment[] => {
  const all = library.filter((one) => one.type === type);
  return Array.from({ length: count }, (_, i) => pick(all, n + i));
};
const visual = (type: keyof typeof VISUAL_TEXTS, { n, turn }: Turn): string =>
  fill(pick(VISUAL_TEXTS[type], n), turn);
const blocks = (content: readonly ContentBlock[], turn: number): ContentBlock[] =>
  JSON.parse(fill(JSON.stringify(content), turn)) as ContentBlock[];

/** What the n-th post of a type says and shows. */
const CONTENT: Record<PostType, (at: Turn, library: Library) => Content> = {
  status: ({ n, turn }) => ({ text: fill(pick(STATUS_TEXTS, n), turn) }),
  link: ({ n, turn }) => {
    const { text, url, title, description } = pick(LINK_TEXTS, n);
    const link = {
      title,
      description,
      originalTitle: title,
      originalDescription: description,
      defaultImage: 'https://media.nordlicht.example/yirgacheffe-bag.jpg',
      providerDisplay: 'nordlicht.example',
    };
    return {
      text: fill(text, turn),
      url,
      link: n % 5 === 0 ? { ...link, callToAction: 'LEARN_MORE' } : link,
    };
  },
  photo: (at, library) => ({ text: visual('photo', at), media: of(library, 'photo', at.n) }),
  gif: (at, library) => ({ text: visual('gif', at), media: of(library, 'gif', at.n) }),
  video: (at, library) => ({ text: visual('video', at), media: of(library, 'video', at.n) }),
  reel: (at, library) => ({
    text: visual('reel', at),
    media: of(library, 'video', at.n + 1),
    details: { type: 'reel', feed: at.n % 2 === 0 },
  }),
  story: (at, library) => ({
    text: visual('story', at),
    media: of(library, at.n % 2 === 0 ? 'photo' : 'video', at.n),
    details: { type: 'story' },
  }),
  short: (at, library) => ({
    text: visual('short', at),
    media: of(library, 'video', at.n + 2),
    details: { type: 'short' },
  }),
  poll: ({ n, turn }) => {
    const { text, question, options } = pick(POLLS, n);
    return {
      text: fill(text, turn),
      question: fill(question, turn),
      options: options.map((option) => fill(option, turn)),
      duration: 1 + (n % 7),
    };
  },
  document: ({ n, turn }, library) => {
    const { text, title } = pick(DOCUMENTS, n);
    return {
      text: fill(text, turn),
      title,
      media: of(library, 'document', n),
      details: { type: 'document' },
    };
  },
  carousel: (at, library) => ({
    text: visual('carousel', at),
    media: of(library, 'photo', at.n, 3 + (at.n % 3)),
  }),
  article: ({ n, turn }, library) => {
    const { text, title, excerpt, content, tags, categories } = pick(ARTICLES, n);
    const [picture] = of(library, 'photo', n);
    return {
      text: fill(text, turn),
      title,
      excerpt: fill(excerpt, turn),
      content: blocks(content, turn),
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

const LANGUAGES: readonly [RegExp, string][] = [
  [/\p{sc=Hiragana}|\p{sc=Katakana}/u, 'ja'],
  [/\p{sc=Han}.*\p{sc=Han}.*\p{sc=Han}/u, 'zh'],
  [/\p{sc=Thai}.*\s.*\p{sc=Thai}/u, 'th'],
  [/^\p{sc=Arabic}/u, 'ar'],
  [/\b(der|die|das|wir|und)\b/u, 'de'],
];
const languageOf = (text: string): string =>
  LANGUAGES.find(([script]) => script.test(text))?.[1] ?? 'en';

/** The settings that a network adds to a post. */
const SETTINGS: Partial<Record<Network, (text: string, n: number) => PostDetails>> = {
  tiktok: (_, n) => ({
    privacy: n % 3 === 0 ? 'MUTUAL_FOLLOW_FRIENDS' : 'PUBLIC_TO_EVERYONE',
    comment: true,
    duet: n % 2 === 0,
    stitch: false,
    autoAddMusic: true,
  }),
  youtube: (_, n) => ({ privacy: n % 3 === 0 ? 'unlisted' : 'public' }),
  mastodon: (text) => ({ language: languageOf(text) }),
};
const TITLED: readonly Network[] = ['youtube', 'pinterest'];

/** The content of the n-th post of a type, as it looks on a network. */
export function contentOf(
  type: PostType,
  network: Network | null,
  at: Turn,
  library: Library,
): Content {
  const content = CONTENT[type](at, library);
  const { n } = at;
  if (!network) return content;
  const settings = SETTINGS[network]?.(content.text, n);
  return {
    ...content,
    ...(settings && { details: { ...content.details, ...settings } }),
    ...(TITLED.includes(network) && { title: [...content.text].slice(0, 60).join('') }),
    ...(network === 'instagram' &&
      type === 'photo' && {
        location: { id: `loc_${n % VARIATIONS.place.length}`, name: pick(VARIATIONS.place, n) },
      }),
    ...(network === 'telegram' &&
      type === 'link' && {
        sublinks: [{ url: 'https://nordlicht.example/journal', title: 'Journal' }],
      }),
  };
}
