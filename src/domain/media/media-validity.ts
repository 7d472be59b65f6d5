import { enumKeys, POST_TYPES, type PostType } from '../enums.js';
import type { FileLimit, FileLimits } from '../networks/network-definition.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import { needsMedia, type Attachment, type MediaType } from '../posts/post-content.js';
import type { Post } from '../posts/post.js';
import { CODECS, MEDIA_CONTENT_TYPES, type CodecName } from './media-content.js';
import { convertedPath, presentBytes, type MediaContent, type PictureSize } from './media-file.js';

/** The kinds of media that a post of each type consists of. */
const KINDS_OF_TYPES: Partial<Record<PostType, readonly MediaType[]>> = {
  photo: ['photo'],
  gif: ['gif'],
  video: ['video'],
  reel: ['video'],
  short: ['video'],
  story: ['photo', 'video'],
  carousel: ['photo', 'video'],
  document: ['document'],
};

/** Whether posts of a type on a network can have a file. */
export interface MediaValidity {
  readonly network: Network;
  readonly type: PostType;
  readonly valid: boolean;
  /** Whether the gateway sends a derived file instead; `reason` says which. */
  readonly converted: boolean;
  /** Null if the network gets the file as it is. */
  readonly reason: string | null;
}

/** Where a file is to be published. */
interface MediaPlace {
  readonly network: Network;
  readonly type: PostType;
}

/** Why posts of a type cannot have media of a kind, or null. Texts and links may have any. */
export function mediaKindProblem(kind: MediaType, { network, type }: MediaPlace): string | null {
  const kinds = NETWORKS[network].mediaKinds?.[type] ?? KINDS_OF_TYPES[type];
  if (!kinds || kinds.includes(kind)) return null;
  return kinds.length === 0
    ? `On ${network}, a ${type} post takes no media.`
    : `A ${type} post takes ${kinds.join(' or ')}, not ${kind}.`;
}

type FileVerdict = Pick<MediaValidity, 'valid' | 'converted' | 'reason'>;
const VALID: FileVerdict = { valid: true, converted: false, reason: null };
const refused = (reason: string): FileVerdict => ({ valid: false, converted: false, reason });
const converted = (reason: string): FileVerdict => ({ valid: true, converted: true, reason });

/** What a limit is held against. */
interface Checked {
  readonly kind: MediaType;
  readonly content: MediaContent;
  readonly limits: FileLimits;
}

/** `JPEG`, `JPEG or PNG`. */
const either = (names: readonly string[]): string => names.join(' or ');
/** At most two digits after the point. */
const digits = (value: number): string => String(Number(value.toFixed(2)));

const sizeText = ({ width, height }: PictureSize): string => `it has ${width} × ${height} pixels`;

type Problem = (checked: Checked) => string | null;

/** What a codec must be; null for one that the file does not say. */
const codecProblem = (
  part: string,
  codec: string | null | undefined,
  allowed: readonly CodecName[] | undefined,
): string | null => {
  if (codec == null || !allowed || allowed.some((name) => name === codec)) return null;
  const names: Readonly<Record<string, string>> = CODECS;
  return `the ${part} of a video must be ${either(allowed.map((name) => names[name]!))}; it is ${names[codec] ?? codec}`;
};

/** What the number of a video must be; null for one that the file does not say. */
const rangeProblem = (
  value: number | null | undefined,
  [min, max]: readonly [number | undefined, number | undefined],
  [must, is, unit]: readonly [must: string, is: string, unit: string],
): string | null => {
  if (value == null) return null;
  if (min !== undefined && value < min)
    return `${must} at least ${min} ${unit}; ${is} ${digits(value)}`;
  return max !== undefined && value > max
    ? `${must} at most ${max} ${unit}; ${is} ${digits(value)}`
    : null;
};

/** What a network would not take, unless a converted picture is sent instead. */
const MENDABLE: readonly { readonly find: Problem; readonly sent: string }[] = [
  {
    find: ({ kind, content: { contentType }, limits: { formats } }) =>
      formats && !formats.includes(contentType)
        ? `a ${kind} must be ${either(formats.map((format) => MEDIA_CONTENT_TYPES[format].name))}`
        : null,
    sent: 'a JPEG picture',
  },
  {
    find: ({ kind, content: { bytes }, limits: { maxBytes = Infinity } }) =>
      bytes > maxBytes
        ? `a ${kind} may have at most ${presentBytes(maxBytes)}; it has ${presentBytes(bytes)}`
        : null,
    sent: 'a smaller picture',
  },
  {
    find: ({ kind, content: { size }, limits: { maxPixels = Infinity } }) =>
      size && size.width * size.height > maxPixels
        ? `a ${kind} may have at most ${maxPixels} pixels; ${sizeText(size)}`
        : null,
    sent: 'a smaller picture',
  },
  {
    find: ({ kind, content: { size }, limits: { maxSides = Infinity } }) =>
      size && size.width + size.height > maxSides
        ? `width and height of a ${kind} may be at most ${maxSides} pixels together; ${sizeText(size)}`
        : null,
    sent: 'a smaller picture',
  },
];

