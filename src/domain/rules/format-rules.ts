import { availabilityRefusal } from './field-availability.js';
import type { Refusal } from '../errors.js';
import { NETWORKS, postTypesOf } from '../networks/networks.js';
import { canonicalPrivacy } from '../changes/patch-enums.js';
import type { Post } from '../posts/post.js';
import type { PostPatch } from '../posts/post-patch.js';
import { isRecycling } from '../posts/states.js';

/**
 * A format that depends on network, type or state, and is therefore a rule (D21). `after` is the
 * post with the patch applied.
 */
interface FormatRule {
  readonly path: readonly string[];
  readonly rule: string;
  /** A message that names the allowed values; null if the format is valid. */
  readonly problem: (after: Post, patch: PostPatch, before: Post) => string | null;
}

/** On a blog `url` is the slug; on other networks it is a link. */
const WEB_URL = /^https?:\/\/[^\s]+$/i;

const FORMAT_RULES: readonly FormatRule[] = [
  {
    path: ['type'],
    rule: 'D21',
    problem: ({ network }, { type }) => {
      const types = postTypesOf(network);
      return !type || !types || types.includes(type)
        ? null
        : `type must be one of the types of ${network}: ${types.join(', ')}.`;
    },
  },
  {
    path: ['details', 'privacy'],
    rule: 'D6',
    problem: ({ network }, { details }) =>
      !network || !details?.privacy || canonicalPrivacy(network, details.privacy) !== null
        ? null
        : `details.privacy must be one of ${NETWORKS[network].privacy!.join(', ')} on ${network}.`,
  },
  {
    path: ['url'],
    rule: 'D20',
    problem: ({ network }, { url }) =>
      network === 'wordpress' || url === undefined || url === null || WEB_URL.test(url)
        ? null
        : 'url must be an http or https URL, or null to clear it.',
  },
  {
    path: ['link', 'url'],
    rule: 'D20',
    problem: ({ network }, { url, link }) =>
      network !== 'wordpress' &&
      url !== undefined &&
      link?.url !== undefined &&
      (link?.url ?? null) !== url
        ? 'url and link.url are the same value: send only one of them, or the same value in both.'
        : null,
  },
  {
    path: ['options'],
    rule: 'D21',
    problem: (after, { options, type }) =>
      (options !== undefined || type !== undefined) &&
      after.type === 'poll' &&
      after.options.length < 2
        ? 'options must have at least 2 entries on a poll.'
        : null,
  },
  {
    path: ['recurring'],
    rule: 'D17',
    problem: (_after, { recurring }, before) =>
      recurring ? (availabilityRefusal('recurring', before)?.message ?? null) : null,
  },
  {
    path: ['recurring', 'repeat'],
    rule: 'D23',
    problem: (after, { recurring }) =>
      recurring && !after.recurring?.repeat
        ? 'recurring.repeat is required: daily, weekly, monthly or yearly.'
        : null,
  },
  {
    path: ['recurring', 'endDate'],
    rule: 'D23',
    problem: ({ recurring }, patch) =>
      patch.recurring &&
      recurring?.startDate &&
      recurring.endDate &&
      Date.parse(recurring.endDate) < Date.parse(recurring.startDate)
        ? 'recurring.endDate must not be before recurring.startDate.'
        : null,
  },
  {
    path: ['recycling'],
    rule: 'D20',
    problem: (_after, { recycling }, before) =>
      recycling === null && isRecycling(before.storedState)
        ? 'recycling cannot be cleared on a recycling post. Change its settings instead.'
        : null,
  },
  {
    path: ['recycling', 'expireDate'],
    rule: 'D20',
    problem: ({ recycling }, patch) =>
      patch.recycling &&
      recycling?.startDate &&
      recycling.expireDate &&
      recycling.expireDate < recycling.startDate
        ? 'recycling.expireDate must not be before recycling.startDate.'
        : null,
  },
];

/** One refusal for each field with an invalid format after the change. */
export function formatRefusals(before: Post, after: Post, patch: PostPatch): Refusal[] {
  const refusals = FORMAT_RULES.flatMap(({ path, rule, problem }) => {
    const message = problem(after, patch, before);
    return message === null ? [] : [{ code: 'RULE_VIOLATION' as const, message, path, rule }];
  });
  return refusals.filter(
    (refusal, index) => refusals.findIndex((other) => other.path[0] === refusal.path[0]) === index,
  );
}
