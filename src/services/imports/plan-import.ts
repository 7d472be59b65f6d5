import { createHash } from 'node:crypto';
import { blankPost } from '../../domain/posts/blank-post.js';
import { POSTS_ALONE, type Change, type PostWrite } from '../../domain/changes/change.js';
import { FIELD_LIMITS } from '../../domain/input/field-limits.js';
import { fitted, storable } from '../../domain/imports/fitted-text.js';
import type { ImportedMedia, ImportedPost } from '../../domain/imports/imported-post.js';
import {
  byLabelName,
  labelKey,
  type Account,
  type Attachment,
  type Label,
  type Media,
  type Post,
  type UserSummary,
} from '../../domain/posts/post.js';
import { resolveLabels } from '../posts/patch-references.js';
import type { Ids, PostStore } from '../ports.js';

/** Where an import goes, and as whose posts. */
export interface ImportTarget {
  readonly workspaceId: string;
  readonly account: Account;
  readonly member: UserSummary;
  /** The time of the import: that of posts whose source tells none, and of their figures. */
  readonly at: Date;
}

interface ImportPlanParts {
  readonly store: Pick<PostStore, 'mediaOf' | 'labelsNamed' | 'reserveIds'>;
  readonly ids: Ids;
}

/** What an import finds a post again by, whatever becomes of it here: one account may hold several blogs. */
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
} = FIELD_LIMITS.postPatch;

/** The post as far as it can be stored; `isCut` where text, title or excerpt is longer than that. Its content keeps all. */
export function fittedPost(imported: ImportedPost): { post: ImportedPost; isCut: boolean } {
  const post = storable(imported);
  const [text, title, excerpt] = [
    fitted(post.text, TEXT),
    post.title === null ? null : fitted(post.title, TITLE),
    post.excerpt === null ? null : fitted(post.excerpt, EXCERPT),
  ];
  return {
    post: { ...post, text, title, excerpt },
    isCut: text !== post.text || title !== post.title || excerpt !== post.excerpt,
  };
}

const MAX_URL = FIELD_LIMITS.media.path.maxLength;

/** An address as the library keeps it; null for one that is too long for it. */
const addressOf = ({ url }: ImportedMedia): string | null =>
  [...url].length > MAX_URL ? null : url.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());

/** A result's `alt_text` is what a request calls `caption` (D20), so the caption stands in for an alternative text. */
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

/** The workspace's media by address: what it has, and what the posts bring. */
async function mediaFor(
  { store, ids }: ImportPlanParts,
  workspaceId: string,
  posts: readonly ImportedPost[],
): Promise<{ ofUrl: Map<string, Media>; made: Media[] }> {
  const wanted = posts.flatMap((post) => post.media);
  const urls = [...new Set(wanted.flatMap((media) => addressOf(media) ?? []))];
  const ofUrl = new Map(
    (urls.length > 0 ? await store.mediaOf(workspaceId, [], urls) : []).map((media) => [
      media.url,
      media,
    ]),
  );
  const made: Media[] = [];
  for (const media of wanted) {
    const url = addressOf(media);
    if (url === null || ofUrl.has(url)) continue;
    const one = toMedia(ids.prefixed('med'), url, media);
    ofUrl.set(url, one);
    made.push(one);
  }
  return { ofUrl, made };
}

/**
 * The change that brings these posts in, whole: as they are in the source, of the account and by the member. Neither
 * caps nor approval apply (D39), so they hold no slots.
 */
export async function planImport(
  parts: ImportPlanParts,
  target: ImportTarget,
  posts: readonly ImportedPost[],
): Promise<Change> {
  const { workspaceId, member, at } = target;
  const { ofUrl, made } = await mediaFor(parts, workspaceId, posts);
  const asHere = (media: ImportedMedia): Media | null => {
    const url = addressOf(media);
    return url === null
      ? null
      : toMedia(ofUrl.get(url)!.id, url, { ...media, type: ofUrl.get(url)!.type });
  };
  const { labels, newLabels } = await resolveLabels(
    parts,
    workspaceId,
    posts.flatMap((post) => post.labels.map((name) => ({ name }))),
  );
  const labelOf = new Map(labels.map((label) => [labelKey(label.name), label]));
  const numbers = await parts.store.reserveIds(posts.length);
  const writes = posts.map((imported, index): PostWrite => {
    const media = imported.media.map(asHere).filter(isMedia);
    const after = toPost(target, imported, {
      id: parts.ids.document(),
      databaseId: numbers[index]!,
      media,
      featuredMedia: imported.featuredMedia && asHere(imported.featuredMedia),
      labels: imported.labels.map((name) => labelOf.get(labelKey(name))!).sort(byLabelName),
    });
    return { kind: 'insert', after, slots: [], importKey: importKeyOf(target, imported) };
  });
  return {
    ...POSTS_ALONE,
    workspaceId,
    userId: member.id,
    at,
    posts: writes,
    newLabels,
    newMedia: made.map((media) => ({ ...media, inLibrary: false })),
  };
}

const UNTOLD = {
  reach: null,
  engagement: null,
  engagementRate: null,
  saves: null,
  videoViews: null,
  linkClicks: null,
  postClicks: null,
  clickThroughRate: null,
  reachRate: null,
} as const;

interface OwnParts {
  readonly id: string;
  readonly databaseId: number;
  readonly media: readonly Media[];
  readonly featuredMedia: Media | null;
  readonly labels: Label[];
}

function toPost(
  { workspaceId, account, member, at }: ImportTarget,
  imported: ImportedPost,
  { id, databaseId, media, featuredMedia, labels }: OwnParts,
): Post {
  const {
    cell,
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
    figures,
  } = imported;
  return {
    ...blankPost(),
    id,
    databaseId,
    workspaceId,
    cell,
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
    analytics: { ...UNTOLD, ...figures, updatedAt: at },
  };
}
