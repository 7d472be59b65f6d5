import type { MediaType } from '../../../domain/posts/post-content.js';

/**
 * The `data` of each block type that the importer creates. `text`, `caption` and cells contain
 * inline markup; other texts are plain.
 */
export interface BlockData {
  paragraph: { text: string };
  header: { text: string; /** 1 to 6. */ level: number };
  list: ListData;
  media: {
    url: string;
    type: MediaType;
    alt: string;
    caption: string;
    /** URL that the picture links to, or ''. */ link: string;
  };
  table: {
    caption: string;
    /** Whether the first row contains column headers. */ header: boolean;
    rows: string[][];
  };
  /** `mark`: end of the teaser (`more`) or of a page in WordPress; null for a horizontal line. */
  delimiter: { mark: 'more' | 'page' | null };
  code: { code: string };
  html: { html: string };
  quote: { text: string; caption: string };
}
/** A list. */
export interface ListData {
  style: 'ordered' | 'unordered';
  items: ListItem[];
}
/** A list item; `items` and `style` are those of its nested list. */
export interface ListItem {
  text: string;
  style: ListData['style'];
  items: ListItem[];
}

/** A picture or video in a body. Texts are plain, '' if missing. */
export interface BodyMedia {
  readonly url: string;
  readonly type: MediaType;
  readonly alt: string;
  readonly title: string;
  readonly caption: string;
  /** ID of the file in the blog's media library; null if the body does not contain it. */
  readonly libraryId: string | null;
}
