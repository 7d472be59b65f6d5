import {
  calendarDate,
  dateOrTime,
  ordered,
  type FieldLimit,
  list,
  matching,
  oneOf,
  type Reader,
  color,
  httpsUrl,
  mediaUrl,
  line,
  name,
  text,
  webUrl,
  jsonObject,
} from '../input/readers.js';
import {
  flagKey,
  formKey,
  idKey,
  integerKey,
  numberKey,
  objectKey,
  objectsKey,
  shaped,
  textKey,
  type Shape,
  type Shaped,
} from '../input/shapes.js';
import { enumKeys } from '../enums.js';
import { CONTENT_DATA } from './content-data.js';
import {
  CONTENT_BLOCK_TYPES,
  MEDIA_TYPES,
  labelKey,
  type ContentBlock,
  type MediaType,
} from './post-content.js';

/**
 * The objects inside a post that clients set. Each key is one line: its reader and its bounds, and
 * what the APIs say about it. Types, GraphQL inputs and results, bodies of REST v1 and the
 * reference pages follow from these tables.
 */

/** The default for strings, enough for a URL. */
const SHORT = { maxLength: 2_048 } as const;
const ID = { minLength: 1, maxLength: 200 } as const;
const WORD = { minLength: 1, maxLength: 100 } as const;
const LONG = { maxLength: 20_000 } as const;
const COUNT = { minimum: 1, maximum: 1_000 } as const;
const FRACTION = { minimum: 0, maximum: 1 } as const;
const IMAGES = { maxItems: 50, items: SHORT } as const;
const TAGS = { maxItems: 100 } as const;

const webUrlsKey = <const L extends FieldLimit & { readonly items: FieldLimit }>(
  limit: L,
  description: string,
) =>
  ({
    type: 'text',
    isList: true,
    read: list(webUrl(limit.items), limit),
    limit,
    description,
  }) as const;

/** The featured image of a blog post. */
export const FEATURED_MEDIA = {
  path: {
    ...textKey(
      mediaUrl,
      SHORT,
      'HTTPS URL of the image, up to 2,048 characters. The gateway fetches it only to send the post to a blog.',
    ),
    presence: 'required',
  },
} as const satisfies Shape;

/** A custom thumbnail. */
export const THUMBNAILS = {
  real: textKey(httpsUrl, SHORT, 'HTTPS URL of the thumbnail in full size.'),
  small: textKey(httpsUrl, SHORT, 'HTTPS URL of the thumbnail in small size.'),
} as const satisfies Shape;

/** A tag on media. */
export const TAG = {
  id: idKey(line, SHORT, 'ID of the tagged user or product on the network.'),
  name: textKey(line, SHORT, 'Name of the tagged user or product on the network.'),
  x: numberKey(FRACTION, 'Distance from the left edge, as a fraction of the width: 0 to 1.'),
  y: numberKey(FRACTION, 'Distance from the top edge, as a fraction of the height: 0 to 1.'),
} as const satisfies Shape;

/** One media item, identified by `id` or `path` (D20). */
export const MEDIA = {
  id: idKey(
    line,
    ID,
    'ID of a media item of the workspace. Other IDs are rejected with MEDIA_NOT_FOUND.',
  ),
  path: textKey(
    mediaUrl,
    SHORT,
    'HTTPS URL of the file, called `url` in a result. The gateway fetches it only to publish the post. If `id` is set, `path` must be the URL of that item.',
  ),
  type: {
    ...formKey(
      oneOf<MediaType>(MEDIA_TYPES, { image: 'photo' }),
      'Type of a new file, if the type does not follow from the URL.',
    ),
    isRestOnly: true,
  },
  title: textKey(text, { maxLength: 2_000 }, 'Title of the media item.'),
  caption: textKey(text, LONG, 'Alternative text, called `altText` in a result.'),
  inLibrary: flagKey('Whether to add the item to the media library of the workspace.'),
  defaultThumbnail: textKey(httpsUrl, SHORT, 'HTTPS URL of the default thumbnail.'),
  thumbnails: objectKey(THUMBNAILS, 'Custom thumbnail.'),
  userTags: objectsKey(TAG, TAGS, 'Tagged users, with their positions.'),
  collaboratorTags: objectsKey(TAG, TAGS, 'Tagged collaborators.'),
  productTags: objectsKey(TAG, TAGS, 'Tagged products.'),
} as const satisfies Shape;

