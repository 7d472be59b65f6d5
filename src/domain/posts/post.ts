import type { AccountType, Network } from '../networks/networks.js';
import type { Cell } from './states.js';
import type { PostType, SyncStatus } from '../vocabulary.js';

/** Time is kept in whole seconds for `scheduledAt` (D8), in milliseconds elsewhere. */
export interface Post {
  /** Document identifier, 24 hex digits: the one that is shown (D3). */
  id: string;
  /** Relational identifier: resolves inside its workspace only (D3). */
  databaseId: number;
  workspaceId: string;
  /** Raised by one with every effective change (D26). */
  version: number;
  cell: Cell;
  type: PostType;
  network: Network | null;
  accountId: string | null;
  creatorId: string;
  text: string;
  title: string | null;
  excerpt: string | null;
  question: string | null;
  /** Poll duration in days (D6). */
  duration: number | null;
  url: string | null;
  scheduledAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  postLink: string | null;
  /** The network's own id of the post: what an edit there addresses. Null where it was never told. */
  remoteId: string | null;
  auto: boolean;
  /** Handed to publication and not finished (D12). */
  queuedAt: Date | null;
  /** The series this post is a child of (D17). */
  parentId: number | null;
  hasMedia: boolean;
  /** `details.reminder`: a queued reminder may be deleted (D12, delete rule 4). */
  reminder: boolean;
  /** Where the post came from: analytics exist for imported and synced posts only (D7). */
  origin: PostOrigin;
  featuredMedia: Media | null;
  /** Without its `url`, which is the post's own (D20); see linkOf. */
  link: Link | null;
  details: PostDetails | null;
  recycling: Recycling | null;
  recurring: RecurringRule | null;
  content: ContentBlock[];
  location: Location | null;
  options: string[];
  tags: string[];
  categories: string[];
  sublinks: Link[];
  /** Fields a child of a series has changed for itself: later series edits leave them (D23). */
  ownFields: string[];
  /** A series one of whose children is queued: it cannot be deleted now (D23). */
  hasQueuedChild: boolean;
  media: Attachment[];
  labels: Label[];
  user: UserSummary;
  account: Account | null;
  analytics: PostAnalytics | null;
  networkSync: NetworkSync | null;
}

type PostOrigin = 'service' | 'imported' | 'synced';

export interface UserSummary {
  id: string;
  name: string;
  picture: string | null;
}
/** A connected social account; `socialId` is shown to owners and admins only (D44). */
export interface Account {
  id: string;
  type: AccountType;
  name: string;
  picture: string | null;
  network: Network;
  socialId: string;
  needsReauth: boolean;
  /** Whether it lives on the sandbox network: nothing of it leaves the service. */
  sandbox: boolean;
}
export interface Label {
  id: string;
  name: string;
  color: string;
}
/** Labels are a set, shown by name. */
export const byLabelName = (a: Label, b: Label): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;
export interface Location {
  id: string;
  name: string | null;
}
export interface ContentBlock {
  type: ContentBlockType;
  data: unknown;
}

