import type { ConsentWay, OauthRules } from '../connections/oauth-rules.js';
import type { LimitUnit, TextUnit } from '../creation/limit-units.js';
import type { AppliesTo, Plan, PostType, VocabularyEntry } from '../enums.js';
import type { NumberSources } from '../numbers/numbers.js';
import { hasVisibleText } from '../input/readers.js';
import type { CodecName, MediaContentType } from '../media/media-content.js';
import type { AttachedFile } from '../media/media-file.js';
import type { MediaType } from '../posts/post-content.js';
import type { NetworkField, PatchableValues } from '../posts/post-fields.js';
import type { NetworkOptions, PrivacyLevel } from '../posts/post-settings.js';

/** Types of social accounts. */
export const ACCOUNT_TYPES = {
  profile: { description: 'A person’s profile.', source: 'D2' },
  page: { description: 'A page.', source: 'D2' },
  group: { description: 'A group.', source: 'D2' },
  business: { description: 'A business profile.', source: 'D2' },
  channel: { description: 'A channel.', source: 'D2' },
  location: { description: 'A business location.', source: 'D2' },
  blog: { description: 'A blog.', source: 'D2' },
} as const satisfies Record<string, VocabularyEntry>;
export type AccountType = keyof typeof ACCOUNT_TYPES;

