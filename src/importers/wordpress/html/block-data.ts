import type { MediaType } from '../../../domain/posts/post.js';

/** What each block that is made here has in its `data`. `text`, `caption` and cells have inline markup, the rest is plain. */
export interface BlockData {
  paragraph: { text: string };
  header: { text: string; /** 1 to 6. */ level: number };
  list: ListData;
  media: {
    url: string;
    type: MediaType;
    alt: string;
    caption: string;
    /** Where the picture leads, or ''. */ link: string;
  };
  table: {
    caption: string;
    /** Whether the first row names the columns. */ header: boolean;
    rows: string[][];
  };
  /** `mark`: WordPress's end of the teaser or of a page, or null for a plain line. */
  delimiter: { mark: 'more' | 'page' | null };
  code: { code: string };
  html: { html: string };
  quote: { text: string; caption: string };
}
export interface ListData {
  style: 'ordered' | 'unordered';
  items: ListItem[];
}
/** An item; `items` are those of the list inside it, in `style`. */
export interface ListItem {
  text: string;
  style: ListData['style'];
  items: ListItem[];
}

/** A picture or film in a body; texts plain, '' where there is none. */
export interface BodyMedia {
  readonly url: string;
  readonly type: MediaType;
  readonly alt: string;
  readonly title: string;
  readonly caption: string;
  /** The file's id in the blog's library, where the body tells. */
  readonly libraryId: string | null;
}
