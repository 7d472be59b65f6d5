import type { Refusal } from '../errors.js';
import type { Network } from '../networks/networks.js';
import { CONTENT_LIMITS, type ContentLimit, CONTENT_NEEDS } from './content-rules.js';
import { TEXT_LENGTHS, type LimitUnit, withShortLinks } from './limit-units.js';
import type { LimitedPart, PostContent } from '../networks/network-definition.js';

const UNIT_NAMES: Readonly<Record<LimitUnit, string>> = {
  code_points: 'code points',
  utf16: 'UTF-16 code units',
  graphemes: 'characters',
  bytes: 'bytes',
  weighted: 'weighted characters',
  items: 'entries',
};

/** A value that a limit applies to, with its path in the patch. */
interface Measured {
  readonly path: readonly string[];
  readonly value: string | readonly unknown[];
}

/** The values of a part: of a list that is limited in text, each entry. */
const VALUES: Readonly<Record<LimitedPart, (post: PostContent, unit: LimitUnit) => Measured[]>> = {
  text: ({ text }) => [{ path: ['text'], value: text }],
  title: ({ title }) => [{ path: ['title'], value: title ?? '' }],
  url: ({ url }) => [{ path: ['url'], value: url ?? '' }],
  options: ({ options }, unit) =>
    unit === 'items'
      ? [{ path: ['options'], value: options }]
      : options.map((value, index) => ({ path: ['options', String(index)], value })),
  // The network limits the tags of a post together, with the commas between them.
  tags: ({ tags }) => [{ path: ['tags'], value: tags.join(',') }],
  media: ({ media }) => [{ path: ['media'], value: media }],
  'media.altText': ({ media }) =>
    media.map(({ altText }, index) => ({
      path: ['media', String(index), 'caption'],
      value: altText ?? '',
    })),
};

function lengthOf(value: Measured['value'], { unit, linkLength }: ContentLimit): number {
  if (typeof value !== 'string') return value.length;
  const text = linkLength === null ? value : withShortLinks(value, linkLength);
  return unit === 'items' ? text.length : TEXT_LENGTHS[unit](text);
}

const violation = (path: readonly string[], message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message: `${path.join('.')} ${message}`,
  path,
  rule: 'D47',
});

/** The refusals of the values that exceed one limit. */
const exceeding = (
  { post, network }: { post: PostContent; network: Network },
  limit: ContentLimit,
  isRefused: (path: readonly string[]) => boolean,
): Refusal[] =>
  VALUES[limit.field](post, limit.unit)
    .filter(({ path }) => !isRefused(path))
    .flatMap(({ path, value }) => {
      const length = lengthOf(value, limit);
      const unit = UNIT_NAMES[limit.unit];
      return length > limit.max
        ? [
            violation(
              path,
              `may have at most ${limit.max} ${unit} on ${network}; it has ${length}.`,
            ),
          ]
        : [];
    });

/**
 * Why the network would not take the post as it is: what it needs and the post does not have, and
 * what exceeds its limits (D47). At most one refusal for each field; none for a type that the
 * network does not have, which is refused elsewhere.
 */
export function checkContent(post: PostContent, network: Network): Refusal[] {
  const refusals = (CONTENT_NEEDS[network][post.type] ?? [])
    .filter((need) => !need.isMet(post))
    .map(({ path, message }) => violation(path, message));
  const isRefused = (path: readonly string[]): boolean =>
    refusals.some((refusal) => refusal.path.join() === path.join());
  for (const limit of CONTENT_LIMITS[network])
    if (limit.type === post.type) refusals.push(...exceeding({ post, network }, limit, isRefused));
  return refusals;
}
