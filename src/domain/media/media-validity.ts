import { enumKeys, POST_TYPES, type PostType } from '../enums.js';
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
  /** Null if the file is valid. */
  readonly reason: string | null;
}

/** Why posts of this type on this network cannot have the file, or null. */
function mediaProblem(
  { contentType, bytes }: MediaContent,
  network: Network,
  type: PostType,
): string | null {
  const kind = MEDIA_CONTENT_TYPES[contentType].type;
  const kinds = KINDS_OF_TYPES[type] ?? [];
  if (!kinds.includes(kind)) return `A ${type} post takes ${kinds.join(' or ')}, not ${kind}.`;
  const { maxBytes, formats } = NETWORKS[network].files?.[kind] ?? {};
  if (formats && !formats.includes(contentType))
    return `On ${network}, a ${kind} must be ${formats.map((format) => MEDIA_CONTENT_TYPES[format].name).join(' or ')}.`;
  return maxBytes !== undefined && bytes > maxBytes
    ? `On ${network}, a ${kind} may have at most ${presentBytes(maxBytes)}; it has ${presentBytes(bytes)}.`
    : null;
}

const TYPES_WITH_MEDIA = enumKeys<PostType>(POST_TYPES).filter(needsMedia);

/** Whether each network takes the file, for each of its post types that consist of media (D63). */
export const mediaValidity = (content: MediaContent): MediaValidity[] =>
  enumKeys<Network>(NETWORKS).flatMap((network) => {
    const postTypes: readonly PostType[] = NETWORKS[network].postTypes;
    return TYPES_WITH_MEDIA.filter((type) => postTypes.includes(type)).map((type) => {
      const reason = mediaProblem(content, network, type);
      return { network, type, valid: reason === null, reason };
    });
  });
