import type { Viewer } from '../access/viewer.js';
import { type PostType, enumKeys } from '../enums.js';
import { NETWORKS, type Network, canPublish } from '../networks/networks.js';
import type { LimitedPart, ContentNeed, PostContent } from '../networks/network-definition.js';
import { type LimitUnit, TEXT_LENGTHS } from './limit-units.js';
import { hasVisibleText } from '../input/readers.js';
import { checkFile, mediaKindProblem } from '../media/media-validity.js';
import { needsMedia } from '../posts/post-content.js';
import type { Refusal } from '../errors.js';
import type { Account, Post } from '../posts/post.js';

/** A limit of a network for posts of one type. */
export interface ContentLimit {
  readonly type: PostType;
  readonly field: LimitedPart;
  readonly max: number;
  readonly unit: LimitUnit;
}

const limitsOf = (network: Network): ContentLimit[] => {
  const { postTypes, limits } = NETWORKS[network];
  return postTypes.flatMap((type) =>
    limits
      .filter(({ types }) => types?.includes(type) ?? true)
      .map(({ field, max, unit }) => ({ type, field, max, unit })),
  );
};

/** The limits of each network in its own units (D47): one row for each post type and part. */
export const CONTENT_LIMITS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [network, limitsOf(network)]),
) as Record<Network, ContentLimit[]>;

const TEXT: ContentNeed = {
  path: ['text'],
  isMet: ({ text }) => hasVisibleText(text),
  message: 'is required.',
};
const URL: ContentNeed = {
  path: ['url'],
  isMet: ({ url }) => hasVisibleText(url),
  message: 'is required: the link to share.',
};
const mediaItems = (minimum: number): ContentNeed => ({
  path: ['media'],
  isMet: ({ media }) => media.length >= minimum,
  message: `must have at least ${minimum} ${minimum === 1 ? 'entry' : 'entries'}.`,
});
const QUESTION: ContentNeed = {
  path: ['question'],
  isMet: ({ question, text }) => hasVisibleText(question) || hasVisibleText(text),
  message: 'is required unless text contains the question.',
};
const OPTIONS: ContentNeed = {
  path: ['options'],
  isMet: ({ options }) => options.length >= 2,
  message: 'must have at least 2 entries.',
};
const ARTICLE: ContentNeed = {
  path: ['content'],
  isMet: ({ content, text }) => content.length > 0 || hasVisibleText(text),
  message: 'is required unless text contains the article.',
};
const NEEDS_OF_TYPES: Readonly<Partial<Record<PostType, readonly ContentNeed[]>>> = {
  status: [TEXT],
  link: [URL],
  carousel: [mediaItems(2)],
  poll: [QUESTION, OPTIONS],
  article: [ARTICLE],
};
const needsOf = (network: Network, type: PostType): readonly ContentNeed[] => [
  ...(NEEDS_OF_TYPES[type] ?? (needsMedia(type) ? [mediaItems(1)] : [])),
  ...(NETWORKS[network].needs ?? []),
];

/** What each network needs for each of its post types (D47). */
export const CONTENT_NEEDS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [
    network,
    Object.fromEntries(NETWORKS[network].postTypes.map((type) => [type, needsOf(network, type)])),
  ]),
) as Readonly<Record<Network, Readonly<Partial<Record<PostType, readonly ContentNeed[]>>>>>;

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
  /** Paths of all fields that the value is made of, if there are several. */
  readonly parts?: readonly string[];
}

/** The text as its network counts it. */
function countedText(post: PostContent, network: Network): Measured {
  const counted = NETWORKS[network].countedText?.(post);
  if (!counted) return { path: ['text'], value: post.text };
  const { text, parts } = counted;
  const path = (parts.includes('text') ? 'text' : (parts[0] ?? 'text')).split('.');
  return { path, value: text, ...(parts.length > 1 && { parts }) };
}

