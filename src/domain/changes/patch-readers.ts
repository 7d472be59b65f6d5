import { calendarDate, dateOrTime, ordered } from '../input/date-readers.js';
import { PART_LIMITS as LIMITS, type FieldLimit } from '../input/field-limits.js';
import { jsonObject } from '../input/json-reader.js';
import {
  contentBlockType,
  daysOfWeek,
  detailType,
  gapFrequency,
  mediaType,
  privacy,
  repeat,
} from './patch-enums.js';
import { labelKey, type Location } from '../posts/post.js';
import type { ContentBlock, MediaTag } from '../posts/post-content.js';
import type { LabelPatch, MediaPatch } from '../posts/post-patch.js';
import type { Link } from '../posts/link-preview.js';
import type {
  NetworkOptions,
  PostDetails,
  Recycling,
  RecurringRule,
  Sponsor,
} from '../posts/post-settings.js';
import { flag, integer, list, matching, number, shape, type Reader } from '../input/readers.js';
import { color, httpsUrl, line, name, text, webUrl } from '../input/text-readers.js';

type ListLimit = FieldLimit & { readonly items: FieldLimit };

/** The indexes of items that repeat an earlier one, each with the index of that one. */
function repetitions<T>(items: readonly T[], keyOf: (item: T) => string): [number, number][] {
  const keys = items.map(keyOf);
  return keys.flatMap((key, index): [number, number][] => {
    const first = keys.indexOf(key);
    return first < index ? [[index, first]] : [];
  });
}

/** A set of names: one that repeats an earlier one, in any case, is dropped. */
export const names = (limit: ListLimit): Reader<string[]> => {
  const nameList = list(name(limit.items), limit);
  return (value, path, problems) => {
    const items = nameList(value, path, problems);
    const repeated = new Set(repetitions(items ?? [], labelKey).map(([index]) => index));
    return items?.filter((_item, index) => !repeated.has(index));
  };
};

/** The options of a poll, which voters could not tell apart if two were equal. */
export const options = (limit: ListLimit): Reader<string[]> => {
  const nameList = list(name(limit.items), limit);
  return (value, path, problems) => {
    const items = nameList(value, path, problems);
    const repeated = repetitions(items ?? [], (item) => item);
    for (const [index, first] of repeated)
      problems.push({ path: [...path, index], message: `is the same option as option ${first}` });
    return repeated.length === 0 ? items : undefined;
  };
};

const webUrls = (limit: ListLimit): Reader<string[]> => list(webUrl(limit.items), limit);

const tag = shape<MediaTag>({
  id: line(LIMITS.tag.id),
  name: line(LIMITS.tag.name),
  x: number(LIMITS.tag.x),
  y: number(LIMITS.tag.y),
});

const mediaItem = shape<MediaPatch>({
  id: line(LIMITS.media.id),
  path: httpsUrl(LIMITS.media.path),
  type: mediaType,
  title: text(LIMITS.media.title),
  caption: text(LIMITS.media.caption),
  inLibrary: flag,
  defaultThumbnail: httpsUrl(LIMITS.media.defaultThumbnail),
  thumbnails: shape<NonNullable<MediaPatch['thumbnails']>>({
    real: httpsUrl(LIMITS.thumbnails.real),
    small: httpsUrl(LIMITS.thumbnails.small),
  }),
  userTags: list(tag, LIMITS.media.userTags),
  collaboratorTags: list(tag, LIMITS.media.collaboratorTags),
  productTags: list(tag, LIMITS.media.productTags),
});

/** Media is identified by its ID or by its path (D20). */
const identifiedMedia: Reader<MediaPatch> = (value, path, problems) => {
  const item = mediaItem(value, path, problems);
  const input = value as MediaPatch;
  if (item && (input.id ?? input.path ?? null) === null)
    problems.push({ path, message: 'requires an ID or a path' });
  return item;
};

/** The media of a post. */
export const media = (limit: FieldLimit): Reader<MediaPatch[]> => list(identifiedMedia, limit);

/** The featured image of a blog post. */
export const featuredMedia = shape<{ path: string }>(
  { path: httpsUrl(LIMITS.featuredMedia.path) },
  { required: ['path'] },
);