/** Why a network would not take a file that cannot be converted, apart from its kind. */
const PROBLEMS: readonly Problem[] = [
  ({ kind, content: { bytes }, limits: { minBytes = 0 } }) =>
    bytes < minBytes
      ? `a ${kind} must have at least ${presentBytes(minBytes)}; it has ${presentBytes(bytes)}`
      : null,
  ({ kind, content: { size }, limits: { minSide = 0, maxSide = Infinity } }) => {
    if (!size) return null;
    const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
    if (short < minSide)
      return `width and height of a ${kind} must be at least ${minSide} pixels; ${sizeText(size)}`;
    return long > maxSide
      ? `width and height of a ${kind} may be at most ${maxSide} pixels; ${sizeText(size)}`
      : null;
  },
  ({ kind, content: { size }, limits: { maxRatio = Infinity } }) =>
    size && Math.max(size.width, size.height) > maxRatio * Math.min(size.width, size.height)
      ? `the long side of a ${kind} may be at most ${maxRatio} times as long as the short side; ${sizeText(size)}`
      : null,
  ({ kind, content: { size }, limits: { minAspect, maxAspect } }) => {
    // Networks round: a picture may have a pixel too many.
    if (!size) return null;
    const { width, height } = size;
    if (minAspect !== undefined && width + 1 < minAspect * height)
      return `the width of a ${kind} must be at least ${minAspect} times its height; ${sizeText(size)}`;
    return maxAspect !== undefined && width - 1 > maxAspect * height
      ? `the width of a ${kind} may be at most ${maxAspect} times its height; ${sizeText(size)}`
      : null;
  },
  ({ content: { video }, limits: { minSeconds, maxSeconds } }) =>
    rangeProblem(
      video?.durationMs == null ? null : video.durationMs / 1_000,
      [minSeconds, maxSeconds],
      ['a video must last', 'it lasts', 'seconds'],
    ),
  ({ content: { video }, limits: { minFrameRate, maxFrameRate } }) =>
    rangeProblem(
      // 60.02 on average are 60: a clock is never exact.
      video?.frameRate == null ? null : Math.round(video.frameRate),
      [minFrameRate, maxFrameRate],
      ['a video must have', 'it has', 'frames per second'],
    ),
  ({ content: { video }, limits: { videoCodecs } }) =>
    codecProblem('picture', video?.videoCodec, videoCodecs),
  ({ content: { video }, limits: { audioCodecs } }) =>
    codecProblem('sound', video?.audioCodec, audioCodecs),
];

/** Whether posts of this type on this network can have the file. */
export function checkFile(content: MediaContent, place: MediaPlace): FileVerdict {
  const { network, type } = place;
  const kind = MEDIA_CONTENT_TYPES[content.contentType].type;
  const kindProblem = mediaKindProblem(kind, place);
  if (kindProblem) return refused(kindProblem);
  const { ofTypes, ...common }: FileLimit = NETWORKS[network].files?.[kind] ?? {};
  const limits: FileLimits = { ...common, ...ofTypes?.[type] };
  const checked = { kind, content, limits };
  const isPhoto = kind === 'photo';
  for (const find of [...(isPhoto ? [] : MENDABLE.map((mendable) => mendable.find)), ...PROBLEMS]) {
    const problem = find(checked);
    if (problem !== null) return refused(`On ${network}, ${problem}.`);
  }
  if (limits.firstFrame)
    return converted(`${network} gets the first frame, because it takes no animations.`);
  for (const { find, sent } of isPhoto ? MENDABLE : []) {
    const problem = find(checked);
    if (problem !== null) return converted(`${network} gets ${sent}, because ${problem}.`);
  }
  return VALID;
}

/** The media of a post as its network gets them: with the addresses of converted pictures. */
export const sentMedia = (
  { media, mediaFiles, type }: Pick<Post, 'media' | 'mediaFiles' | 'type'>,
  network: Network,
): Attachment[] =>
  media.map((item) => {
    const file = mediaFiles.find(({ mediaId }) => mediaId === item.id);
    return file && checkFile(file, { network, type }).converted
      ? { ...item, url: convertedPath(item.url) }
      : item;
  });

const TYPES_WITH_MEDIA = enumKeys<PostType>(POST_TYPES).filter(needsMedia);

/**
 * Whether each network takes the file, for each of its post types that consist of media (D63).
 * Creation, changes and publication ask the same rules.
 */
export const mediaValidity = (content: MediaContent): MediaValidity[] =>
  enumKeys<Network>(NETWORKS).flatMap((network) => {
    const postTypes: readonly PostType[] = NETWORKS[network].postTypes;
    return TYPES_WITH_MEDIA.filter((type) => postTypes.includes(type)).map((type) => {
      return { network, type, ...checkFile(content, { network, type }) };
    });
  });
