/** Length of a text in Unicode code points, the unit of all limits (D22). */
export const codePoints = (text: string): number => [...text].length;

/** Bounds of one field, with the keywords of JSON Schema. Lengths are in code points. */
export interface FieldLimit {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  /** Bounds of each item of a list. */
  readonly items?: FieldLimit;
}

/** The default for strings, enough for a URL. */
const SHORT = { maxLength: 2_048 } as const;
const ID = { minLength: 1, maxLength: 200 } as const;
const LONG = { maxLength: 20_000 } as const;
const COUNT = { minimum: 1, maximum: 1_000 } as const;
const TAGS = { maxItems: 100, items: { minLength: 1, maxLength: 200 } } as const;
const IMAGES = { maxItems: 50, items: SHORT } as const;

/**
 * The bounds of patch fields, by shape (`link` and `sublinks` share the shape of a link). readPatch
 * checks them, the reference pages print them, and those of text, title and excerpt equal the
 * database's constraints.
 */
export const FIELD_LIMITS = {
  postPatch: {
    text: { maxLength: 100_000 },
    title: { maxLength: 2_000 },
    excerpt: LONG,
    question: { maxLength: 1_000 },
    url: SHORT,
    duration: { minimum: 1, maximum: 365 },
    media: { maxItems: 50 },
    labels: { maxItems: 50 },
    sublinks: { maxItems: 20 },
    content: { maxItems: 1_000 },
    options: { maxItems: 10, items: { minLength: 1, maxLength: 200 } },
    tags: TAGS,
    categories: TAGS,
  },
  featuredMedia: { path: SHORT },
  media: {
    id: ID,
    path: SHORT,
    title: { maxLength: 2_000 },
    caption: LONG,
    defaultThumbnail: SHORT,
    userTags: { maxItems: 100 },
    collaboratorTags: { maxItems: 100 },
    productTags: { maxItems: 100 },
  },
  thumbnails: { real: SHORT, small: SHORT },
  tag: { id: SHORT, name: SHORT },
  link: {
    url: SHORT,
    callToAction: SHORT,
    phoneNumber: SHORT,
    providerDisplay: SHORT,
    originalDescription: LONG,
    originalTitle: SHORT,
    description: LONG,
    title: SHORT,
    defaultImage: SHORT,
    images: IMAGES,
    originalImages: IMAGES,
  },
  details: {
    title: SHORT,
    coupon: SHORT,
    terms: LONG,
    audio: SHORT,
    language: { minLength: 2, maxLength: 35 },
    textFormatPresetId: SHORT,
  },
  sponsor: { id: SHORT, name: SHORT },
  recycling: { gap: COUNT, expireCount: COUNT, label: SHORT },
  recurring: { repeatRate: COUNT, daysOfWeek: { maxItems: 7 } },
  location: { id: ID, name: SHORT },
  label: { name: { minLength: 1, maxLength: 100 } },
} as const satisfies Record<string, Record<string, FieldLimit>>;

/**
 * Maximum nesting depth of a content block's data, itself included: bounds the stack of recursive
 * readers.
 */
export const MAX_DATA_DEPTH = 16;
