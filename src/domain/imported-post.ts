import type { ContentBlock, MediaType } from './post.js';
import type { Cell } from './states.js';

/** The storage states an import can bring in: a blog has no approval steps, recycling or series to import. */
export type ImportedCell = Extract<Cell,
  | 'published_posted' | 'published_hidden' | 'scheduled' | 'scheduled_pending'
  | 'draft_dated' | 'draft_undated' | 'draft_public_dated' | 'draft_public_undated'>;

/** A post as an export has it, in the product's words, before it has ids of ours. */
export interface ImportedPost {
  /** The post's id in its source: importing twice finds it again. */
  sourceId: string;
  cell: ImportedCell;
  type: 'article';
  title: string;
  /** The body as plain text: paragraphs parted by an empty line. */
  text: string;
  excerpt: string | null;
  /** The slug (D22), as the source spells it. */
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
  /** Featured image first, then media in the body's order, then what is only attached; each once; http(s) only. */
  media: ImportedMedia[];
  featuredMedia: ImportedMedia | null;
  /** Approved comments, pingbacks and trackbacks included: the number the blog itself shows. */
  commentCount: number;
  content: ContentBlock[];
}

export interface ImportedMedia {
  url: string;
  type: MediaType;
  altText: string | null;
  title: string | null;
  caption: string | null;
}
