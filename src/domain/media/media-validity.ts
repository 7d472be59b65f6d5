import { enumKeys, POST_TYPES, type PostType } from '../enums.js';
import type { FileLimit } from '../networks/network-definition.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import { needsMedia, type MediaType } from '../posts/post-content.js';
import { MEDIA_CONTENT_TYPES } from './media-content.js';
import { presentBytes, type MediaContent } from './media-file.js';

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

/** Whether posts of this type on this network can have the file. */
export function checkFile(content: MediaContent, place: MediaPlace): FileVerdict {
  const { contentType, bytes, size } = content;
  const { network, type } = place;
  const kind = MEDIA_CONTENT_TYPES[contentType].type;
  const kindProblem = mediaKindProblem(kind, place);
  if (kindProblem) return refused(kindProblem);
  const limit: FileLimit = NETWORKS[network].files?.[kind] ?? {};
  const { formats, minBytes = 0 } = limit;
  const maxBytes = limit.maxBytesOf?.[type] ?? limit.maxBytes ?? Infinity;
  const { maxSides = Infinity, maxRatio = Infinity, maxPixels = Infinity, minSide = 0 } = limit;
  if (formats && !formats.includes(contentType))
    return refused(
      `On ${network}, a ${kind} must be ${formats.map((format) => MEDIA_CONTENT_TYPES[format].name).join(' or ')}.`,
    );
  if (bytes < minBytes)
    return refused(
      `On ${network}, a ${kind} must have at least ${presentBytes(minBytes)}; it has ${presentBytes(bytes)}.`,
    );
  const { width, height } = size ?? { width: 1, height: 1 };
  if (size && Math.min(width, height) < minSide)
    return refused(
      `On ${network}, width and height of a ${kind} must be at least ${minSide} pixels; it has ${width} × ${height} pixels.`,
    );
  if (width * height > maxPixels)
    return refused(
      `On ${network}, a ${kind} may have at most ${maxPixels} pixels; it has ${width} × ${height} pixels.`,
    );
  if (Math.max(width, height) > maxRatio * Math.min(width, height))
    return refused(
      `On ${network}, the long side of a ${kind} may be at most ${maxRatio} times as long as the short side; it has ${width} × ${height} pixels.`,
    );
  if (limit.converts === 'animations')
    return converted(`${network} gets the first frame, because it takes no animations.`);
  const excess =
    bytes > maxBytes
      ? `a ${kind} may have at most ${presentBytes(maxBytes)}; it has ${presentBytes(bytes)}`
      : width + height > maxSides
        ? `width and height of a ${kind} may be at most ${maxSides} pixels together; it has ${width} × ${height} pixels`
        : null;
  if (excess === null) return VALID;
  return limit.converts
    ? converted(`${network} gets a smaller picture, because ${excess}.`)
    : refused(`On ${network}, ${excess}.`);
}

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
