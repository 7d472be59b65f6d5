import { Element, isTag } from 'domhandler';
import { Parser } from 'htmlparser2';
import { isWebUrl, mediaTypeOfUrl } from '../../web-url.js';
import type { BodyMedia } from './block-data.js';
import { toPlainText } from './plain-text.js';

/** Elements that are media of the post. */
export const MEDIA_ELEMENTS: ReadonlySet<string> = new Set(['img', 'video']);

/** The media of an `img` or `video` element; null if its URL is not http(s). */
export function toBodyMedia(
  { name, attribs, children }: Element,
  caption: string,
): BodyMedia | null {
  const source = children.filter(isTag).find((child) => child.name === 'source');
  const url = (attribs['src'] ?? source?.attribs['src'] ?? '').trim();
  if (!isWebUrl(url)) return null;
  return {
    url,
    type: mediaTypeOfUrl(url, name === 'video' ? 'video' : 'photo'),
    alt: attribs['alt']?.trim() ?? '',
    title: attribs['title']?.trim() ?? '',
    caption: toPlainText(caption),
    libraryId: /\bwp-image-(\d+)\b/.exec(attribs['class'] ?? '')?.[1] ?? null,
  };
}

/** The media of an HTML text, without a tree of it. */
export function findMedia(html: string): BodyMedia[] {
  const elements: Element[] = [];
  const parser = new Parser({
    onopentag: (name, attribs) => {
      const last = elements.at(-1);
      if (MEDIA_ELEMENTS.has(name)) elements.push(new Element(name, attribs));
      else if (name === 'source' && last?.name === 'video')
        last.children.push(new Element(name, attribs));
    },
  });
  parser.end(html);
  return elements.flatMap((element) => toBodyMedia(element, '') ?? []);
}