const LINK = {
  url: webUrl(LIMITS.link.url),
  callToAction: line(LIMITS.link.callToAction),
  phoneNumber: line(LIMITS.link.phoneNumber),
  providerDisplay: line(LIMITS.link.providerDisplay),
  originalDescription: text(LIMITS.link.originalDescription),
  originalTitle: text(LIMITS.link.originalTitle),
  description: text(LIMITS.link.description),
  title: text(LIMITS.link.title),
  defaultImage: webUrl(LIMITS.link.defaultImage),
  images: webUrls(LIMITS.link.images),
  originalImages: webUrls(LIMITS.link.originalImages),
};

/** The link of a post. */
export const link = shape<Link>(LINK);

const sublink = shape<Link>(LINK, { required: ['url'] });
/** Additional links. */
export const sublinks = (limit: FieldLimit): Reader<Link[]> => list(sublink, limit);

/** The syntax of BCP 47; the network decides whether it supports the language. */
const language = matching(
  (value): value is string =>
    typeof value === 'string' &&
    value.length <= LIMITS.details.language.maxLength &&
    /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(value),
  'must be a language tag of 2 to 35 characters, such as en or pt-BR',
);

/** Settings that only some networks have. */
export const details = ordered(
  shape<PostDetails>({
    type: detailType,
    feed: flag,
    reminder: flag,
    title: line(LIMITS.details.title),
    start: dateOrTime,
    end: dateOrTime,
    coupon: line(LIMITS.details.coupon),
    terms: text(LIMITS.details.terms),
    audio: line(LIMITS.details.audio),
    privacy,
    comment: flag,
    duet: flag,
    stitch: flag,
    promotional: flag,
    paid: flag,
    language,
    autoAddMusic: flag,
    textFormatPresetId: line(LIMITS.details.textFormatPresetId),
    boost: flag,
    sponsor: shape<Sponsor>({
      id: line(LIMITS.sponsor.id),
      name: line(LIMITS.sponsor.name),
      verified: flag,
      boost: flag,
    }),
  }),
  'start',
  'end',
);

/** Settings that are specific to one network. */
export const networkOptions = shape<NetworkOptions>({
  boardId: line(LIMITS.networkOptions.boardId),
  visibility: line(LIMITS.networkOptions.visibility),
  sensitive: flag,
  spoilerText: text(LIMITS.networkOptions.spoilerText),
  replySettings: line(LIMITS.networkOptions.replySettings),
  category: line(LIMITS.networkOptions.category),
  parseMode: line(LIMITS.networkOptions.parseMode),
  disableNotification: flag,
});

/** Repeated publication. */
export const recycling = ordered(
  shape<Recycling>({
    solo: flag,
    gap: integer(LIMITS.recycling.gap),
    gapFreq: gapFrequency,
    label: line(LIMITS.recycling.label),
    startDate: calendarDate,
    expireDate: calendarDate,
    expireCount: integer(LIMITS.recycling.expireCount),
  }),
  'startDate',
  'expireDate',
);

/** The rule of a series. */
export const recurring = ordered(
  shape<RecurringRule>({
    startDate: dateOrTime,
    endDate: dateOrTime,
    repeat,
    repeatRate: integer(LIMITS.recurring.repeatRate),
    daysOfWeek,
  }),
  'startDate',
  'endDate',
);

const block = shape<ContentBlock>(
  { type: contentBlockType, data: jsonObject },
  { required: ['type', 'data'] },
);
/** The blocks of an article. */
export const content = (limit: FieldLimit): Reader<ContentBlock[]> => list(block, limit);

/** A place. */
export const location = shape<Location>(
  { id: line(LIMITS.location.id), name: line(LIMITS.location.name) },
  { notNull: ['id'] },
);

const label = shape<LabelPatch>({ name: name(LIMITS.label.name), color }, { required: ['name'] });

/**
 * Labels are a set: names that differ only in case are the same label, which must be listed once
 * (D20).
 */
export const labels = (limit: FieldLimit): Reader<LabelPatch[]> => {
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
