import { holderRefusal } from './edit-rules.js';
import type { Refusal } from '../errors.js';
import { NETWORKS, typesOf } from '../networks/networks.js';
import { canonicalPrivacy } from '../changes/patch-words.js';
import type { Post, PostPatch } from '../posts/post.js';
import { isRecycling } from '../posts/states.js';

/** The formats that depend on network, type or state, and are therefore rules (D21): `after` is the post as the patch would leave it. */
interface FormatRule {
  readonly path: readonly string[];
  readonly rule: string;
  /** What is wrong, in words that say what is allowed; null where all is well. */
  readonly problem: (after: Post, patch: PostPatch, before: Post) => string | null;
}

/** On a blog `url` is the slug; everywhere else it is followed by readers. */
const IS_WEB_ADDRESS = /^https?:\/\/[^\s]+$/i;

const FORMAT_RULES: readonly FormatRule[] = [
  {
    path: ['type'],
    rule: 'D21',
    problem: ({ network }, { type }) => {
      const types = typesOf(network);
      return !type || !types || types.includes(type)
        ? null
        : `type must be one that ${network} has: ${types.join(', ')}.`;
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
      network === 'wordpress' || url === undefined || url === null || IS_WEB_ADDRESS.test(url)
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
        ? 'url and link.url are one value: send one of them, or both alike.'
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
      recurring ? (holderRefusal('recurring', before)?.message ?? null) : null,
  },
  {
    path: ['recurring', 'repeat'],
    rule: 'D23',
    problem: (after, { recurring }) =>
      recurring && !after.recurring?.repeat
        ? 'recurring.repeat is needed: daily, weekly, monthly or yearly.'
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
      recycling === null && isRecycling(before.cell)
        ? 'recycling cannot be cleared on a recycling post; change its settings instead.'
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

/** One refusal for each field whose format the change would break. */
export function formatViolations(before: Post, after: Post, patch: PostPatch): Refusal[] {
  const refusals = FORMAT_RULES.flatMap(({ path, rule, problem }) => {
    const message = problem(after, patch, before);
    return message === null ? [] : [{ code: 'RULE_VIOLATION' as const, message, path, rule }];
  });
  return refusals.filter(
    (one, index) => refusals.findIndex((other) => other.path[0] === one.path[0]) === index,
  );
}
