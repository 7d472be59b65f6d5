import type { PostType } from '../../domain/enums.js';
import type {
  ImportedPost,
  ImportedPoll,
  ImportedMedia,
} from '../../domain/imports/imported-post.js';
import { toTime, isJsonObject } from '../../domain/input/readers.js';
import { parseUrl } from '../../domain/input/urls.js';
import type { MediaType } from '../../domain/posts/post-content.js';
import { POST_FIELDS } from '../../domain/posts/post-fields.js';
import { isWebUrl, mediaTypeOfUrl } from '../export-file.js';
import { toNoteText } from './note-text.js';

/** Reasons to skip an activity of an outbox, with their text in the import report. */
export const SKIP_REASONS = {
  boost: { description: 'Boosts of other posts.' },
  deletion: { description: 'Deletions of posts: they contain no post to import.' },
  other_activity: {
    description: 'Likes, follows, updates and other activities that are not posts.',
  },
  direct: { description: 'Direct messages: only their recipients may read them.' },
  not_a_post: { description: 'Articles, events and other objects that Mastodon does not create.' },
  no_id: { description: 'The post has no ID: a second import would duplicate it.' },
  unreadable: {
    description:
      'The item is malformed: it is not valid JSON, or it has no time, or neither text nor attachments.',
  },
  too_large: { description: 'The item exceeds the maximum size.' },
} as const satisfies Record<string, { description: string }>;
/** Key of SKIP_REASONS. */
export type SkipReason = keyof typeof SKIP_REASONS;

const REPLY_LABEL = 'reply';
/** Label of posts whose media are hidden without a content warning. */
const SENSITIVE_LABEL = 'sensitive';
/** Labels of posts that are not public. */
const AUDIENCE_LABELS: Readonly<Record<Exclude<Audience, 'direct'>, string | null>> = {
  public: null,
  unlisted: 'unlisted',
  followers: 'followers only',
};

/** A poll has the type Question. */
const POST_TYPES: ReadonlySet<unknown> = new Set(['Note', 'Question']);

/**
 * Converts an activity of type `Create` to the post that it published, or returns the reason to
 * skip it.
 */
