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
const WORD = { minLength: 1, maxLength: 100 } as const;
const LONG = { maxLength: 20_000 } as const;
const COUNT = { minimum: 1, maximum: 1_000 } as const;
const FRACTION = { minimum: 0, maximum: 1 } as const;
const IMAGES = { maxItems: 50, items: SHORT } as const;

/**
 * The bounds of the fields of objects inside a patch, by object (`link` and `sublinks` contain the
 * same objects). Those of the patch itself are in POST_FIELDS.
 */
export const PART_LIMITS = {
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
  tag: { id: SHORT, name: SHORT, x: FRACTION, y: FRACTION },
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
  networkOptions: {
    boardId: ID,
    visibility: WORD,
    spoilerText: { maxLength: 2_000 },
    replySettings: WORD,
    category: WORD,
    parseMode: WORD,
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