export const CONTENT_BLOCK_TYPES = [
  'paragraph',
  'header',
  'list',
  'media',
  'table',
  'delimiter',
  'code',
  'html',
  'quote',
] as const;
export type ContentBlockType = (typeof CONTENT_BLOCK_TYPES)[number];
export const MEDIA_TYPES = ['photo', 'video', 'gif', 'document'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** One item of the workspace's library. `url` is the request's `path`, `altText` its `caption` (D20). */
export interface Media {
  id: string;
  type: MediaType;
  url: string;
  altText: string | null;
  title: string | null;
}

/** Media as a post carries it, in the post's order, with what belongs to this post alone. */
export interface Attachment extends Media {
  defaultThumbnail: string | null;
  thumbnails: { real?: string | null; small?: string | null } | null;
  userTags: MediaTag[];
  collaboratorTags: MediaTag[];
  productTags: MediaTag[];
}
export interface MediaTag {
  id?: string | null;
  name?: string | null;
  x?: number | null;
  y?: number | null;
}

export interface Link {
  url?: string | null;
  callToAction?: string | null;
  phoneNumber?: string | null;
  providerDisplay?: string | null;
  originalDescription?: string | null;
  originalTitle?: string | null;
  description?: string | null;
  title?: string | null;
  defaultImage?: string | null;
  images?: string[] | null;
  originalImages?: string[] | null;
}

export interface PostDetails {
  type?: string | null;
  feed?: boolean | null;
  reminder?: boolean | null;
  title?: string | null;
  start?: string | null;
  end?: string | null;
  coupon?: string | null;
  terms?: string | null;
  audio?: string | null;
  privacy?: string | null;
  comment?: boolean | null;
  duet?: boolean | null;
  stitch?: boolean | null;
  promotional?: boolean | null;
  paid?: boolean | null;
  language?: string | null;
  autoAddMusic?: boolean | null;
  textFormatPresetId?: string | null;
  boost?: boolean | null;
  sponsor?: Sponsor | null;
}
export interface Sponsor {
  id?: string | null;
  name?: string | null;
  verified?: boolean | null;
  boost?: boolean | null;
}

export const GAP_FREQUENCIES = ['days', 'weeks', 'months'] as const;
export type GapFrequency = (typeof GAP_FREQUENCIES)[number];
export interface Recycling {
  solo?: boolean | null;
  gap?: number | null;
  gapFreq?: GapFrequency | null;
  label?: string | null;
  /** YYYY-MM-DD. */
  startDate?: string | null;
  expireDate?: string | null;
  /** Number of recycles before expiry. */
  expireCount?: number | null;
}

export const REPEATS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
type Repeat = (typeof REPEATS)[number];
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
/** A series' rule, in the request's words; times are ISO 8601 with the workspace's offset resolved to UTC. */
export interface RecurringRule {
  startDate?: string | null;
  endDate?: string | null;
  repeat?: Repeat | null;
  repeatRate?: number | null;
  /** 0 to 6, 0 = Monday. */
  daysOfWeek?: number[] | null;
}

/** Figures a network reported; rates are fractions of 1 as the network gives them (D7). */
export interface PostAnalytics {
  reach: number | null;
  engagement: number | null;
  engagementRate: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  saves: number | null;
  videoViews: number | null;
  linkClicks: number | null;
  postClicks: number | null;
  clickThroughRate: number | null;
  reachRate: number | null;
  updatedAt: Date;
}

/** How far the last change of a published post has come on its network (D22). */
export interface NetworkSync {
  status: SyncStatus;
  jobId: string | null;
  /** The text last known to be live; null where the network shows none of its own, as a blog. */
  liveText: string | null;
  error: string | null;
  attemptedAt: Date | null;
}

/** The document's 20 fields of an update, plus `scheduledAt` (D29). Absent keeps, null clears (D20). */
export interface PostPatch {
  type?: PostType;
  text?: string | null;
  url?: string | null;
  title?: string | null;
  excerpt?: string | null;
  question?: string | null;
  duration?: number | null;
  featuredMedia?: { path: string } | null;
  media?: MediaPatch[] | null;
  link?: Link | null;
  details?: PostDetails | null;
  recycling?: Recycling | null;
  recurring?: RecurringRule | null;
  content?: ContentBlock[] | null;
  location?: Location | null;
  labels?: LabelPatch[] | null;
  options?: string[] | null;
  tags?: string[] | null;
  categories?: string[] | null;
  sublinks?: Link[] | null;
  scheduledAt?: Date | null;
}
export type PatchField = keyof PostPatch;
export const PATCH_FIELDS = [
  'type',
  'text',
  'url',
  'title',
  'excerpt',
  'question',
  'duration',
  'featuredMedia',
  'media',
  'link',
  'details',
  'recycling',
  'recurring',
  'content',
  'location',
  'labels',
  'options',
  'tags',
  'categories',
  'sublinks',
  'scheduledAt',
] as const satisfies readonly PatchField[];

export interface MediaPatch {
  id?: string | null;
  path?: string | null;
  title?: string | null;
  caption?: string | null;
  inLibrary?: boolean | null;
  defaultThumbnail?: string | null;
  thumbnails?: { real?: string | null; small?: string | null } | null;
  userTags?: MediaTag[] | null;
  collaboratorTags?: MediaTag[] | null;
  productTags?: MediaTag[] | null;
}
export interface LabelPatch {
  name: string;
  color?: string | null;
}

/** Two names of a label are one where they differ in case only (D20). */
export const labelKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/**
 * The link as shown: `url` and `link.url` are one value (D20). On a blog `url` is the slug, so its link keeps an own one.
 */
export function linkOf(
  post: Pick<Post, 'url' | 'link' | 'network'>,
): (Link & { url: string }) | null {
  const url = post.network === 'wordpress' ? post.link?.url : post.url;
  return url ? { ...post.link, url } : null;
}

/** The picture a link is shown with. */
export const linkImage = (link: Link): string | null =>
  link.defaultImage ?? link.images?.[0] ?? null;

const TYPE_BY_EXTENSION: Readonly<Record<string, MediaType>> = {
  gif: 'gif',
  mp4: 'video',
  mov: 'video',
  webm: 'video',
  m4v: 'video',
  avi: 'video',
  mkv: 'video',
  pdf: 'document',
  doc: 'document',
  docx: 'document',
  ppt: 'document',
  pptx: 'document',
  odt: 'document',
};
/** What a media path holds, from its extension: the server never fetches it (D20). */
export const mediaTypeOf = (path: string): MediaType =>
  TYPE_BY_EXTENSION[/\.([a-z0-9]+)(?:[?#].*)?$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'photo';
