import { createHash } from 'node:crypto';
import type { Media } from '../../domain/posts/post.js';
import { stop } from '../http-client/failure.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { Line } from '../http-client/network-client.js';
import type { Blog } from './blog.js';

/** What a blog takes as a picture, and how the file is called. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
};

/** The blog's id of a picture: found in its library, by its address there or as what an earlier edit brought, else brought there. 0 takes the post's picture away. */
export async function featuredMediaId(
  { blog, line }: { blog: Blog; line: Line },
  media: Media | null,
): Promise<number> {
  if (media === null) return 0;
  const url = new URL(media.url);
  const file = decodeURIComponent(url.pathname.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const isTheirs = new URL(blog.address).host === url.host;
  // A picture is called by its file unless somebody renamed it, and so are the copies of other sizes.
  const theirs =
    isTheirs && file !== ''
      ? await found(blog, { search: file.replace(/-(\d+x\d+|scaled|rotated)$/, '') }, (one) =>
          addressesOf(one).includes(withoutScheme(media.url)),
        )
      : null;
  const slug = slugOf(file, media.url);
  return theirs ?? (await found(blog, { slug }, () => true)) ?? bring({ blog, line }, media, slug);
}

/** With the address in the name: an edit that is made again finds what it brought, and two pictures of one name stay two. */
function slugOf(file: string, url: string): string {
  const stem =
    file
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'picture';
  return `${stem}-${createHash('sha256').update(url).digest('hex').slice(0, 12)}`;
}

async function found(
  blog: Blog,
  query: Readonly<Record<string, string>>,
  isIt: (one: unknown) => boolean,
): Promise<number | null> {
  const entries = await blog.ask('GET', '/wp/v2/media', {
    ...query,
    per_page: '100',
    _fields: 'id,source_url,media_details',
  });
  return numberAt((Array.isArray(entries) ? entries : []).find(isIt), 'id');
}

const withoutScheme = (url: string): string => url.replace(/^https?:/i, '');

/** The picture's own address, and those of the smaller copies that the blog has made of it. */
function addressesOf(entry: unknown): string[] {
  const copies = Object.values(
    (valueAt(entry, 'media_details', 'sizes') as Record<string, unknown> | undefined) ?? {},
  );
  return [entry, ...copies].flatMap((one) => textAt(one, 'source_url') ?? []).map(withoutScheme);
}

async function bring(
  { blog, line }: { blog: Blog; line: Line },
  media: Media,
  slug: string,
): Promise<number> {
  const { type, bytes } = await line.download(media.url);
  const extension =
    EXTENSIONS[type] ??
    stop(
      'NETWORK_REFUSED',
      `The featured picture is not one that a blog takes: it is ${type || 'of no known type'}.`,
    );
  const query = {
    slug,
    title: media.title ?? slug,
    ...(media.altText !== null && { alt_text: media.altText }),
    _fields: 'id',
  };
  const made = await blog.upload('/wp/v2/media', query, {
    name: `${slug}.${extension}`,
    type,
    bytes,
  });
  return numberAt(made, 'id') ?? line.unreadable('id of the picture');
}