/** A link with its preview. `original…` are the values of the linked page. */
export const LINK = {
  url: textKey(
    webUrl,
    SHORT,
    'HTTP or HTTPS URL. On the `link` of a post, the same value as the `url` of the post.',
  ),
  callToAction: textKey(line, SHORT, 'Action of the button.'),
  phoneNumber: textKey(line, SHORT, 'Phone number of a call button.'),
  providerDisplay: textKey(line, SHORT, 'Name of the linked site, as displayed.'),
  originalDescription: textKey(text, LONG, 'Description that the linked page provides.'),
  originalTitle: textKey(text, SHORT, 'Title that the linked page provides.'),
  description: textKey(text, LONG, 'Description of the preview.'),
  title: textKey(text, SHORT, 'Title of the preview.'),
  defaultImage: textKey(webUrl, SHORT, 'HTTPS URL of the preview image.'),
  images: webUrlsKey(IMAGES, 'HTTPS URLs of the images to choose from.'),
  originalImages: webUrlsKey(IMAGES, 'HTTPS URLs of the images that the linked page provides.'),
} as const satisfies Shape;

/** The sponsor of a paid partnership. */
export const SPONSOR = {
  id: {
    ...idKey(line, SHORT, 'ID of the sponsor on the network.'),
    inResult: 'ID of the sponsor on the network. Empty if only the name is known.',
    isAlwaysInResult: true,
  },
  name: textKey(line, SHORT, 'Name of the sponsor.'),
  verified: flagKey('Whether the network has verified the sponsor.'),
  boost: flagKey('Whether the sponsor can boost the post.'),
} as const satisfies Shape;

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

/**
 * The values of `details.privacy` of all networks; each network has its own (see NETWORKS). Not
 * normalized when a patch is read, because the spelling depends on the network of the post.
 */
const PRIVACY_LEVELS = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
  'public',
  'unlisted',
  'private',
] as const;
export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

const anyPrivacy = oneOf(PRIVACY_LEVELS);
const privacy: Reader<string> = (value, path, problems) =>
  anyPrivacy(value, path, problems) && (value as string);

const LANGUAGE = { minLength: 2, maxLength: 35 } as const;
/** The syntax of BCP 47; the network decides whether it supports the language. */
const language = matching(
  (value): value is string =>
    typeof value === 'string' &&
    value.length <= LANGUAGE.maxLength &&
    /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(value),
  'must be a language tag of 2 to 35 characters, such as en or pt-BR',
);

/** Settings that only some networks or post types have. */
export const DETAILS = {
  type: formKey(
    oneOf<string>(DETAIL_TYPES),
    'Variant of the post: reel, story, short, document, photo, event, offer or long_post.',
  ),
  feed: {
    ...flagKey('Whether to share a reel to the feed as well.'),
    inResult: 'Whether a reel is also shared to the feed.',
  },
  reminder: {
    ...flagKey(
      'Whether to remind a person to publish the post instead of publishing it automatically.',
    ),
    inResult: 'Whether the gateway reminds a person to publish the post instead of publishing it.',
  },
  title: textKey(line, SHORT, 'Title of the event.'),
  start: formKey(dateOrTime, 'Start of the event.'),
  end: formKey(dateOrTime, 'End of the event.'),
  coupon: textKey(line, SHORT, 'Coupon code of the offer.'),
  terms: textKey(text, LONG, 'Terms of the offer.'),
  audio: textKey(line, SHORT, 'Name of the sound.'),
  privacy: formKey(privacy, 'Audience of the post, as a value that the network defines.'),
  comment: {
    ...flagKey('Whether to allow comments.'),
    inResult: 'Whether comments are allowed.',
  },
  duet: { ...flagKey('Whether to allow duets.'), inResult: 'Whether duets are allowed.' },
  stitch: { ...flagKey('Whether to allow stitches.'), inResult: 'Whether stitches are allowed.' },
  promotional: flagKey('Whether the post promotes the author’s own business.'),
  paid: flagKey('Whether the post is paid for.'),
  language: textKey(() => language, LANGUAGE, 'Language of the text, as a BCP 47 tag.'),
  autoAddMusic: flagKey('Whether the network adds music automatically.'),
  textFormatPresetId: textKey(
    line,
    SHORT,
    'ID of the background preset of a text-only post, on Facebook.',
  ),
  boost: flagKey('Whether the post can be boosted.'),
  sponsor: objectKey(SPONSOR, 'Sponsor of the post.'),
} as const satisfies Shape;