export function toImportedPost(
  activity: JsonObject,
  mediaUrl: string | null,
): ImportedPost | SkipReason {
  const note = activity['object'];
  if (!isJsonObject(note)) return 'unreadable';
  if (!POST_TYPES.has(note['type'])) return 'not_a_post';
  const sourceId = readString(note['id']).trim();
  if (sourceId === '') return 'no_id';
  const actor = readUrl(note['attributedTo']) || readUrl(activity['actor']);
  const audience = readAudience('to' in note || 'cc' in note ? note : activity, actor);
  if (audience === 'direct') return 'direct';
  const published = readTime(note['published']) ?? readTime(activity['published']);
  const html = readContent(note);
  if (published === null || html === null) return 'unreadable';

  const { media, link } = readAttachments(note['attachment'], {
    serverUrl: toOrigin(actor),
    mediaUrl,
  });
  const quoted = readUrl(note['quote']) || readUrl(note['quoteUri']) || readUrl(note['quoteUrl']);
  const poll = readPoll(note, published);
  const url = quoted || link;
  const warning = readString(note['summary']).trim();
  const labels = [
    readList(note['inReplyTo']).length === 0 ? null : REPLY_LABEL,
    AUDIENCE_LABELS[audience],
    note['sensitive'] === true && warning === '' ? SENSITIVE_LABEL : null,
  ];
  return {
    source: actor.replace(/^https?:\/\//, ''),
    sourceId,
    remoteId: toRemoteId(sourceId),
    storedState: 'published_posted',
    type: toPostType(poll, media, url),
    title: warning || null,
    text: toNoteText({ html, mentions: readMentions(note), hasQuote: quoted !== '' }),
    excerpt: null,
    url: url || null,
    postLink: readUrl(note['url']) || (isWebUrl(sourceId) ? sourceId : null),
    scheduledAt: published,
    createdAt: published,
    updatedAt: readTime(note['updated']) ?? published,
    categories: [],
    tags: [],
    labels: labels.filter((label) => label !== null),
    language: readLanguage(note, html),
    poll,
    media,
    featuredMedia: null,
    engagement: {
      likes: readCount(note['likes']),
      comments: readCount(note['replies']),
      shares: readCount(note['shares']),
      pollVotes: readPollVotes(note),
    },
    content: [],
  };
}

/** The HTML of a post; '' if it consists only of files, null if it has neither. */
function readContent(note: JsonObject): string | null {
  const { content, contentMap } = note;
  if (typeof content === 'string') return content;
  const [translated] = isJsonObject(contentMap) ? Object.values(contentMap) : [];
  if (typeof translated === 'string') return translated;
  return (content === null || content === undefined) && readObjects(note['attachment']).length > 0
    ? ''
    : null;
}

/** The language of the post: the key in `contentMap` whose text is that of the post. */
function readLanguage({ contentMap }: JsonObject, html: string): string | null {
  if (!isJsonObject(contentMap)) return null;
  const languages = Object.entries(contentMap)
    .filter(([, content]) => content === html)
    .map(([key]) => readLanguageTag(key));
  return languages.find((language) => language !== null) ?? null;
}

const readMentions = (note: JsonObject): string[] =>
  readObjects(note['tag'])
    .filter(({ type }) => type === 'Mention')
    .map(({ name }) => readString(name))
    .filter((name) => name.startsWith('@'));

/** Origin of an account's server; always https. */
function toOrigin(actor: string): string {
  const url = parseUrl(actor);
  return url ? `https://${url.host}` : '';
}

/** Mastodon's post ID is the number at the end of its URL. */
const toRemoteId = (id: string): string | null => /\/statuses\/(\d{1,20})$/.exec(id)?.[1] ?? null;

const POST_TYPE_BY_MEDIA_TYPE: Readonly<Record<MediaType, PostType>> = {
  photo: 'photo',
  gif: 'gif',
  video: 'video',
  document: 'status',
};

/** Audio files are attached to a status. */
function toPostType(
  poll: ImportedPoll | null,
  [first]: readonly ImportedMedia[],
  url: string | null,
): PostType {
  if (poll !== null) return 'poll';
  if (first !== undefined) return POST_TYPE_BY_MEDIA_TYPE[first.type];
  return url ? 'link' : 'status';
}

/** Location of an archive's files on the web. */
interface MediaLocation {
  /**
   * Origin of the account's server, such as `https://mastodon.example`; '' if the archive does not
   * contain it.
   */
  readonly serverUrl: string;
  /** Base URL of the archive's media paths; null if the server itself hosts them. */
  readonly mediaUrl: string | null;
}

const MEDIA_TYPES: readonly (readonly [RegExp, MediaType])[] = [
  [/^image\/gif$/i, 'gif'],
  [/^image\//i, 'photo'],
  [/^video\//i, 'video'],
  [/./, 'document'],
];
/** By the attachment's media type, or by the file name if it has none. */
const toMediaType = (mediaType: string, url: string): MediaType =>
  MEDIA_TYPES.find(([pattern]) => pattern.test(mediaType))?.[1] ?? mediaTypeOfUrl(url, 'photo');

/** Path of a server's local storage, which the archive omits from file paths. */
const LOCAL_STORAGE_PATH = '/system/';

/**
 * The https URL of a file (D20); null if there is none. An archive contains only the path of the
 * URL, without `/system/` if the server stores its files locally.
 */
function toFileUrl(path: string, { serverUrl, mediaUrl }: MediaLocation): string | null {
  if (isWebUrl(path)) return path.replace(/^http:/i, 'https:');
  const base =
    mediaUrl ?? (path.startsWith('/') ? serverUrl : serverUrl && serverUrl + LOCAL_STORAGE_PATH);
  if (path === '' || base === '' || path.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(path))
    return null;
  return `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}

/** The path or URL of a file. Unlike `readUrl`, accepts paths, which archives contain. */
const readPath = (attachment: JsonObject): string =>
  (readString(attachment['url']) || readUrl(attachment['url'])).trim();

/** The files of a post without duplicates, and the URL of its link preview. */
function readAttachments(
  value: unknown,
  location: MediaLocation,
): { media: ImportedMedia[]; link: string | null } {
  const attachments = readObjects(value);
  const links = attachments.filter(({ type }) => type === 'Link').map(({ href }) => readUrl(href));
  const media = new Map<string, ImportedMedia>();
  for (const attachment of attachments) {
    const url = attachment['type'] === 'Link' ? null : toFileUrl(readPath(attachment), location);
    if (url !== null)
      media.set(url, {
        url,
        type: toMediaType(readString(attachment['mediaType']), url),
        altText: readString(attachment['name']) || null,
        title: null,
        caption: null,
      });
  }
  return { media: [...media.values()], link: links.find((link) => link !== '') ?? null };
}

/**
 * Audience of a post: everyone, everyone but not listed in timelines, followers, or only mentioned
 * accounts.
 */
type Audience = 'public' | 'unlisted' | 'followers' | 'direct';

/** The three spellings of the public collection. */
const PUBLIC_COLLECTION: ReadonlySet<unknown> = new Set([
  'https://www.w3.org/ns/activitystreams#Public',
  'as:Public',
  'Public',
]);

/**
 * Mastodon puts the public collection in `to` for public posts and in `cc` for unlisted ones;
 * followers-only posts name only the followers collection.
 */
function readAudience(note: JsonObject, actor: string): Audience {
  const [to, cc] = [readList(note['to']), readList(note['cc'])];
  if (to.some((recipient) => PUBLIC_COLLECTION.has(recipient))) return 'public';
  if (cc.some((recipient) => PUBLIC_COLLECTION.has(recipient))) return 'unlisted';
  return [...to, ...cc].some((recipient) => readUrl(recipient) === `${actor}/followers`)
    ? 'followers'
    : 'direct';
}

const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,4}$/i;
/** The start of a subtag in a key that was converted to camel case. */
const CAMEL_CASE_SUBTAG = /(?<=[a-z\d])(?=[A-Z])/g;

/**
 * Reads the key of a translation as a language tag; null if it is none. Mastodon writes the keys of
 * archives in camel case: `zhCn` for zh-CN, `srLatn` for sr-Latn.
 */
export function readLanguageTag(key: string): string | null {
  const tag = key.includes('-') ? key : key.replace(CAMEL_CASE_SUBTAG, '-');
  if (!LANGUAGE_TAG.test(tag)) return null;
  const [language = '', ...subtags] = tag.toLowerCase().split('-');
  return [language, ...subtags.map(toSubtag)].join('-');
}

/** Scripts have four letters and are capitalized; regions have two letters, in capitals. */
function toSubtag(subtag: string): string {
  if (/^[a-z]{4}$/.test(subtag)) return subtag.charAt(0).toUpperCase() + subtag.slice(1);
  return /^[a-z]{2}$/.test(subtag) ? subtag.toUpperCase() : subtag;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const { minimum: MIN_DAYS, maximum: MAX_DAYS } = POST_FIELDS.duration.limit;

/** Options and duration of a poll in days, rounded up (D6); null if the note is not a poll. */
function readPoll(note: JsonObject, published: Date): ImportedPoll | null {
  const options = readChoices(note).map(readName);
  if (options.length === 0) return null;
  const end = readTime(note['endTime']) ?? readTime(note['closed']);
  const days = end === null ? null : Math.ceil((end.getTime() - published.getTime()) / DAY_MS);
  return { options, duration: days === null ? null : Math.min(MAX_DAYS, Math.max(MIN_DAYS, days)) };
}

/** Votes of each option: the replies to it. Null if the archive does not contain all of them. */
function readPollVotes(note: JsonObject): number[] | null {
  const votes = readChoices(note).flatMap(({ replies }) => readCount(replies) ?? []);
  return votes.length > 0 && votes.length === readChoices(note).length ? votes : null;
}

const readName = ({ name }: JsonObject): string => readString(name).trim();

const readChoices = (note: JsonObject): JsonObject[] =>
  [...readObjects(note['oneOf']), ...readObjects(note['anyOf'])].filter(
    (choice) => readName(choice) !== '',
  );

/** An untrusted ActivityStreams object, as parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The string, or '' for any other value. */
export const readString = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The items of a list. ActivityStreams represents a list of one item as the item, and omits an
 * empty list or uses null.
 */
const readList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

/** The objects in a list. */
const readObjects = (value: unknown): readonly JsonObject[] => readList(value).filter(isJsonObject);

/** The first http(s) URL: a string, or the URL of a link or an object; '' if there is none. */
export function readUrl(value: unknown): string {
  const urls = readList(value).map((item) =>
    (isJsonObject(item)
      ? readString(item['href']) || readString(item['id']) || readString(item['url'])
      : readString(item)
    ).trim(),
  );
  return urls.find(isWebUrl) ?? '';
}

/** A time with a time zone; null if it is missing or does not exist. */
function readTime(value: unknown): Date | null {
  const time = toTime(readString(value));
  return time === null ? null : new Date(time);
}

const MAX_COUNT = 2 ** 31 - 1;

/** The number of items that a collection declares. */
function readCount(collection: unknown): number | null {
  const count = isJsonObject(collection) ? collection['totalItems'] : null;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT
    ? count
    : null;
}
