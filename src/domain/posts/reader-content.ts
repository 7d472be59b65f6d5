import { hasVisibleText } from '../input/readers.js';
import type { PatchField } from './post-fields.js';
import type { Post } from './post.js';
import type { NetworkOptions, PostDetails } from './post-settings.js';

/** The fields that readers see as they are stored. */
export const READER_FIELDS = [
  'type',
  'text',
  'title',
  'excerpt',
  'question',
  'duration',
  'options',
  'url',
  'link',
  'content',
  'location',
  'tags',
  'categories',
  'sublinks',
] as const satisfies readonly PatchField[];

/** The settings that readers see; the others decide who sees a post, and what they may do. */
export const READER_KEYS = {
  details: [
    'type',
    'title',
    'start',
    'end',
    'coupon',
    'terms',
    'audio',
    'promotional',
    'paid',
    'textFormatPresetId',
    'sponsor',
  ] as const satisfies readonly (keyof PostDetails)[],
  networkOptions: [
    'boardId',
    'boardSectionId',
    'sensitive',
    'spoilerText',
  ] as const satisfies readonly (keyof NetworkOptions)[],
} as const;

/** What readers see of a post: posts with the same content are duplicates (D49). */
export type ReaderContent = Pick<Post, (typeof READER_FIELDS)[number]> & {
  readonly details: object | null;
  readonly networkOptions: object | null;
  /** ID of the featured media. */
  readonly featuredMedia: string | null;
  readonly mediaIds: readonly string[];
};

/** The part of an object that has these keys; null if it has none. */
function partOf<T extends object>(value: T | null, keys: readonly (keyof T)[]): object | null {
  const entries = keys.flatMap((key) =>
    value?.[key] === undefined ? [] : [[key, value[key]] as const],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/** What readers see of a post. */
export const readerContentOf = (post: Post): ReaderContent => ({
  ...(Object.fromEntries(READER_FIELDS.map((field) => [field, post[field]])) as Pick<
    Post,
    (typeof READER_FIELDS)[number]
  >),
  details: partOf(post.details, READER_KEYS.details),
  networkOptions: partOf(post.networkOptions, READER_KEYS.networkOptions),
  featuredMedia: post.featuredMedia?.id ?? null,
  mediaIds: post.media.map(({ id }) => id),
});

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && !hasVisibleText(value)) ||
  (Array.isArray(value) && value.length === 0);

/** Whether readers see nothing of the post but its type. */
export const isEmptyContent = ({ type: _type, ...content }: ReaderContent): boolean =>
  Object.values(content).every(isEmpty);
