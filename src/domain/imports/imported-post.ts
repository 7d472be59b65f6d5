import type { ContentBlock, MediaType } from '../posts/post-content.js';
import type { PostAnalytics } from '../numbers/numbers.js';
import type { StoredState } from '../posts/states.js';
import type { PostType } from '../enums.js';

/** The stored states of imported posts: exports contain no approvals, recycling or series. */
export type ImportedStoredState = Extract<
  StoredState,
  | 'published_posted'
  | 'published_hidden'
  | 'scheduled'
  | 'scheduled_pending'
  | 'draft_dated'
  | 'draft_undated'
  | 'draft_public_dated'
  | 'draft_public_undated'
>;

/** A post of an export, with the product's field names, before it has IDs. */
export interface ImportedPost {
  /**
   * The blog or account of the post, such as `blog.example/en`; '' if the export does not contain
   * it.
   */
  source: string;
  /** The post's ID in its source, which identifies it in later imports. */
  sourceId: string;
  /** The network's ID of the post, required to edit it there. */
  remoteId: string | null;
  storedState: ImportedStoredState;
  type: PostType;
  title: string | null;
  /** The body as plain text, with an empty line between paragraphs. */
  text: string;
  excerpt: string | null;
  /** A blog's slug (D22), as in the source; on other networks the URL that the post links to. */
  url: string | null;
  /** URL of the published post; null for other posts. */
  postLink: string | null;
  /** Publication time, past or scheduled, in whole seconds (D8); null for undated drafts. */
  scheduledAt: Date | null;
  /** Null if the source does not contain it. */
  createdAt: Date | null;
  updatedAt: Date | null;
  /** Distinct names, in the source's order. */
  categories: string[];
  tags: string[];
  /** Names of labels for properties of the source that the product has no field for. */
  labels: string[];
  /** Language tag; null if the source does not contain it. */
  language: string | null;
  poll: ImportedPoll | null;
  /**
   * Distinct http(s) media: the featured image, then those of the body in order, then attached
   * ones.
   */
  media: ImportedMedia[];
  featuredMedia: ImportedMedia | null;
  /** Metrics contained in the source. */
  engagement: ImportedEngagement;
  content: ContentBlock[];
}

/** A poll of an export. */
export interface ImportedPoll {
  options: string[];
  /** Days (D6); null if it has no end. */
  duration: number | null;
}

/**
 * Null if the source does not contain it. A blog's comments are the approved ones, including
 * pingbacks and trackbacks.
 */
export type ImportedEngagement = Pick<PostAnalytics, 'likes' | 'comments' | 'shares' | 'pollVotes'>;

/** Media of an export, with its absolute URL. */
export interface ImportedMedia {
  url: string;
  type: MediaType;
  altText: string | null;
  title: string | null;
  caption: string | null;
}

/**
 * Position of an error in a file: line from 1, column in characters from 0, byte from 0 (exact for
 * valid UTF-8).
 */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

/**
 * Progress of one pass over the source. A source is read once, or twice: first for its media
 * library, then for its posts. `bytes` counts within the pass.
 */
export interface ReadProgress {
  readonly kind: 'progress';
  readonly pass: 'library' | 'posts' | 'whole';
  readonly bytes: number;
  /** Items in this pass so far, whether posts or not. */
  readonly items: number;
}

/**
 * The records that a reader of an export yields. `Reason` is the reason for which an item is not a
 * post. `malformed` is the last record.
 */
export type ImportRecord<Reason extends string = string> =
  | { readonly kind: 'post'; readonly post: ImportedPost }
  | {
      readonly kind: 'skipped';
      readonly reason: Reason;
      readonly sourceId: string | null;
      readonly postType: string | null;
      readonly title: string;
    }
  | ReadProgress
  /**
   * Files of the media library that will be missing in posts, because the library is larger than
   * the importer's memory limit.
   */
  | { readonly kind: 'omitted_files'; readonly files: number }
  | { readonly kind: 'malformed'; readonly reason: string; readonly position: FilePosition };
