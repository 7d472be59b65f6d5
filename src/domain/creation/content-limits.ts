import type { PostType } from '../enums.js';
import { enumKeys } from '../enums.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import type { LimitUnit, TextUnit } from './limit-units.js';

/** The parts of a post that networks limit; `media.altText` is a field of each media item. */
export type LimitedPart = 'text' | 'title' | 'url' | 'options' | 'tags' | 'media' | 'media.altText';

/** A limit of a network for posts of one type. */
export interface ContentLimit {
  readonly type: PostType;
  readonly field: LimitedPart;
  readonly max: number;
  readonly unit: LimitUnit;
  /** Each link of the text counts as this many; null if links count as they are. */
  readonly linkLength: number | null;
}

/** A limit for several types; without `types` for all types of the network. */
interface LimitRow extends Pick<ContentLimit, 'field' | 'max' | 'unit'> {
  readonly types?: readonly PostType[];
  readonly linkLength?: number;
}

const SINGLE_MEDIA: readonly PostType[] = ['gif', 'video', 'reel', 'story', 'short', 'document'];

const text = (max: number, unit: TextUnit, types?: readonly PostType[]): LimitRow => ({
  field: 'text',
  max,
  unit,
  ...(types && { types }),
});
/** Media items: `photos` on a photo post, `carousel` on a carousel, one on the other types. */
const media = (photos: number, carousel = photos): LimitRow[] => [
  { field: 'media', max: photos, unit: 'items', types: ['photo'] },
  { field: 'media', max: carousel, unit: 'items', types: ['carousel'] },
  { field: 'media', max: 1, unit: 'items', types: SINGLE_MEDIA },
];
/** Options of a poll, and the length of each. */
const poll = (length: number): LimitRow[] => [
  { field: 'options', max: 4, unit: 'items', types: ['poll'] },
  { field: 'options', max: length, unit: 'code_points', types: ['poll'] },
];

const LIMIT_ROWS: Readonly<Record<Network, readonly LimitRow[]>> = {
  facebook: [text(63_206, 'code_points'), ...media(10)],
  instagram: [text(2_200, 'code_points'), ...media(1, 10)],
  threads: [text(500, 'code_points'), ...media(1, 20)],
  tiktok: [text(2_200, 'utf16'), ...media(35)],
  twitter: [text(280, 'weighted'), ...media(4), ...poll(25)],
  mastodon: [{ ...text(500, 'code_points'), linkLength: 23 }, ...media(4), ...poll(50)],
  // Bytes first: they bound the text whose graphemes are counted, which is slow.
  bluesky: [text(3_000, 'bytes'), text(300, 'graphemes'), ...media(4)],
  linkedin: [text(3_000, 'code_points'), ...media(20), ...poll(30)],
  pinterest: [
    { field: 'title', max: 100, unit: 'code_points' },
    text(800, 'code_points'),
    { field: 'url', max: 2_048, unit: 'code_points' },
    { field: 'media.altText', max: 500, unit: 'code_points' },
    ...media(1, 5),
  ],
  google: [text(1_500, 'code_points'), ...media(1)],
  youtube: [
    { field: 'title', max: 100, unit: 'code_points' },
    text(5_000, 'bytes'),
    { field: 'tags', max: 500, unit: 'code_points' },
    ...media(1),
  ],
  wordpress: [],
  telegram: [
    text(4_096, 'utf16', ['status', 'link']),
    text(1_024, 'utf16', ['photo', 'gif', 'video', 'document', 'carousel']),
    ...media(10),
  ],
};

const limitsOf = (network: Network): ContentLimit[] => {
  const postTypes: readonly PostType[] = NETWORKS[network].postTypes;
  return postTypes.flatMap((type) =>
    LIMIT_ROWS[network]
      .filter(({ types }) => types?.includes(type) ?? true)
      .map(({ field, max, unit, linkLength = null }) => ({ type, field, max, unit, linkLength })),
  );
};

/** The limits of each network in its own units (D47): one row for each post type and part. */
export const CONTENT_LIMITS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [network, limitsOf(network)]),
) as Record<Network, ContentLimit[]>;
