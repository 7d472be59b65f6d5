import type { SaxesTagNS } from 'saxes';

/** Depth of <item> elements; <rss> has depth 1 and <channel> depth 2. */
export const ITEM_DEPTH = 3;
/** Depth of the fields of an item. */
export const FIELD_DEPTH = 4;
/** Depth of the fields of comments and meta fields. */
export const SUBFIELD_DEPTH = 5;

/** Fields of an item that the importer reads. */
export const FIELDS = new Set([
  'title',
  'link',
  'content:encoded',
  'excerpt:encoded',
  'wp:post_id',
  'wp:post_parent',
  'wp:post_type',
  'wp:status',
  'wp:post_name',
  'wp:post_date',
  'wp:post_date_gmt',
  'wp:post_modified',
  'wp:post_modified_gmt',
  'wp:post_password',
  'wp:attachment_url',
  'category',
]);
/** Fields that are dropped from an item that is too large. */
export const BODY_FIELDS: ReadonlySet<string> = new Set(['content:encoded', 'excerpt:encoded']);
/** Fields of comments and meta fields that the importer reads. */
export const SUBFIELDS = new Set(['wp:meta_key', 'wp:meta_value', 'wp:comment_approved']);
/**
 * URL of the blog, preferred field first. `link`, the public site, is the fallback for old formats.
 */
export const BLOG_URL_FIELDS = ['wp:base_blog_url', 'link'] as const;
/** Keys of the meta fields that the importer reads. */
export const META_KEYS = new Set(['_thumbnail_id', '_wp_attachment_image_alt']);

/**
 * Usual prefix of each namespace. Versions 1.0, 1.1 and 1.2 of the format differ only in the
 * namespace URL.
 */
const NAMESPACES: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/$/, 'wp:'],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/$/, 'excerpt:'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/, 'content:'],
  [/^$/, ''],
];
const prefixCache = new Map<string, string | null>();

/** The element's name with the usual prefix of its namespace; null for unknown namespaces. */
export function toCanonicalName(tag: SaxesTagNS): string | null {
  let prefix = prefixCache.get(tag.uri);
  if (prefix === undefined) {
    prefix = NAMESPACES.find(([pattern]) => pattern.test(tag.uri))?.[1] ?? null;
    if (prefixCache.size < 100) prefixCache.set(tag.uri, prefix);
  }
  return prefix === null ? null : prefix + tag.local;
}
