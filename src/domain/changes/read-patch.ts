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
} from './patch-words.js';
import {
  labelKey,
  type ContentBlock,
  type LabelPatch,
  type Link,
  type Location,
  type MediaPatch,
  type MediaTag,
  type PostDetails,
  type PostPatch,
  type Recycling,
  type RecurringRule,
  type Sponsor,
} from '../posts/post.js';
import {
  finiteNumber,
  flag,
  integer,
  list,
  matching,
  shape,
  type Reader,
} from '../input/readers.js';
import { address, color, httpsUrl, line, name, text, webUrl } from '../input/text-readers.js';

/** A list of strings within its bounds and those of its items. */
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

/** Media is named by its id in the library or by its path (D20). */
const media: Reader<MediaPatch> = (value, path, problems) => {
  const read = mediaItem(value, path, problems);
  const given = value as MediaPatch;
  if (read && (given.id ?? given.path ?? null) === null)
    problems.push({ path, message: 'needs an id or a path' });
  return read;
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

/** BCP 47's form; whether a network knows the language is its own matter. */
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
  shape<LabelPatch>({ name: name(LIMITS.label.name), color }, { needs: ['name'] }),
  LIMITS.postPatch.labels,
);

/** A set: two names that differ in case only are one label, and which of them is meant would be a guess (D20). */
const labels: Reader<LabelPatch[]> = (value, path, problems) => {
  const read = labelList(value, path, problems);
  const twins = (read ?? []).flatMap((label, at, all) => {
    const first = all.findIndex((one) => labelKey(one.name) === labelKey(label.name));
    return first < at
      ? [
          {
            path: [...path, at, 'name'],
            message: `${JSON.stringify(label.name)} and ${JSON.stringify(all[first]!.name)} are one label; name it once`,
          },
        ]
      : [];
  });
  problems.push(...twins);
  return twins.length === 0 ? read : undefined;
};

const postPatch = shape<PostPatch>(
  {
    type: postType,
    text: text(LIMITS.postPatch.text),
    url: address(LIMITS.postPatch.url),
    title: text(LIMITS.postPatch.title),
    excerpt: text(LIMITS.postPatch.excerpt),
    question: text(LIMITS.postPatch.question),
    duration: integer(LIMITS.postPatch.duration),
    featuredMedia: shape<{ path: string }>(
      { path: httpsUrl(LIMITS.featuredMedia.path) },
      { needs: ['path'] },
    ),
    media: list(media, LIMITS.postPatch.media),
    link: shape<Link>(LINK),
    details,
    recycling,
    recurring,
    content: list(
      shape<ContentBlock>(
        { type: contentBlockType, data: jsonObject },
        { needs: ['type', 'data'] },
      ),
      LIMITS.postPatch.content,
    ),
    location: shape<Location>(
      { id: line(LIMITS.location.id), name: line(LIMITS.location.name) },
      { needs: ['id'] },
    ),
    labels,
    options: names(LIMITS.postPatch.options),
    tags: names(LIMITS.postPatch.tags),
    categories: names(LIMITS.postPatch.categories),
    sublinks: list(shape<Link>(LINK, { needs: ['url'] }), LIMITS.postPatch.sublinks),
    scheduledAt: instant,
  },
  { notNull: ['type'] },
);

/**
 * Reads a change as a door hands it over: checks every format that depends on neither network, type nor state (D21),
 * and brings words to their canonical form (D6). All problems at once; a part with a problem is left out of `patch`,
 * a list as a whole. Never throws.
 */
export function readPatch(input: PatchInput): { patch: PostPatch; problems: Problem[] } {
  const problems: Problem[] = [];
  return { patch: postPatch(input, [], problems) ?? {}, problems };
}
