import { FIELD_LIMITS } from '../input/field-limits.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import {
  CONTENT_BLOCK_TYPES,
  GAP_FREQUENCIES,
  REPEATS,
  WEEKDAYS,
  type GapFrequency,
} from '../posts/post.js';
import { list, type Reader } from '../input/readers.js';
import { POST_TYPES, wordsOf } from '../vocabulary.js';

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

const PRIVACY_WORDS = [
  ...new Set(Object.values(NETWORKS).flatMap((network) => network.privacy ?? [])),
];

/** One of some words in any case, or another name of one: comes out as the word (D6). */
export function word<W extends string>(
  words: readonly W[],
  otherNames: Readonly<Record<string, W>> = {},
): Reader<W> {
  const known = new Map<unknown, W>([
    ...words.map((one) => [one.toLowerCase(), one] as const),
    ...Object.entries(otherNames),
  ]);
  return (value, path, problems) => {
    const found = typeof value === 'string' ? known.get(value.toLowerCase()) : undefined;
    if (found === undefined)
      problems.push({ path, message: `must be one of: ${words.join(', ')}` });
    return found;
  };
}

export const postType = word(wordsOf(POST_TYPES));
export const contentBlockType = word(CONTENT_BLOCK_TYPES);
export const repeat = word(REPEATS);
export const detailType = word(DETAIL_TYPES);
export const gapFrequency = word<GapFrequency>(GAP_FREQUENCIES, {
  day: 'days',
  week: 'weeks',
  month: 'months',
});

const anyPrivacy = word(PRIVACY_WORDS);

/** A privacy word of any network, kept as given: which network's it must be depends on the post (see canonicalPrivacy). */
export const privacy: Reader<string> = (value, path, problems) =>
  anyPrivacy(value, path, problems) && (value as string);

/** A privacy word in its network's own spelling; null where it is none of that network's words; as given where that has none (D6). */
export function canonicalPrivacy(network: Network, given: string): string | null {
  const words = NETWORKS[network].privacy;
  return words === null
    ? given
    : (words.find((one) => one.toLowerCase() === given.toLowerCase()) ?? null);
}

const DAYS_BY_NAME = new Map<unknown, number>(
  WEEKDAYS.flatMap((day, at) => [
    [at, at],
    [day, at],
    [day.slice(0, 3), at],
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

const weekdays = list(weekday, FIELD_LIMITS.recurring.daysOfWeek);

/** Days of the week as numbers or names: each once, as 0 to 6 with 0 = Monday (D6). */
export const daysOfWeek: Reader<number[]> = (value, path, problems) => {
  const days = weekdays(value, path, problems);
  return days && [...new Set(days)].sort((a, b) => a - b);
};
