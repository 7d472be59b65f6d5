import { createHash } from 'node:crypto';
import { EMPTY_CHANGE, type Change, type PostWrite } from '../../domain/changes/change.js';
import { POST_FIELD_LIMITS } from '../../domain/posts/post-fields.js';
import { MEDIA } from '../../domain/posts/post-settings.js';
import type {
  ImportedEngagement,
  ImportedMedia,
  ImportedPost,
} from '../../domain/imports/imported-post.js';
import { toAnalytics, type PostAnalytics } from '../../domain/numbers/numbers.js';
import { type Post, BLANK_POST, type Account, type UserSummary } from '../../domain/posts/post.js';
import {
  byLabelName,
  labelKey,
  type Label,
  type Attachment,
  type Media,
} from '../../domain/posts/post-content.js';
import { resolveLabels } from '../posts/patch-references.js';
import type { Ids } from '../ids.js';
import type { PostStore } from '../../persistence/posts/post-store.js';

/** Characters that PostgreSQL cannot store: NUL, and lone surrogates, which UTF-8 cannot encode. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;
const REPLACEMENT = '\ufffd';

/** A faster check, with false positives: such characters are rare. */
const SUSPECT = /[\0\ud800-\udfff]/;

function isSuspect(value: unknown): boolean {
  if (typeof value === 'string') return SUSPECT.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => SUSPECT.test(key) || isSuspect(inner));
}

/**
 * Replaces unstorable characters by U+FFFD in all strings of a value, including keys. Dates are
 * kept. For JSON without cycles.
 */
export const toStorable = <T>(value: T): T => (isSuspect(value) ? replaceUnstorable(value) : value);

function replaceUnstorable<T>(value: T): T {
  if (typeof value === 'string') return value.replace(UNSTORABLE, REPLACEMENT) as T;
  if (Array.isArray(value)) return value.map(replaceUnstorable) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [replaceUnstorable(key), replaceUnstorable(inner)]),
  ) as T;
}

/** Longer words are split: truncating before them would lose too much text. */
const MAX_WORD_LENGTH = 200;

/**
 * A text truncated to `maxLength` code points, between words if possible, without whitespace at the
 * end.
 */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = 0;
  for (let count = 0; count < maxLength && end < text.length; count += 1)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  if (end === text.length) return text;
  const prefix = text.slice(0, end);
  if (/\s/.test(text.charAt(end))) return prefix.trimEnd();
  const space = prefix.slice(-MAX_WORD_LENGTH).search(/\s\S*$/);
  return space < 0
    ? prefix
    : prefix.slice(0, prefix.length - Math.min(MAX_WORD_LENGTH, prefix.length) + space).trimEnd();
}

/** The account that an import adds posts to, and their creator. */
export interface ImportTarget {
  readonly workspaceId: string;
  readonly account: Account;
  readonly member: UserSummary;
  /**
   * Start of the import: the creation time of posts whose source contains none, and the time of
   * their metrics.
   */
  readonly at: Date;
}

export interface ImportPlanDependencies {
  readonly store: Pick<PostStore, 'findMedia' | 'labelsByName' | 'reserveIds'>;
  readonly ids: Ids;
}

/**
 * The key that identifies a post in later imports, even after it was edited or deleted. It includes
 * `source`, because one account may have several blogs.
 */
export const importKeyOf = (
  { account }: Pick<ImportTarget, 'account'>,
  { source, sourceId }: Pick<ImportedPost, 'source' | 'sourceId'>,
): string =>
  `${account.network}:${createHash('sha256')
    .update(JSON.stringify([account.id, source, sourceId]))
    .digest('base64url')}`;

const {
  text: { maxLength: TEXT },
  title: { maxLength: TITLE },
  excerpt: { maxLength: EXCERPT },
} = POST_FIELD_LIMITS;

/**
 * The post without unstorable characters; `isTruncated` if text, title or excerpt exceeded its
 * maximum length. The content blocks are not truncated.
 */
export function toStorablePost(imported: ImportedPost): {
  post: ImportedPost;
  isTruncated: boolean;
} {
  const post = toStorable(imported);
  const [text, title, excerpt] = [
    truncateText(post.text, TEXT),
    post.title === null ? null : truncateText(post.title, TITLE),
    post.excerpt === null ? null : truncateText(post.excerpt, EXCERPT),
  ];
  return {
    post: { ...post, text, title, excerpt },
    isTruncated: text !== post.text || title !== post.title || excerpt !== post.excerpt,
  };
}

const MAX_URL = MEDIA.path.limit.maxLength;

/** The URL as stored, with a lowercase scheme; null if it is too long. */
const storedUrlOf = ({ url }: ImportedMedia): string | null =>
  [...url].length > MAX_URL ? null : url.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());

/**
 * `alt_text` of a response is called `caption` in a request (D20), so the caption is the fallback
 * for the alternative text.
 */
const toMedia = (
  id: string,
  url: string,
  { type, altText, caption, title }: ImportedMedia,
): Media => ({ id, type, url, altText: altText ?? caption, title });