/** Settings that are specific to one network. */
export const NETWORK_OPTIONS = {
  boardId: textKey(line, ID, 'ID of the board to pin to, on Pinterest: digits.'),
  boardSectionId: textKey(
    line,
    ID,
    'ID of the section of the board to pin to, on Pinterest: digits.',
  ),
  visibility: textKey(
    line,
    WORD,
    'Audience. On Mastodon: public, unlisted, private or direct. On LinkedIn: PUBLIC, CONNECTIONS or LOGGED_IN.',
  ),
  sensitive: flagKey('Whether media are hidden until a reader reveals them.'),
  spoilerText: textKey(
    text,
    { maxLength: 2_000 },
    'Content warning that is shown instead of the text, on Mastodon.',
  ),
  replySettings: textKey(line, WORD, 'Who can reply, as a value that the network defines.'),
  category: textKey(line, WORD, 'Category of a video, as an ID that YouTube defines: digits.'),
  playlistId: textKey(line, ID, 'ID of the playlist that the video is added to, on YouTube.'),
  madeForKids: flagKey('Whether the video is made for children, on YouTube.'),
  syntheticContent: flagKey(
    'Whether media contain realistic scenes that were altered or made by AI, on YouTube and TikTok.',
  ),
  parseMode: textKey(line, WORD, 'Markup of the text, on Telegram: HTML, Markdown or MarkdownV2.'),
  disableNotification: flagKey(
    'Whether the post is sent without notifying members of the channel, on Telegram.',
  ),
  disableLinkPreview: flagKey(
    'Whether the post is sent without a preview of its link, on Telegram.',
  ),
} as const satisfies Shape;

/** Units of the gap between two recycles. */
export const GAP_FREQUENCIES = ['days', 'weeks', 'months'] as const;
export type GapFrequency = (typeof GAP_FREQUENCIES)[number];

/** How a post is published again after publication. */
export const RECYCLING = {
  solo: {
    ...flagKey('Whether the previous publication is removed from the network after each new one.'),
    isAlwaysInResult: true,
  },
  gap: {
    ...integerKey(COUNT, 'Interval between two publications, in units of `gapFreq`, at least 1.'),
    inResult: 'Interval between two publications, in units of `gapFreq`.',
    isAlwaysInResult: true,
  },
  gapFreq: {
    ...formKey(
      oneOf<GapFrequency>(GAP_FREQUENCIES, { day: 'days', week: 'weeks', month: 'months' }),
      'Unit of `gap`: days, weeks or months.',
    ),
    isAlwaysInResult: true,
  },
  label: {
    ...textKey(line, SHORT, 'Label of the group of posts that the post is recycled with.'),
    isRequestOnly: true,
  },
  startDate: formKey(calendarDate, 'First day, as YYYY-MM-DD.'),
  expireDate: formKey(calendarDate, 'Last day, as YYYY-MM-DD.'),
  expireCount: {
    ...integerKey(
      COUNT,
      'Number of repetitions after the first publication, at least 1. Then recycling ends.',
    ),
    inResult: 'Number of repetitions after the first publication. Then recycling ends.',
  },
} as const satisfies Shape;

