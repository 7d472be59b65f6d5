import type {
  ImportedMedia,
  ImportedPoll,
  ImportedPost,
} from '../../domain/imports/imported-post.js';
import type { MediaType } from '../../domain/posts/post.js';
import { isJsonObject } from '../../domain/input/readers.js';
import type { PostType } from '../../domain/vocabulary.js';
import { isWebAddress } from '../web-file.js';
import {
  addressOf,
  countOf,
  listOf,
  objectsOf,
  textOf,
  timeOf,
  type JsonObject,
} from './activity-json.js';
import { readAttachments } from './attachments.js';
import { audienceOf, type Audience } from './audience.js';
import { noteText } from './note-text.js';
import { readPoll } from './poll.js';
import type { SkipReason } from './skip-reasons.js';

const REPLY_LABEL = 'reply';
/** What a post that is not for everybody is marked with. */
const AUDIENCE_LABELS: Readonly<Record<Exclude<Audience, 'direct'>, string | null>> = {
  public: null,
  unlisted: 'unlisted',
  followers: 'followers only',
};

/** Notes, and polls, which are questions. */
const POSTS: ReadonlySet<unknown> = new Set(['Note', 'Question']);

/** The post that an activity of type `Create` published, or why it is none. */
export function toImportedPost(
  activity: JsonObject,
  mediaAddress: string | null,
): ImportedPost | SkipReason {
  const note = activity['object'];
  if (!isJsonObject(note)) return 'unreadable';
  if (!POSTS.has(note['type'])) return 'not_a_post';
  const sourceId = textOf(note['id']).trim();
  if (sourceId === '') return 'no_id';
  const actor = addressOf(note['attributedTo']) || addressOf(activity['actor']);
  const audience = audienceOf('to' in note || 'cc' in note ? note : activity, actor);
  if (audience === 'direct') return 'direct';
  const published = timeOf(note['published']) ?? timeOf(activity['published']);
  const html = contentOf(note);
  if (published === null || html === null) return 'unreadable';

  const { media, link } = readAttachments(note['attachment'], {
    server: originOf(actor),
    mediaAddress,
  });
  const quoted =
    addressOf(note['quote']) || addressOf(note['quoteUri']) || addressOf(note['quoteUrl']);
  const poll = readPoll(note, published);
  const url = quoted || link;
  const labels = [
    listOf(note['inReplyTo']).length === 0 ? null : REPLY_LABEL,
    AUDIENCE_LABELS[audience],
  ];
  return {
    source: actor.replace(/^https?:\/\//, ''),
    sourceId,
    remoteId: remoteIdOf(sourceId),
    cell: 'published_posted',
    type: typeOf(poll, media, url),
    title: textOf(note['summary']).trim() || null,
    text: noteText({ html, mentions: mentionsOf(note), hasQuote: quoted !== '' }),
    excerpt: null,
    url: url || null,
    postLink: addressOf(note['url']) || (isWebAddress(sourceId) ? sourceId : null),
    scheduledAt: published,
    createdAt: published,
    updatedAt: timeOf(note['updated']) ?? published,
    categories: [],
    tags: [],
    labels: labels.filter((label) => label !== null),
    language: languageOf(note, html),
    poll,
    media,
    featuredMedia: null,
    figures: {
      likes: countOf(note['likes']),
      comments: countOf(note['replies']),
      shares: countOf(note['shares']),
    },
    content: [],
  };
}

/** The HTML of a post, '' for one that is only files; null where it is neither. */
function contentOf(note: JsonObject): string | null {
  const { content, contentMap } = note;
  if (typeof content === 'string') return content;
  const [translated] = isJsonObject(contentMap) ? Object.values(contentMap) : [];
  if (typeof translated === 'string') return translated;
  return (content === null || content === undefined) && objectsOf(note['attachment']).length > 0
    ? ''
    : null;
}

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,4}$/i;

/** The language under which the post's own text stands. */
function languageOf({ contentMap }: JsonObject, html: string): string | null {
  if (!isJsonObject(contentMap)) return null;
  const languages = Object.entries(contentMap)
    .filter(([, content]) => content === html)
    .map(([language]) => language);
  return languages.find((language) => LANGUAGE.test(language)) ?? null;
}

const mentionsOf = (note: JsonObject): string[] =>
  objectsOf(note['tag'])
    .filter(({ type }) => type === 'Mention')
    .map(({ name }) => textOf(name))
    .filter((name) => name.startsWith('@'));

/** An account's server; over HTTPS, as all of them are. */
const originOf = (actor: string): string =>
  URL.canParse(actor) ? `https://${new URL(actor).host}` : '';

/** Mastodon's own id of a post is the number at the end of its address. */
const remoteIdOf = (id: string): string | null => /\/statuses\/(\d{1,20})$/.exec(id)?.[1] ?? null;

const TYPES_BY_MEDIA: Readonly<Record<MediaType, PostType>> = {
  photo: 'photo',
  gif: 'gif',
  video: 'video',
  document: 'status',
};

/** One of the types that Mastodon has: a sound is shown with a status. */
function typeOf(
  poll: ImportedPoll | null,
  [first]: readonly ImportedMedia[],
  url: string | null,
): PostType {
  if (poll !== null) return 'poll';
  if (first !== undefined) return TYPES_BY_MEDIA[first.type];
  return url ? 'link' : 'status';
}
