import { isWebUrl, mediaTypeOfUrl } from '../../web-url.js';
import type { BodyMedia } from './block-data.js';
import { isElement, type HtmlElement } from './html-tree.js';
import { toPlainText } from './plain-text.js';

/** The media of an `img` or `video` element; null if its URL is not http(s). */
export function toBodyMedia(
  { name, attributes, children }: HtmlElement,
  caption: string,
): BodyMedia | null {
  const source = children.filter(isElement).find((child) => child.name === 'source');
  const url = (attributes['src'] ?? source?.attributes['src'] ?? '').trim();
  if (!isWebUrl(url)) return null;
  return {
    url,
    type: mediaTypeOfUrl(url, name === 'video' ? 'video' : 'photo'),
    alt: attributes['alt']?.trim() ?? '',
    title: attributes['title']?.trim() ?? '',
    caption: toPlainText(caption),
    libraryId: /\bwp-image-(\d+)\b/.exec(attributes['class'] ?? '')?.[1] ?? null,
  };
}