/** Frequencies of a series. */
export const REPEATS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
/** Days of the week, from 0 = Monday (D6). */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

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
const DAYS = { maxItems: 7 } as const;
const weekdays = list(weekday, DAYS);
/** Sent as numbers or names, read as distinct numbers from 0 (Monday) to 6 (D6). */
const daysOfWeek: Reader<number[]> = (value, path, problems) => {
  const days = weekdays(value, path, problems);
  return days && [...new Set(days)].sort((a, b) => a - b);
};

/** The rule of a series, with the field names of a request; times are ISO 8601 in UTC. */
export const RECURRING = {
  startDate: formKey(
    dateOrTime,
    'First occurrence: a date (midnight in the time zone of the workspace) or a date and time with an offset.',
  ),
  endDate: formKey(
    dateOrTime,
    'End of the series, inclusive: a date or a date and time with an offset.',
  ),
  repeat: formKey(oneOf(REPEATS), 'Unit of repetition: daily, weekly, monthly or yearly.'),
  repeatRate: integerKey(COUNT, 'Interval between occurrences, in units of `repeat`, at least 1.'),
  daysOfWeek: {
    type: 'json',
    isList: true,
    read: daysOfWeek,
    limit: DAYS,
    description: 'Weekdays, as numbers 0 (Monday) to 6 (Sunday) or English names.',
  },
} as const satisfies Shape;

const CONTENT_DATA_TEXT = `${enumKeys(CONTENT_DATA)
  .map((type) => `${type}: ${Object.keys(CONTENT_DATA[type]).join(', ')}`)
  .join(
    '; ',
  )}. Texts can contain inline HTML. An item of a list is a text or {text or content, style, items}; \`rows\` or \`content\` of a table is a list of lists of texts; \`file\` is {url}.`;

/** One block of an article. The keys of `data` depend on the type: see content-data.ts (D25). */
export const CONTENT_BLOCK = {
  type: {
    ...formKey(
      oneOf(CONTENT_BLOCK_TYPES),
      'Block type: paragraph, header, list, media, table, delimiter, code, html or quote.',
    ),
    presence: 'required',
  },
  data: {
    type: 'json',
    read: jsonObject,
    description: `Data of the block, stored as sent. Its keys depend on \`type\`. ${CONTENT_DATA_TEXT} Texts that an article would not show are refused; keys about the look in an editor, such as \`alignment\`, are ignored.`,
    inResult: `Data of the block. Its keys depend on \`type\`. ${CONTENT_DATA_TEXT}`,
    presence: 'required',
  },
} as const satisfies Shape;

/** A place. */
export const LOCATION = {
  id: { ...idKey(line, ID, 'ID of the place on the network.'), presence: 'never_null' },
  name: {
    ...textKey(line, SHORT, 'Name of the place.'),
    inResult: 'Name of the place. Empty if only the ID is known.',
    isAlwaysInResult: true,
  },
} as const satisfies Shape;

/** A label, by name; `color` is used only if the label is created (D20). */
export const LABEL = {
  name: {
    ...textKey(name, { minLength: 1, maxLength: 100 }, 'Name of the label.'),
    presence: 'required',
  },
  color: formKey(color, 'Color of a new label, `#rrggbb`. Defaults to #808080.'),
} as const satisfies Shape;

/** The shapes by name. `link` and `sublinks` contain the same objects. */
export const SHAPES = {
  featuredMedia: FEATURED_MEDIA,
  media: MEDIA,
  thumbnails: THUMBNAILS,
  tag: TAG,
  link: LINK,
  details: DETAILS,
  networkOptions: NETWORK_OPTIONS,
  sponsor: SPONSOR,
  recycling: RECYCLING,
  recurring: RECURRING,
  location: LOCATION,
  label: LABEL,
} as const satisfies Readonly<Record<string, Shape>>;

