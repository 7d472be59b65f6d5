import { availabilityRefusal } from './edit-rules.js';
import { isReversed } from '../input/readers.js';
import { isSlug, isWebUrl, MAX_SLUG_LENGTH } from '../input/urls.js';
import { isSame } from '../changes/merge-patch.js';
import { lostContent } from '../posts/content-data.js';
import { needsMedia } from '../posts/post-content.js';
import type { Refusal } from '../errors.js';
import { NETWORKS, canonicalPrivacy, postTypesOf, usesSlug } from '../networks/networks.js';
import type { Post } from '../posts/post.js';
import type { PostPatch } from '../posts/post-fields.js';
import { isRecycling } from '../posts/states.js';
import { storedStateAfter } from '../posts/transitions.js';

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
const SLUG_FORMAT = `must have 1 to ${MAX_SLUG_LENGTH} characters: lower-case letters, digits, underscores and single hyphens between them; letters other than a to z count as long as their percent-encoding`;

/** Whether the post can become a scheduled post again (D59). */
const canEndRecycling = ({ storedState, publishedCount }: Post): boolean =>
  publishedCount === 0 && storedStateAfter(storedState, 'recycling_ended') !== storedState;

const FORMAT_RULES: readonly FormatRule[] = [
  {
    path: ['content'],
    rule: 'D25',
    problem: (_after, { content }, before) =>
      content
        ? lostContent(content, (block) => before.content.some((known) => isSame(known, block)))
        : null,
  },
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
    path: ['type'],
    rule: 'D20',
    problem: ({ type, media }, patch, before) =>
      needsMedia(type) && !needsMedia(before.type) && (patch.media ?? media).length === 0
        ? `type can become ${type} only together with media: the post has none. Send media in the same change.`
        : null,
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
    path: ['details', 'end'],
    rule: 'D20',
    problem: (after, _patch, before) => {
      const { start, end } = after.details ?? {};
      const isUnchanged = start === before.details?.start && end === before.details?.end;
      return !isUnchanged && start && end && isReversed(start, end)
        ? `details.end must not be before details.start: the event would be from ${start} to ${end}.`
        : null;
    },
  },
  {
    path: ['location', 'id'],
    rule: 'D20',
    problem: ({ location }, patch) =>
      patch.location && location && !location.id
        ? 'location.id is required: the post has no location yet. Send the ID of the place.'
        : null,
  },
  {
    path: ['url'],
    rule: 'D20',
    problem: ({ network, url }, _patch, before) => {
      if (url === null || url === before.url) return null;
      if (usesSlug(network)) return isSlug(url) ? null : `url is the slug. It ${SLUG_FORMAT}.`;
      return isWebUrl(url)
        ? null
        : 'url must be an http or https URL, without backslashes or credentials, or null to clear it.';
    },
  },
  {
    path: ['link', 'url'],
    rule: 'D20',
    problem: ({ network }, { url, link }) =>
      !usesSlug(network) &&
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
      recycling === null && isRecycling(before.storedState) && !canEndRecycling(before)
        ? 'recycling can be cleared only before the first publication, and not on a paused, expired or failed post. Change its settings instead.'
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