const isMedia = (media: Media | null): media is Media => media !== null;
const toAttachment = (media: Media): Attachment => ({
  ...media,
  defaultThumbnail: null,
  thumbnails: null,
  userTags: [],
  collaboratorTags: [],
  productTags: [],
});

/** The media of the posts by URL: existing ones of the workspace, and those to create. */
async function mediaFor(
  { store, ids }: ImportPlanDependencies,
  scope: Parameters<PostStore['findMedia']>[0],
  posts: readonly ImportedPost[],
): Promise<{ byUrl: Map<string, Media>; created: Media[] }> {
  const postMedia = posts.flatMap((post) => post.media);
  const urls = [...new Set(postMedia.flatMap((media) => storedUrlOf(media) ?? []))];
  const existing = urls.length > 0 ? await store.findMedia(scope, [], urls) : [];
  const byUrl = new Map<string, Media>(
    existing.map(({ file: _file, ...media }) => [media.url, media]),
  );
  const created: Media[] = [];
  for (const media of postMedia) {
    const url = storedUrlOf(media);
    if (url === null || byUrl.has(url)) continue;
    const newMedia = toMedia(ids.prefixed('med'), url, media);
    byUrl.set(url, newMedia);
    created.push(newMedia);
  }
  return { byUrl, created };
}

/**
 * The change that imports these posts. Neither daily caps nor approval apply to imported posts, so
 * they have no cap slots (D39).
 */
export async function planImport(
  dependencies: ImportPlanDependencies,
  target: ImportTarget,
  posts: readonly ImportedPost[],
): Promise<Change> {
  const { workspaceId, member, at } = target;
  const { byUrl, created } = await mediaFor(
    dependencies,
    { workspaceId, userId: member.id },
    posts,
  );
  const toWorkspaceMedia = (media: ImportedMedia): Media | null => {
    const url = storedUrlOf(media);
    return url === null
      ? null
      : toMedia(byUrl.get(url)!.id, url, { ...media, type: byUrl.get(url)!.type });
  };
  const { labels, newLabels } = await resolveLabels(
    dependencies,
    workspaceId,
    posts.flatMap((post) => post.labels.map((name) => ({ name }))),
  );
  const labelByKey = new Map(labels.map((label) => [labelKey(label.name), label]));
  const databaseIds = await dependencies.store.reserveIds(posts.length);
  const writes = posts.map((imported, index): PostWrite => {
    const media = imported.media.map(toWorkspaceMedia).filter(isMedia);
    const after = toPost(target, imported, {
      id: dependencies.ids.document(),
      databaseId: databaseIds[index]!,
      media,
      featuredMedia: imported.featuredMedia && toWorkspaceMedia(imported.featuredMedia),
      labels: imported.labels.map((name) => labelByKey.get(labelKey(name))!).sort(byLabelName),
    });
    return { kind: 'insert', after, slots: [], importKey: importKeyOf(target, imported) };
  });
  return {
    ...EMPTY_CHANGE,
    workspaceId,
    actor: { userId: member.id, keyId: null, api: 'import' },
    at,
    posts: writes,
    newLabels,
    newMedia: created.map((media) => ({ ...media, inLibrary: false })),
  };
}

/** Null if the source contains no metrics. */
const importedAnalytics = (engagement: ImportedEngagement, at: Date): PostAnalytics | null =>
  Object.values(engagement).every((metric) => metric === null) ? null : toAnalytics(engagement, at);

interface ResolvedParts {
  readonly id: string;
  readonly databaseId: number;
  readonly media: readonly Media[];
  readonly featuredMedia: Media | null;
  readonly labels: Label[];
}

function toPost(
  { workspaceId, account, member, at }: ImportTarget,
  imported: ImportedPost,
  { id, databaseId, media, featuredMedia, labels }: ResolvedParts,
): Post {
  const {
    storedState,
    type,
    title,
    text,
    excerpt,
    url,
    postLink,
    remoteId,
    scheduledAt,
    categories,
    tags,
    content,
    language,
    poll,
    engagement,
  } = imported;
  return {
    ...BLANK_POST,
    id,
    databaseId,
    workspaceId,
    storedState,
    type,
    network: account.network,
    account,
    accountId: account.id,
    user: member,
    creatorId: member.id,
    text,
    title,
    excerpt,
    url,
    postLink,
    remoteId,
    categories,
    tags,
    labels,
    content,
    featuredMedia,
    media: media.map(toAttachment),
    hasMedia: media.length > 0,
    details: language === null ? null : { language },
    options: poll?.options ?? [],
    duration: poll?.duration ?? null,
    scheduledAt: scheduledAt && new Date(Math.floor(scheduledAt.getTime() / 1000) * 1000),
    createdAt: imported.createdAt ?? at,
    updatedAt: imported.updatedAt ?? at,
    origin: 'imported',
    analytics: importedAnalytics(engagement, at),
  };
}