export type MediaPatch = Shaped<typeof MEDIA>;
export type Link = Shaped<typeof LINK>;
export type PostDetails = Shaped<typeof DETAILS>;
export type NetworkOptions = Shaped<typeof NETWORK_OPTIONS>;
export type Recycling = Shaped<typeof RECYCLING>;
export type RecurringRule = Shaped<typeof RECURRING>;
export type Location = Shaped<typeof LOCATION>;
export type LabelPatch = Shaped<typeof LABEL>;

type ListLimit = FieldLimit & { readonly items: FieldLimit };

/** The indexes of items that repeat an earlier one, each with the index of that one. */
function repetitions<T>(items: readonly T[], keyOf: (item: T) => string): [number, number][] {
  const keys = items.map(keyOf);
  return keys.flatMap((key, index): [number, number][] => {
    const first = keys.indexOf(key);
    return first < index ? [[index, first]] : [];
  });
}

/** Reads a set of names: one that repeats an earlier one, in any case, is dropped. */
export const readNames = (limit: ListLimit): Reader<string[]> => {
  const nameList = list(name(limit.items), limit);
  return (value, path, problems) => {
    const items = nameList(value, path, problems);
    const repeated = new Set(repetitions(items ?? [], labelKey).map(([index]) => index));
    return items?.filter((_item, index) => !repeated.has(index));
  };
};

/** Reads the options of a poll, which voters could not tell apart if two were equal. */
export const readOptions = (limit: ListLimit): Reader<string[]> => {
  const nameList = list(name(limit.items), limit);
  return (value, path, problems) => {
    const items = nameList(value, path, problems);
    const repeated = repetitions(items ?? [], (item) => item);
    for (const [index, first] of repeated)
      problems.push({ path: [...path, index], message: `is the same option as option ${first}` });
    return repeated.length === 0 ? items : undefined;
  };
};

const mediaItem = shaped(MEDIA);
/** Media is identified by its ID or by its path (D20). */
const identifiedMedia: Reader<MediaPatch> = (value, path, problems) => {
  const item = mediaItem(value, path, problems);
  const input = value as MediaPatch;
  if (item && (input.id ?? input.path ?? null) === null)
    problems.push({ path, message: 'requires an ID or a path' });
  return item;
};
export const readMedia = (limit: FieldLimit): Reader<MediaPatch[]> => list(identifiedMedia, limit);

const label = shaped(LABEL);
/**
 * Reads labels, which are a set: names that differ only in case are the same label, which must be
 * listed once (D20).
 */
export const readLabels = (limit: FieldLimit): Reader<LabelPatch[]> => {
  const labelList = list(label, limit);
  return (value, path, problems) => {
    const items = labelList(value, path, problems);
    const duplicates = repetitions(items ?? [], (item) => labelKey(item.name));
    for (const [index, first] of duplicates) {
      const [repeated, earlier] = [items![index]!.name, items![first]!.name];
      problems.push({
        path: [...path, index, 'name'],
        message: `${JSON.stringify(repeated)} and ${JSON.stringify(earlier)} are the same label; list it once`,
      });
    }
    return duplicates.length === 0 ? items : undefined;
  };
};

export const readFeaturedMedia = shaped(FEATURED_MEDIA);
export const readLink = shaped(LINK);
export const readSublinks = (limit: FieldLimit): Reader<Link[]> =>
  list(shaped(LINK, ['url']), limit);
export const readDetails = ordered(shaped(DETAILS), 'start', 'end');
export const readNetworkOptions = shaped(NETWORK_OPTIONS);
export const readRecycling = ordered(shaped(RECYCLING), 'startDate', 'expireDate');
export const readRecurring = ordered(shaped(RECURRING), 'startDate', 'endDate');
export const readContent = (limit: FieldLimit): Reader<ContentBlock[]> =>
  list(shaped(CONTENT_BLOCK), limit);
export const readLocation = shaped(LOCATION);
