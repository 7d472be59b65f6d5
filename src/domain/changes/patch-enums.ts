import { PART_LIMITS } from '../input/field-limits.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import { CONTENT_BLOCK_TYPES, MEDIA_TYPES, type MediaType } from '../posts/post-content.js';
import { GAP_FREQUENCIES, REPEATS, WEEKDAYS, type GapFrequency } from '../posts/post-settings.js';
import { list, type Reader } from '../input/readers.js';
import { POST_TYPES, enumKeys } from '../enums.js';

const DETAIL_TYPES = [
  'reel',
  'story',
  'short',
  'document',
  'photo',
  'event',
  'offer',
  'long_post',
] as const;

const PRIVACY_KEYS = [
  ...new Set(Object.values(NETWORKS).flatMap((network) => network.privacy ?? [])),
];

/** Reads an enum value in any case, or an alias of one, as the canonical value (D6). */
export function oneOf<V extends string>(
  values: readonly V[],
  aliases: Readonly<Record<string, V>> = {},
): Reader<V> {
  const valueByName = new Map<unknown, V>([
    ...values.map((value) => [value.toLowerCase(), value] as const),
    ...Object.entries(aliases),
  ]);
  return (input, path, problems) => {
    const value = typeof input === 'string' ? valueByName.get(input.toLowerCase()) : undefined;
    if (value === undefined)
      problems.push({ path, message: `must be one of: ${values.join(', ')}` });
    return value;
  };
}

/** Readers of the enum values of a patch. */
export const postType = oneOf(enumKeys(POST_TYPES));
export const contentBlockType = oneOf(CONTENT_BLOCK_TYPES);
export const repeat = oneOf(REPEATS);
export const detailType = oneOf(DETAIL_TYPES);
export const mediaType = oneOf<MediaType>(MEDIA_TYPES, { image: 'photo' });
export const gapFrequency = oneOf<GapFrequency>(GAP_FREQUENCIES, {
  day: 'days',
  week: 'weeks',
  month: 'months',
});

const anyPrivacy = oneOf(PRIVACY_KEYS);

/**
 * A privacy value of any network, not normalized: the allowed values depend on the post's network
 * (see canonicalPrivacy).
 */
export const privacy: Reader<string> = (value, path, problems) =>
  anyPrivacy(value, path, problems) && (value as string);

/**
 * A privacy value in the network's spelling; null if the network does not have it; unchanged if the
 * network has no privacy setting (D6).
 */
export function canonicalPrivacy(network: Network, requested: string): string | null {
  const values = NETWORKS[network].privacy;
  return values === null
    ? requested
    : (values.find((value) => value.toLowerCase() === requested.toLowerCase()) ?? null);
}

const DAYS_BY_NAME = new Map<unknown, number>(
  WEEKDAYS.flatMap((day, index) => [
    [index, index],
    [day, index],
    [day.slice(0, 3), index],
  ]),
);

const weekday: Reader<number> = (value, path, problems) => {
  const day = DAYS_BY_NAME.get(typeof value === 'string' ? value.toLowerCase() : value);
  if (day === undefined)
    problems.push({
      path,
      message: 'must be 0 to 6, where 0 is Monday, or a name such as monday or mon',
    });
  return day;
};

const weekdays = list(weekday, PART_LIMITS.recurring.daysOfWeek);

/** Days of the week, sent as numbers or names, as distinct numbers from 0 (Monday) to 6 (D6). */
export const daysOfWeek: Reader<number[]> = (value, path, problems) => {
  const days = weekdays(value, path, problems);
  return days && [...new Set(days)].sort((a, b) => a - b);
};
