import type { ContentBlock, MediaType, PostAnalytics } from '../posts/post.js';
import type { Cell } from '../posts/states.js';
import type { PostType } from '../vocabulary.js';

/** The storage states an import can bring in: a blog has no approval steps, recycling or series to import. */
export type ImportedCell = Extract<
  Cell,
  | 'published_posted'
  | 'published_hidden'
  | 'scheduled'
  | 'scheduled_pending'
  | 'draft_dated'
  | 'draft_undated'
  | 'draft_public_dated'
  | 'draft_public_undated'
>;

/** A post as an export has it, in the product's words, before it has ids of ours. */
export interface ImportedPost {
  /** The blog or account the post is from, such as `blog.example/en`; '' where the export does not tell. */
  source: string;
  /** The post's id in its source: importing twice finds it again. */
  sourceId: string;
  /** What the network itself calls the post: an edit of it goes there. */
  remoteId: string | null;
  cell: ImportedCell;
  type: PostType;
  title: string | null;
  /** The body as plain text: paragraphs parted by an empty line. */
  text: string;
  excerpt: string | null;
  /** A blog's slug (D22), as the source spells it; elsewhere the address that the post links to. */
  url: string | null;
  /** Where the post can be seen; null unless it is published. */
  postLink: string | null;
  /** Publication time, past or planned, in whole seconds (D8); null for undated drafts. */
  scheduledAt: Date | null;
  /** Null where the source does not tell. */
  createdAt: Date | null;
  updatedAt: Date | null;
  /** Names, in the order of the source, each once. */
  categories: string[];
  tags: string[];
  /** Names of labels: what the source knows of the post and the product marks so. */
  labels: string[];
  /** As a language tag; null where the source does not tell. */
  language: string | null;
  poll: ImportedPoll | null;
  /** Featured image first, then media in the body's order, then what is only attached; each once; http(s) only. */
  media: ImportedMedia[];
  featuredMedia: ImportedMedia | null;
  /** What the source itself shows of the post's success. */
  figures: ImportedFigures;
  content: ContentBlock[];
}

export interface ImportedPoll {
  options: string[];
  /** Days (D6); null where it has no end. */
  duration: number | null;
}

/** Null where the source does not tell. A blog's comments are those that were approved, pingbacks and trackbacks included. */
export type ImportedFigures = Pick<PostAnalytics, 'likes' | 'comments' | 'shares'>;

export interface ImportedMedia {
  url: string;
  type: MediaType;
  altText: string | null;
  title: string | null;
  caption: string | null;
}

/** Where a file breaks: line counted from 1, column in characters from 0, byte from 0 (exact for valid UTF-8). */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

/** A source is read once, or twice, first for its library, then for its posts; `bytes` counts within the reading. */
export interface ReadingProgress {
  readonly kind: 'progress';
  readonly reading: 'library' | 'posts' | 'whole';
  readonly bytes: number;
  /** Items met in this reading, posts or not. */
  readonly items: number;
}

/** What reading an export yields, one by one; `Reason` is a word for why an item is no post. After `malformed` nothing follows. */
export type ImportRecord<Reason extends string = string> =
  | { readonly kind: 'post'; readonly post: ImportedPost }
  | {
      readonly kind: 'skipped';
      readonly reason: Reason;
      readonly sourceId: string | null;
      readonly postType: string | null;
      readonly title: string;
    }
  | ReadingProgress
  /** Files of the library that posts will miss, because there are more than can be remembered. */
  | { readonly kind: 'forgotten'; readonly files: number }
  | { readonly kind: 'malformed'; readonly reason: string; readonly position: FilePosition };