/** What a network allows to find out after a call that ended without a response (D54). */
export const DELIVERY_GUARANTEES = {
  exact: {
    description: 'The network itself prevents or detects duplicate publications.',
    source: 'D54',
  },
  compared: {
    description:
      'Before sending a post again, the gateway compares it with the account’s recent posts.',
    source: 'D54',
  },
  cannot_tell: {
    description:
      'The gateway cannot find out whether the network accepted a post. If a call ends without a response, a person has to decide what to do.',
    source: 'D54',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type DeliveryGuarantee = keyof typeof DELIVERY_GUARANTEES;

/** What a network allows to find out about a post, and why (D85). */
export interface GuaranteeRule {
  readonly guarantee: DeliveryGuarantee;
  /** One sentence for users. */
  readonly reason: string;
}

/** The fields of a post that its network's needs and limits read. */
export type PostContent = Pick<
  PatchableValues,
  | 'type'
  | 'text'
  | 'title'
  | 'question'
  | 'duration'
  | 'url'
  | 'link'
  | 'media'
  | 'options'
  | 'tags'
  | 'content'
  | 'details'
  | 'networkOptions'
> & { readonly mediaFiles: readonly AttachedFile[] };

/** Something that a post must have before it can be published. */
export interface ContentNeed {
  /** Path of the missing value in the patch. */
  readonly path: readonly string[];
  readonly isMet: (post: PostContent) => boolean;
  /** What has to be sent, after the name of the field. */
  readonly message: string;
}

/** A text that a network limits, as the network counts it (D87). */
export interface CountedText {
  readonly text: string;
  /** Paths of the fields that are part of it, in the order of the text. */
  readonly parts: readonly string[];
}

/** The parts of a post that networks limit; `media.altText` is a field of each media item. */
export type LimitedPart =
  'text' | 'title' | 'question' | 'url' | 'options' | 'tags' | 'media' | 'media.altText';

/** A limit of a network on a part of a post, in the network's own unit. */
interface NetworkLimit {
  readonly field: LimitedPart;
  readonly max: number;
  readonly unit: LimitUnit;
  /** The types of posts that it applies to; without, all types of the network. */
  readonly types?: readonly PostType[];
}

/** What a network takes of a file. An absent limit is unknown, or that of the service. */
export interface FileLimits {
  readonly maxBytes?: number;
  readonly minBytes?: number;
  readonly formats?: readonly MediaContentType[];
  /** Codecs of a video, by the names that its file has for them. */
  readonly videoCodecs?: readonly CodecName[];
  readonly audioCodecs?: readonly CodecName[];
  /** Duration of a video in seconds. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** Frames per second of a video. */
  readonly minFrameRate?: number;
  readonly maxFrameRate?: number;
  /** Maximum of width and height of a picture together, in pixels. */
  readonly maxSides?: number;
  /** Maximum of width times height. */
  readonly maxPixels?: number;
  /** Minimum of width and of height, in pixels. */
  readonly minSide?: number;
  /** Maximum of width and of height, in pixels. */
  readonly maxSide?: number;
  /** How many times as long as its short side the long side may be. */
  readonly maxRatio?: number;
  /** Width divided by height. */
  readonly minAspect?: number;
  readonly maxAspect?: number;
  /** Whether the network gets the first frame of an animation, as a picture. */
  readonly firstFrame?: true;
}

/** What a network takes of one kind of media. */
export interface FileLimit extends FileLimits {
  /** What differs in posts of these types. */
  readonly ofTypes?: Readonly<Partial<Record<PostType, FileLimits>>>;
}

/** A row of the interface document's table "Daily post limits". */
export interface DailyCapRule {
  /** What is counted; an account has one count for each post kind. */
  readonly postKind: string;
  /** Publications in any 24 hours, by the plan of the workspace's owner (D34). */
  readonly limits: Readonly<Record<Plan, number>>;
  /** The row's heading in the document. */
  readonly source: string;
  /** The account types whose posts count toward this row (D39); without, all of the network. */
  readonly accountTypes?: readonly AccountType[];
  /** The post types that count toward this row; without, all that have no row of their own (D39). */
  readonly postTypes?: readonly PostType[];
}

/** A field of the patch, or one setting inside `details`. */
export type EditablePath =
  Exclude<NetworkField, 'details'> | 'labels' | 'details.language' | 'details.textFormatPresetId';

/** A field that may change after publication. */
export interface PublishedEditRule {
  readonly field: EditablePath;
  /** In Unicode code points (D22). */
  readonly maxLength: number | null;
  /** Empty: every type. */
  readonly types: readonly PostType[];
  readonly appliesTo: AppliesTo;
}

/** Maximum rate of edits on a network, over all processes. */
export interface NetworkRateLimit {
  /** Maximum edits in flight; also the burst after an idle period. */
  readonly maxConcurrent: number;
  /** Maximum edits started per minute, evenly spaced. */
  readonly maxPerMinute: number;
}

/** How fast the posts of one account are published. */
export interface PublicationPace {
  /** Minimum time between the starts of two posts. */
  readonly intervalMs: number;
  /** Maximum posts at the same time. */
  readonly maxConcurrent: number;
}

/** What the service publishes on a network for accounts that are not on the sandbox network. */
interface PublishingCapabilities {
  /** Whether the service publishes posts there. */
  readonly publishes: boolean;
  /** Whether the service can remove a published post there. */
  readonly unpublishes: boolean;
  readonly guarantee: DeliveryGuarantee;
  /** Why, in one sentence for users. */
  readonly guaranteeReason: string;
  /** The types of posts for which it differs, or has another reason. */
  readonly guaranteesOf?: Readonly<Partial<Record<PostType, GuaranteeRule>>>;
  /** The types of posts that it publishes. */
  readonly postTypes: readonly PostType[];
  /** The types of media that it publishes in `media`. */
  readonly mediaTypes: readonly MediaType[];
}

/** One input of `accounts connect`. */
export interface CredentialRule {
  readonly description: string;
  /** Never shown and never a command-line argument: prompted for, or read from the environment. */
  readonly secret: boolean;
  /** Whether it may be left empty. */
  readonly optional?: boolean;
}

/** What the adapter of a network needs to be told, and what it tells users. */
export interface AdapterRules<Field extends string = string> {
  /** Whether the adapter was tested against the network itself. */
  readonly verified: boolean;
  /** Remarks for users. */
  readonly note: string;
  readonly credentials: Readonly<Record<Field, CredentialRule>>;
  /** Pattern of the network's post IDs. They are validated because they become part of URLs. */
  readonly remoteId: RegExp;
}

/** All that the service knows of a network. Its adapter is the folder of its key in `networks`. */
export interface NetworkDefinition extends VocabularyEntry {
  /** The network's name, in messages. */
  readonly name: string;
  /** The interface document's name for the network (D1). */
  readonly kind: { readonly key: string } & VocabularyEntry;
  readonly accountTypes: readonly [AccountType, ...AccountType[]];
  /** The post types that the network supports. */
  readonly postTypes: readonly [PostType, ...PostType[]];
  /** The values of `details.privacy` (D6); without, the network has no such setting. */
  readonly privacy?: readonly PrivacyLevel[];
  /** `slug`: the `url` of a post is its slug, and its link has a URL of its own (D20). */
  readonly url?: 'slug';
  /** Whether creations of REST v1 may also call the text `description`. */
  readonly textIsDescription?: true;
  /** Other keys of the network in known clients of REST v1. */
  readonly aliases?: readonly string[];

  /** What posts of every type need, besides what their type needs (D47). */
  readonly needs?: readonly ContentNeed[];
  /** Values that the network takes: closed lists, and ranges that depend on the type. */
  readonly values?: readonly ContentNeed[];
  readonly limits: readonly NetworkLimit[];
  /**
   * What the limits of the text count: the text as the adapter sends it and the network counts it.
   * Without, the text of the post.
   */
  readonly countedText?: (post: PostContent) => CountedText;
  /** The kinds of media of a post type, where the network differs from the others. */
  readonly mediaKinds?: Readonly<Partial<Record<PostType, readonly MediaType[]>>>;
  /** The limits on files (D63), where the network's documentation states them. */
  readonly files?: Readonly<Partial<Record<MediaType, FileLimit>>>;
  readonly dailyCaps: readonly DailyCapRule[];

  /**
   * The network's row of the interface document's table "Fields updatable after publication". D22
   * maps its terms to patch fields.
   */
  readonly edits: readonly PublishedEditRule[];
  /**
   * Well below the network's own limits, which also count requests of other applications. Limits
   * per account need no entry: the network's Retry-After pauses the account. Null: only labels can
   * change (Update post, rule 3).
   */
  readonly editRate: NetworkRateLimit | null;

  readonly publishing: PublishingCapabilities;
  /** Without, DEFAULT_PACE. */
  readonly pace?: PublicationPace;
  /** What the service reads of published posts (D91); absent if it reads nothing. */
  readonly numbers?: NumberSources;
  /**
   * The domains on which the network shows its posts, subdomains included; null if that depends on
   * the account. A domain without a dot stands for it in every country.
   */
  readonly postDomains: readonly string[] | null;
  /** The host of an account's own server, as the ID of the account contains it. */
  readonly serverHost?: RegExp;
  readonly adapter: AdapterRules;
  /** How people give consent by OAuth 2.0, by way; absent if they cannot. */
  readonly oauth?: Readonly<Partial<Record<ConsentWay, OauthRules>>>;
}

/** The pace of networks that do not need another one. */
export const DEFAULT_PACE: PublicationPace = { intervalMs: 2_000, maxConcurrent: 1 };

const SINGLE_MEDIA: readonly PostType[] = ['gif', 'video', 'reel', 'story', 'short', 'document'];

/** A limit of the text, of all types or of some. */
export const textLimit = (
  max: number,
  unit: TextUnit,
  types?: readonly PostType[],
): NetworkLimit => ({ field: 'text', max, unit, ...(types && { types }) });

/** Media items: `photos` on a photo post, `carousel` on a carousel, one on the other types. */
export const mediaLimits = (photos: number, carousel = photos): NetworkLimit[] => [
  { field: 'media', max: photos, unit: 'items', types: ['photo'] },
  { field: 'media', max: carousel, unit: 'items', types: ['carousel'] },
  { field: 'media', max: 1, unit: 'items', types: SINGLE_MEDIA },
];

/** Options of a poll, and the length of each. */
export const pollLimits = (length: number, unit: TextUnit = 'code_points'): NetworkLimit[] => [
  { field: 'options', max: 4, unit: 'items', types: ['poll'] },
  { field: 'options', max: length, unit, types: ['poll'] },
];

/** Polls that are open for one of these numbers of days. */
export const pollDurations = (days: readonly number[]): ContentNeed => ({
  path: ['duration'],
  isMet: ({ type, duration }) => type !== 'poll' || duration === null || days.includes(duration),
  message: `of a poll must be ${days.slice(0, -1).join(', ')} or ${days.at(-1)} days.`,
});

/** Polls that are open for at most this many days. */
export const pollDays = (maximum: number): ContentNeed => ({
  path: ['duration'],
  isMet: ({ type, duration }) => type !== 'poll' || duration === null || duration <= maximum,
  message: `of a poll must be 1 to ${maximum} days.`,
});

/** An option of the network that must be one of these, if it is set. */
export const optionValues = (
  option: keyof NetworkOptions,
  values: readonly string[],
): ContentNeed => ({
  path: ['networkOptions', option],
  isMet: ({ networkOptions }) => {
    const value = networkOptions?.[option] ?? null;
    return value === null || values.includes(String(value));
  },
  message: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}.`,
});

/**
 * What readers see as the text of a post: its text, after the question of a poll and before the
 * link of a link post, with empty lines between them. What the text contains already is not
 * repeated. A network that shows the link apart gets the text without it.
 */
export function wholeTextOf(
  { type, text, question, url }: PostContent,
  { withLink = true }: { readonly withLink?: boolean } = {},
): CountedText {
  const added = (value: string | null): string => (value && !text.includes(value) ? value : '');
  const entries = Object.entries({
    question: added(type === 'poll' ? question : null),
    text,
    url: added(type === 'link' && withLink ? url : null),
  }).filter(([, value]) => value !== '');
  return {
    text: entries.map(([, value]) => value).join('\n\n'),
    parts: entries.map(([path]) => path),
  };
}

/** Every post needs a title. */
export const TITLE_NEED: ContentNeed = {
  path: ['title'],
  isMet: ({ title }) => hasVisibleText(title),
  message: 'is required.',
};

/** A row of the daily caps, with the limits of the plans free, professional and business. */
export const dailyCap = (
  postKind: string,
  [free, professional, business]: readonly [number, number, number],
  source: string,
  only: Pick<DailyCapRule, 'accountTypes' | 'postTypes'> = {},
): DailyCapRule => ({ postKind, limits: { free, professional, business }, source, ...only });

/** A field that changes on the network, too. */
export const onNetwork = (
  field: EditablePath,
  only: Partial<Pick<PublishedEditRule, 'maxLength' | 'types'>> = {},
): PublishedEditRule => ({
  field,
  maxLength: null,
  types: [],
  appliesTo: 'service_and_network',
  ...only,
});

/** Labels change in the service, on every network. */
export const LABELS: PublishedEditRule = {
  field: 'labels',
  maxLength: null,
  types: [],
  appliesTo: 'service',
};

/**
 * An account's credentials as JSON; each adapter defines and checks the keys. Never logged, never
 * part of a job.
 */
export type Credentials = Readonly<Record<string, string>>;

/**
 * What identifies a post before it is on the network, as text by name: an idempotency key, a record
 * key, a container, an upload session, a slug. Stored with the attempt; contains no secret.
 */
export type PublicationHandle = Readonly<Record<string, string>>;
