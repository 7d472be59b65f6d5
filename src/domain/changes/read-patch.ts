import { calendarDate, dateOrTime, instant, ordered } from '../input/date-readers.js';
import type { Problem } from '../errors.js';
import { FIELD_LIMITS as LIMITS } from '../input/field-limits.js';
import { jsonObject } from '../input/json-reader.js';
import type { PatchInput } from './patch-input.js';
import {
  contentBlockType,
  daysOfWeek,
  detailType,
  gapFrequency,
  postType,
  privacy,
  repeat,
} from './patch-enums.js';
import { labelKey, type Location } from '../posts/post.js';
import type { ContentBlock, MediaTag } from '../posts/post-content.js';
import type { LabelPatch, MediaPatch, PostPatch } from '../posts/post-patch.js';
import type { Link } from '../posts/post-link.js';
import type { PostDetails, Recycling, RecurringRule, Sponsor } from '../posts/post-settings.js';
import {
  finiteNumber,
  flag,
  integer,
  list,
  matching,
  shape,
  type Reader,
} from '../input/readers.js';
import { urlOrSlug, color, httpsUrl, line, name, text, webUrl } from '../input/text-readers.js';

const names = (limit: {
  maxItems: number;
  items: { minLength: number; maxLength: number };
}): Reader<string[]> => list(name(limit.items), limit);
const webUrls = (limit: { maxItems: number; items: { maxLength: number } }): Reader<string[]> =>
  list(webUrl(limit.items), limit);

const tag = shape<MediaTag>({
  id: line(LIMITS.tag.id),
  name: line(LIMITS.tag.name),
  x: finiteNumber,
  y: finiteNumber,
});

const mediaItem = shape<MediaPatch>({
  id: line(LIMITS.media.id),
  path: httpsUrl(LIMITS.media.path),
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
const media: Reader<MediaPatch> = (value, path, problems) => {
  const item = mediaItem(value, path, problems);
  const input = value as MediaPatch;
  if (item && (input.id ?? input.path ?? null) === null)
    problems.push({ path, message: 'requires an ID or a path' });
  return item;
};

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

/** The syntax of BCP 47; the network decides whether it supports the language. */
const language = matching(
  (value): value is string =>
    typeof value === 'string' &&
    value.length <= LIMITS.details.language.maxLength &&
    /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(value),
  'must be a language tag of 2 to 35 characters, such as en or pt-BR',
);

const details = ordered(
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

const recycling = ordered(
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

const recurring = ordered(
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

const labelList = list(
  shape<LabelPatch>({ name: name(LIMITS.label.name), color }, { required: ['name'] }),
  LIMITS.postPatch.labels,
);

/**
 * Labels are a set: names that differ only in case are the same label, which must be listed once
 * (D20).
 */
const labels: Reader<LabelPatch[]> = (value, path, problems) => {
  const items = labelList(value, path, problems);
  const duplicates = (items ?? []).flatMap((label, index, all) => {
    const first = all.findIndex((other) => labelKey(other.name) === labelKey(label.name));
    return first < index
      ? [
          {
            path: [...path, index, 'name'],
            message: `${JSON.stringify(label.name)} and ${JSON.stringify(all[first]!.name)} are the same label; list it once`,
          },
        ]
      : [];
  });
  problems.push(...duplicates);
  return duplicates.length === 0 ? items : undefined;
};

const postPatch = shape<PostPatch>(
  {
    type: postType,
    text: text(LIMITS.postPatch.text),
    url: urlOrSlug(LIMITS.postPatch.url),
    title: text(LIMITS.postPatch.title),
    excerpt: text(LIMITS.postPatch.excerpt),
    question: text(LIMITS.postPatch.question),
    duration: integer(LIMITS.postPatch.duration),
    featuredMedia: shape<{ path: string }>(
      { path: httpsUrl(LIMITS.featuredMedia.path) },
      { required: ['path'] },
    ),
    media: list(media, LIMITS.postPatch.media),
    link: shape<Link>(LINK),
    details,
    recycling,
    recurring,
    content: list(
      shape<ContentBlock>(
        { type: contentBlockType, data: jsonObject },
        { required: ['type', 'data'] },
      ),
      LIMITS.postPatch.content,
    ),
    location: shape<Location>(
      { id: line(LIMITS.location.id), name: line(LIMITS.location.name) },
      { required: ['id'] },
    ),
    labels,
    options: names(LIMITS.postPatch.options),
    tags: names(LIMITS.postPatch.tags),
    categories: names(LIMITS.postPatch.categories),
    sublinks: list(shape<Link>(LINK, { required: ['url'] }), LIMITS.postPatch.sublinks),
    scheduledAt: instant,
  },
  { notNull: ['type'] },
);

/**
 * Reads a patch from an API: checks all formats that do not depend on network, type or state (D21)
 * and normalizes enum values (D6). Returns all problems; a field with a problem is omitted from
 * `patch`, a list as a whole. Never throws.
 */
export function readPatch(input: PatchInput): { patch: PostPatch; problems: Problem[] } {
  const problems: Problem[] = [];
  return { patch: postPatch(input, [], problems) ?? {}, problems };
}
