import type { Attachment, ContentBlock, MediaType, Post, PostDetails } from '../domain/post.js';
import type { Network } from '../domain/networks.js';
import type { PostType } from '../domain/vocabulary.js';
import { ARTICLES, DOCUMENTS, POLLS } from './long-texts.js';
import { LINK_TEXTS, STATUS_TEXTS, VARIATIONS } from './short-texts.js';
import { VISUAL_TEXTS } from './visual-texts.js';

type Content = Partial<Post> & Pick<Post, 'text'>;
type Library = readonly Attachment[];

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

/** Fills in a text's gaps; the steps are no divisors of each other, so that the same text comes out different each time round. */
const fill = (text: string, n: number): string => text
  .replaceAll('{place}', pick(VARIATIONS.place, n + Math.floor(n / 7)))
  .replaceAll('{bean}', pick(VARIATIONS.bean, n * 3 + Math.floor(n / 11)))
  .replaceAll('{days}', pick(VARIATIONS.days, n * 5 + Math.floor(n / 6)));

const of = (library: Library, type: MediaType, n: number, count = 1): Attachment[] => {
  const all = library.filter((one) => one.type === type);
  return Array.from({ length: count }, (_, i) => pick(all, n + i));
};
const visual = (type: keyof typeof VISUAL_TEXTS, n: number): string => fill(pick(VISUAL_TEXTS[type], n), n);
const blocks = (content: readonly ContentBlock[], n: number): ContentBlock[] => JSON.parse(fill(JSON.stringify(content), n)) as ContentBlock[];

/** What the n-th post of a type says and shows. */
const CONTENT: Record<PostType, (n: number, library: Library) => Content> = {
  status: (n) => ({ text: fill(pick(STATUS_TEXTS, n), n) }),
  link: (n) => {
    const { text, url, title, description } = pick(LINK_TEXTS, n);
    const link = { title, description, originalTitle: title, originalDescription: description, defaultImage: 'https://media.nordlicht.example/yirgacheffe-bag.jpg', providerDisplay: 'nordlicht.example' };
    return { text: fill(text, n), url, link: n % 5 === 0 ? { ...link, callToAction: 'LEARN_MORE' } : link };
  },
  photo: (n, library) => ({ text: visual('photo', n), media: of(library, 'photo', n) }),
  gif: (n, library) => ({ text: visual('gif', n), media: of(library, 'gif', n) }),
  video: (n, library) => ({ text: visual('video', n), media: of(library, 'video', n) }),
  reel: (n, library) => ({ text: visual('reel', n), media: of(library, 'video', n + 1), details: { type: 'reel', feed: n % 2 === 0 } }),
  story: (n, library) => ({ text: visual('story', n), media: of(library, n % 2 === 0 ? 'photo' : 'video', n), details: { type: 'story' } }),
  short: (n, library) => ({ text: visual('short', n), media: of(library, 'video', n + 2), details: { type: 'short' } }),
  poll: (n) => {
    const { text, question, options } = pick(POLLS, n);
    return { text: fill(text, n), question: fill(question, n), options: options.map((option) => fill(option, n)), duration: 1 + (n % 7) };
  },
  document: (n, library) => {
    const { text, title } = pick(DOCUMENTS, n);
    return { text: fill(text, n), title, media: of(library, 'document', n), details: { type: 'document' } };
  },
  carousel: (n, library) => ({ text: visual('carousel', n), media: of(library, 'photo', n, 3 + (n % 3)) }),
  article: (n, library) => {
    const { text, title, excerpt, content, tags, categories } = pick(ARTICLES, n);
    const [picture] = of(library, 'photo', n);
    return {
      text: fill(text, n), title, excerpt: fill(excerpt, n), content: blocks(content, n), tags, categories,
      featuredMedia: { id: picture!.id, type: picture!.type, url: picture!.url, altText: picture!.altText, title: picture!.title },
    };
  },
};

const LANGUAGES: readonly [RegExp, string][] = [
  [/\p{sc=Hiragana}|\p{sc=Katakana}/u, 'ja'], [/\p{sc=Han}.*\p{sc=Han}.*\p{sc=Han}/u, 'zh'], [/\p{sc=Thai}.*\s.*\p{sc=Thai}/u, 'th'], [/^\p{sc=Arabic}/u, 'ar'], [/\b(der|die|das|wir|und)\b/u, 'de'],
];
const languageOf = (text: string): string => LANGUAGES.find(([script]) => script.test(text))?.[1] ?? 'en';

/** The settings that a network adds to a post. */
const SETTINGS: Partial<Record<Network, (text: string, n: number) => PostDetails>> = {
  tiktok: (_, n) => ({ privacy: n % 3 === 0 ? 'MUTUAL_FOLLOW_FRIENDS' : 'PUBLIC_TO_EVERYONE', comment: true, duet: n % 2 === 0, stitch: false, autoAddMusic: true }),
  youtube: (_, n) => ({ privacy: n % 3 === 0 ? 'unlisted' : 'public' }),
  mastodon: (text) => ({ language: languageOf(text) }),
};
const TITLED: readonly Network[] = ['youtube', 'pinterest'];

/** The content of the n-th post of a type, as it looks on a network. */
export function contentOf(type: PostType, network: Network | null, n: number, library: Library): Content {
  const content = CONTENT[type](n, library);
  if (!network) return content;
  const settings = SETTINGS[network]?.(content.text, n);
  return {
    ...content,
    ...(settings && { details: { ...content.details, ...settings } }),
    ...(TITLED.includes(network) && { title: content.text.slice(0, 60) }),
    ...(network === 'instagram' && type === 'photo' && { location: { id: `loc_${n % VARIATIONS.place.length}`, name: pick(VARIATIONS.place, n) } }),
    ...(network === 'telegram' && type === 'link' && { sublinks: [{ url: 'https://nordlicht.example/journal', title: 'Journal' }] }),
  };
}
