import type {
  ImportedMedia,
  ImportedPoll,
  ImportedPost,
} from '../../domain/imports/imported-post.js';
import type { MediaType } from '../../domain/posts/post-content.js';
import { parseUrl } from '../../domain/input/urls.js';
import { isJsonObject } from '../../domain/input/readers.js';
import type { PostType } from '../../domain/enums.js';
import { isWebUrl } from '../web-url.js';
import {
  readUrl,
  readCount,
  readList,
  readObjects,
  readString,
  readTime,
  type JsonObject,
} from './activity-json.js';
import { readAttachments } from './attachments.js';
import { readAudience, type Audience } from './audience.js';
import { readLanguageTag } from './language-tag.js';
import { toNoteText } from './note-text.js';
import { readPoll, readPollVotes } from './poll.js';
import type { SkipReason } from './skip-reasons.js';

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
