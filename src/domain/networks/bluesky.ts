import { parseUrl } from '../input/urls.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  type NetworkDefinition,
} from './network-definition.js';
import { BLUESKY_TOP_LEVEL_DOMAINS } from './top-level-domains.js';

/** A part of a text that is a link, a mention or a hashtag. */
export interface TextFeature {
  /** Bytes of the text in UTF-8: the first one, and the one after the last. */
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly kind: 'link' | 'mention' | 'tag';
  /** The URL, the handle without `@`, or the tag without `#`. */
  readonly value: string;
}

/** A feature in the text of a post; `shown` replaces it in the record. */
interface FoundFeature extends Pick<TextFeature, 'kind' | 'value'> {
  readonly index: number;
  readonly length: number;
  readonly shown: string;
}

const HANDLE_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Invisible characters that end a tag. */
const INVISIBLE = '\\u00ad\\u2060\\u200a-\\u200d\\u20e2';
// The rules of Bluesky's own client, so that a text has the same links wherever it is written.
/** $1 a URL with a scheme, $2 one without, $3 its domain */
const LINK =
  /(?<=^|[\s(])(?:(https?:\/\/\S+)|(([a-z][a-z0-9]{0,62}(?:\.[a-z0-9]{1,63}){1,20})\S*))/gimu;
const MENTION = new RegExp(`(?<=^|[\\s(])@((?:${HANDLE_LABEL}\\.)+${HANDLE_LABEL})`, 'giu');
const TAG = new RegExp(`(?<=^|\\s)[#＃]([^\\s${INVISIBLE}]+)`, 'gu');
const CASHTAG = /(?<=^|[\s(])\$([a-z][a-z0-9]{0,4})(?=\s|$|[.,;:!?)"'\u2019])/giu;
const MAX_TAG_LENGTH = 64;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** A link without the punctuation of the sentence after it. */
function withoutPunctuation(link: string): string {
  const url = link.replace(/[.,;:!?]$/u, '');
  return url.endsWith(')') && !url.includes('(') ? url.slice(0, -1) : url;
}

const hasTopLevelDomain = (domain: string): boolean =>
  BLUESKY_TOP_LEVEL_DOMAINS.has(domain.slice(domain.lastIndexOf('.') + 1));

/** Characters of a path that is shown whole, and those that are shown of a longer one. */
const SHOWN_PATH = { whole: 15, cut: 13 } as const;

/** How a link is shown: its host, with the beginning of its path, if its path is long. */
function shownLink(written: string, url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return written;
  const { host, pathname, search, hash } = parsed;
  const path = (pathname === '/' ? '' : pathname) + search + hash;
  return path.length > SHOWN_PATH.whole ? `${host}${path.slice(0, SHOWN_PATH.cut)}...` : written;
}

function findLinks(text: string): FoundFeature[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: match, 1: url, 3: domain, index }) => {
    if (url === undefined && !hasTopLevelDomain(domain!)) return [];
    const written = withoutPunctuation(match);
    const value = url === undefined ? `https://${written}` : written;
    return [
      { kind: 'link', index, length: written.length, value, shown: shownLink(written, value) },
    ];
  });
}

const findMentions = (text: string): FoundFeature[] =>
  [...text.matchAll(MENTION)].map(({ 0: shown, 1: handle, index }) => ({
    kind: 'mention',
    index,
    length: shown.length,
    value: handle!,
    shown,
  }));

const findTags = (text: string): FoundFeature[] =>
  [...text.matchAll(TAG)].flatMap(({ 0: match, 1: word, index }): FoundFeature[] => {
    const tag = word!.replace(/\p{P}+$/u, '');
    const isTag = /[^\d\p{P}]/u.test(tag) && !tag.startsWith('\ufe0f');
    const shown = match.slice(0, 1) + tag;
    return isTag && tag.length <= MAX_TAG_LENGTH
      ? [{ kind: 'tag', index, length: shown.length, value: tag, shown }]
      : [];
  });

