import type { MediaType } from '../domain/posts/post-content.js';

/** Whether a text is an http(s) URL with a host. */
export const isWebUrl = (url: string): boolean => /^https?:\/\/[^\s/]/i.test(url);

const MEDIA_TYPES_BY_EXTENSION: readonly (readonly [RegExp, MediaType])[] = [
  [/\.gif$/i, 'gif'],
  [/\.(jpe?g|jpe|png|webp|avif|heic|bmp|tiff?|svg|ico)$/i, 'photo'],
  [/\.(mp4|m4v|mov|webm|ogv|avi|wmv|mpe?g|3gp|3g2|mkv)$/i, 'video'],
];

/** Media type by file extension, for exports that do not contain the type. */
export function mediaTypeOfUrl(url: string, fallback: MediaType): MediaType {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return MEDIA_TYPES_BY_EXTENSION.find(([pattern]) => pattern.test(path))?.[1] ?? fallback;
}