type ReadValues = (post: PostContent, limit: { network: Network; unit: LimitUnit }) => Measured[];
/** The values of a part: of a list that is limited in text, each entry. */
const VALUES: Readonly<Record<LimitedPart, ReadValues>> = {
  text: (post, { network }) => [countedText(post, network)],
  title: ({ title }) => [{ path: ['title'], value: title ?? '' }],
  question: ({ question, text }) => [
    hasVisibleText(question)
      ? { path: ['question'], value: question! }
      : { path: ['text'], value: text },
  ],
  url: ({ url }) => [{ path: ['url'], value: url ?? '' }],
  options: ({ options }, { unit }) =>
    unit === 'items'
      ? [{ path: ['options'], value: options }]
      : options.map((value, index) => ({ path: ['options', String(index)], value })),
  // The network limits the tags of a post together, with the commas between them and the quotation
  // marks around tags with spaces.
  tags: ({ tags }) => [
    {
      path: ['tags'],
      value: tags.map((tag) => (tag.includes(' ') ? `"${tag}"` : tag)).join(','),
    },
  ],
  media: ({ media }) => [{ path: ['media'], value: media }],
  'media.altText': ({ media }) =>
    media.map(({ altText }, index) => ({
      path: ['media', String(index), 'caption'],
      value: altText ?? '',
    })),
};

function lengthOf(value: Measured['value'], { unit }: ContentLimit): number {
  if (typeof value !== 'string') return value.length;
  return unit === 'items' ? value.length : TEXT_LENGTHS[unit](value);
}