const findCashtags = (text: string): FoundFeature[] =>
  [...text.matchAll(CASHTAG)].map(({ 0: shown, index }) => ({
    kind: 'tag',
    index,
    length: shown.length,
    value: shown.toUpperCase(),
    shown,
  }));

/** The text of a record, and its links, mentions and hashtags: in order, apart from each other. */
export interface RecordText {
  readonly text: string;
  readonly features: readonly TextFeature[];
}

/** The text of a post as it is published: long addresses are shortened, and link to the whole. */
export function recordTextOf({ text: written }: { readonly text: string }): RecordText {
  const source = written.toWellFormed();
  const found = [findLinks, findMentions, findTags, findCashtags]
    .flatMap((find) => find(source))
    .sort((a, b) => a.index - b.index);
  const features: TextFeature[] = [];
  let [text, bytes, end] = ['', 0, 0];
  const append = (part: string): void => {
    text += part;
    bytes += byteLength(part);
  };
  for (const { kind, value, index, length, shown } of found) {
    if (index < end) continue; // the network rejects features that overlap
    append(source.slice(end, index));
    const byteStart = bytes;
    append(shown);
    features.push({ byteStart, byteEnd: bytes, kind, value });
    end = index + length;
  }
  append(source.slice(end));
  return { text, features };
}

const POST_TYPES = ['status', 'link', 'photo', 'gif', 'video'] as const;

/** Bytes of the picture on the card of a link. */
export const MAX_CARD_PICTURE_BYTES = 1_000_000;

export const bluesky = {
  name: 'Bluesky',
  description: 'Bluesky, a decentralized microblog.',
  source: 'D1',
  kind: {
    key: 'decentralized_microblog',
    description: 'Decentralized microblog.',
    source: 'Update post',
  },
  accountTypes: ['profile'],
  postTypes: POST_TYPES,
  // Bytes first: they bound the text whose graphemes are counted, which is slow.
  limits: [textLimit(3_000, 'bytes'), textLimit(300, 'graphemes'), ...mediaLimits(4)],
  countedText: (post) => ({ text: recordTextOf(post).text, parts: ['text'] }),
  mediaKinds: { status: ['photo', 'gif'], link: ['photo', 'gif'] },
  files: {
    photo: { maxBytes: 2_000_000 },
    gif: { firstFrame: true },
    video: { maxBytes: 100_000_000, formats: ['video/mp4'], maxSeconds: 180 },
  },
  dailyCaps: [dailyCap('post', [25, 50, 100], 'Decentralized microblog posts')],
  edits: [LABELS],
  editRate: null,
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'exact',
    guaranteeReason: 'The gateway chooses the key of the record, which exists at most once.',
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'gif', 'video'],
  },
  pace: { intervalMs: 1_000, maxConcurrent: 1 },
  numbers: {
    sources: {
      likes: '`app.bsky.feed.getPosts`: `likeCount`',
      comments: '`app.bsky.feed.getPosts`: `replyCount`',
      shares: '`app.bsky.feed.getPosts`: `repostCount` and `quoteCount`',
      saves: '`app.bsky.feed.getPosts`: `bookmarkCount`',
    },
    missing: 'Bluesky does not count views and clicks.',
  },
  postDomains: ['bsky.app'],
  adapter: {
    verified: true,
    note: 'Published posts cannot be edited on the network; labels can be changed in the gateway.',
    credentials: {
      service: {
        description: 'URL of the service that hosts the account. Default: https://bsky.social.',
        secret: false,
        optional: true,
      },
      handle: { description: 'Handle of the account, such as kiosk.bsky.social.', secret: false },
      appPassword: {
        description:
          'App password of the account (Settings → Privacy and security → App passwords).',
        secret: true,
      },
    },
    // `at://<account>/app.bsky.feed.post/<key>`
    remoteId: /^at:\/\/(did:[a-z]+:[\w.%:-]{1,256})\/app\.bsky\.feed\.post\/([\w.~:-]{1,512})$/,
  },
} as const satisfies NetworkDefinition;
