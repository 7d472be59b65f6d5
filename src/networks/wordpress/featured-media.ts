import { createHash } from 'node:crypto';
import type { Media } from '../../domain/posts/post-content.js';
import { throwRequestError } from '../http-client/network-response.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { BlogConnection, WordpressApi } from './wordpress-api.js';

/** File extension of each picture type that WordPress accepts. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
};

/**
 * Returns the ID of a picture in the blog's media library. Looks it up by URL if it is on the blog,
 * then by the slug of an earlier upload; otherwise uploads it. Returns 0, which removes the
 * featured image, for null.
 */
export async function findOrUploadMedia(
  { api, client }: BlogConnection,
  media: Media | null,
): Promise<number> {
  if (media === null) return 0;
  const url = new URL(media.url);
  const file = decodeURIComponent(url.pathname.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const isOnBlog = new URL(api.baseUrl).host === url.host;
  // WordPress names a media entry after its file, and resized copies after the original, unless the
  // entry was renamed.
  const existingId =
    isOnBlog && file !== ''
      ? await findMedia(api, { search: file.replace(/-(\d+x\d+|scaled|rotated)$/, '') }, (entry) =>
          urlsOf(entry).includes(withoutScheme(media.url)),
        )
      : null;
  const slug = toSlug(file, media.url);
  return (
    existingId ??
    (await findMedia(api, { slug }, () => true)) ??
    uploadMedia({ api, client }, media, slug)
  );
}

/**
 * The slug contains a hash of the URL, so that a repeated edit finds its earlier upload, and
 * pictures of the same name do not collide.
 */
function toSlug(file: string, url: string): string {
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

async function findMedia(
  api: WordpressApi,
  query: Readonly<Record<string, string>>,
  isMatch: (entry: unknown) => boolean,
): Promise<number | null> {
  const entries = await api.get('/wp/v2/media', {
    ...query,
    per_page: '100',
    _fields: 'id,source_url,media_details',
  });
  return numberAt((Array.isArray(entries) ? entries : []).find(isMatch), 'id');
}

const withoutScheme = (url: string): string => url.replace(/^https?:/i, '');

/** URLs of the picture and of its resized copies. */
function urlsOf(entry: unknown): string[] {
  const copies = Object.values(
    (valueAt(entry, 'media_details', 'sizes') as Record<string, unknown> | undefined) ?? {},
  );
  return [entry, ...copies].flatMap((file) => textAt(file, 'source_url') ?? []).map(withoutScheme);
}

async function uploadMedia(
  { api, client }: BlogConnection,
  media: Media,
  slug: string,
): Promise<number> {
  const file = await client.openMedia(media);
  const { type } = file;
  const extension =
    EXTENSIONS[type] ??
    throwRequestError(
      'NETWORK_REFUSED',
      `WordPress does not accept the featured image: its type is ${type || 'unknown'}.`,
    );
  const query = {
    slug,
    title: media.title ?? slug,
    ...(media.altText !== null && { alt_text: media.altText }),
    _fields: 'id',
  };
  const uploaded = await api.upload('/wp/v2/media', query, {
    ...file,
    name: `${slug}.${extension}`,
  });
  return numberAt(uploaded, 'id') ?? client.throwMissing('picture ID');
}