/** `title, text and url together`, or the one field. */
const subjectOf = ({ path, parts }: Measured): string =>
  parts ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)} together` : path.join('.');

const violation = (
  path: readonly string[],
  message: string,
  subject = path.join('.'),
): Refusal => ({ code: 'RULE_VIOLATION', message: `${subject} ${message}`, path, rule: 'D47' });

/** The refusals of the values that exceed one limit. */
const exceeding = (
  { post, network }: { post: PostContent; network: Network },
  limit: ContentLimit,
  isRefused: (path: readonly string[]) => boolean,
): Refusal[] =>
  VALUES[limit.field](post, { network, unit: limit.unit })
    .filter(({ path }) => !isRefused(path))
    .flatMap((measured) => {
      const { path, value, parts } = measured;
      const length = lengthOf(value, limit);
      const [unit, has] = [UNIT_NAMES[limit.unit], parts ? 'they have' : 'it has'];
      return length > limit.max
        ? [
            violation(
              path,
              `may have at most ${limit.max} ${unit} on ${network}; ${has} ${length}.`,
              subjectOf(measured),
            ),
          ]
        : [];
    });

/** The media that the network does not take: by their files, or by their kind without files. */
const mediaRefusals = (post: PostContent, network: Network): Refusal[] =>
  post.media.flatMap(({ id, type: kind }, index) => {
    const file = post.mediaFiles.find(({ mediaId }) => mediaId === id);
    const place = { network, type: post.type };
    const verdict = file && checkFile(file, place);
    const problem = verdict
      ? verdict.valid
        ? null
        : verdict.reason
      : mediaKindProblem(kind, place);
    return problem === null
      ? []
      : [violation(['media', String(index)], `cannot be published: ${problem}`)];
  });

/**
 * Why the network would not take the post as it is: what it needs and the post does not have, and
 * what exceeds its limits (D47). At most one refusal for each field; none for a type that the
 * network does not have, which is refused elsewhere.
 */
export function checkContent(post: PostContent, network: Network): Refusal[] {
  const refusals = [
    ...(CONTENT_NEEDS[network][post.type] ?? []),
    ...(NETWORKS[network].values ?? []),
  ]
    .filter((need) => !need.isMet(post))
    .map(({ path, message }) => violation(path, message));
  refusals.push(...mediaRefusals(post, network));
  const isRefused = (path: readonly string[]): boolean =>
    refusals.some((refusal) => refusal.path.join() === path.join());
  for (const limit of CONTENT_LIMITS[network])
    if (limit.type === post.type) refusals.push(...exceeding({ post, network }, limit, isRefused));
  return refusals;
}

/** Fields, or options of the network, that are part of what a limit counts. */
const partsOf = (limit: ContentLimit, post: PostContent, network: Network): readonly string[] =>
  limit.field === 'text'
    ? (NETWORKS[network].countedText?.(post).parts ?? ['text'])
    : [limit.field];

/**
 * Why the network would not take a post after these fields changed: what exceeds its limits then,
 * and values and media that it does not take (D87, D88). Other fields stay as they are.
 */
export function changedContentRefusals(
  post: PostContent,
  network: Network,
  changed: readonly string[],
): Refusal[] {
  const refusals = (NETWORKS[network].values ?? [])
    .filter((need) => changed.includes(need.path[0]!) && !need.isMet(post))
    .map(({ path, message }) => violation(path, message));
  if (changed.includes('media') || changed.includes('type'))
    refusals.push(...mediaRefusals(post, network));
  const isRefused = (path: readonly string[]): boolean =>
    refusals.some((refusal) => refusal.path.join() === path.join());
  for (const limit of CONTENT_LIMITS[network])
    if (
      limit.type === post.type &&
      partsOf(limit, post, network).some((part) => changed.includes(part))
    )
      refusals.push(...exceeding({ post, network }, limit, isRefused));
  return refusals;
}

const INSTEAD = 'Create a draft or a reminder.';

const notPublished = (path: readonly string[], message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path,
  rule: 'D48',
});

/** Why the account takes the post as a draft or a reminder only (D48). */
export function accountRefusals(
  account: Account | null,
  { reminder }: Pick<Post, 'reminder'>,
): Refusal[] {
  if (!account || reminder) return [];
  if (account.needsReauth)
    return [
      notPublished(
        ['accountId'],
        `The account ${account.name} needs reauthorization. Connect it again, or create a draft or a reminder.`,
      ),
    ];
  return canPublish(account)
    ? []
    : [
        notPublished(
          ['accountId'],
          `The gateway does not publish to ${account.network}. ${INSTEAD}`,
        ),
      ];
}

/** Why nothing can be published at once in the workspace (D57). */
export const lockRefusals = ({ workspace }: Pick<Viewer, 'workspace'>): Refusal[] =>
  workspace.locked
    ? [
        {
          code: 'RULE_VIOLATION',
          message:
            'The workspace is locked: nothing is published until an operator unlocks it. Schedule the post, or create a draft.',
          path: ['accountId'],
          rule: 'D57',
        },
      ]
    : [];

/** A post that is to be published for an account. */
type PublishableContent = PostContent & Pick<Post, 'reminder'>;

/**
 * Why the service does not publish posts of this type, or with these media, for the account (D48):
 * the network would not get them. On the sandbox network everything is published.
 */
function capabilityRefusals(
  { type, media, reminder }: PublishableContent,
  { network, sandbox }: Pick<Account, 'network' | 'sandbox'>,
): Refusal[] {
  // Without publication, the account itself is refused.
  if (sandbox || reminder || !canPublish({ network, sandbox })) return [];
  const { postTypes, mediaTypes } = NETWORKS[network].publishing;
  if (!postTypes.includes(type))
    return [
      notPublished(
        ['type'],
        `The gateway does not publish posts of type ${type} to ${network}. ${INSTEAD}`,
      ),
    ];
  return media.flatMap((item, index) =>
    mediaTypes.includes(item.type)
      ? []
      : [
          notPublished(
            ['media', String(index)],
            `The gateway does not publish media of type ${item.type} to ${network}. Remove the item, or create a draft or a reminder.`,
          ),
        ],
  );
}

/**
 * Why the post cannot be published for the account as it is: what the service does not publish, or
 * what the network would not take (D47, D48). Paths start at the patch.
 */
export function checkPublishable(
  post: PublishableContent,
  account: Pick<Account, 'network' | 'sandbox'>,
): Refusal[] {
  const refusals = capabilityRefusals(post, account);
  return refusals.length > 0 ? refusals : checkContent(post, account.network);
}
