import { createHash } from 'node:crypto';
import type { Post } from '../../domain/posts/post.js';
import type { WordpressApi } from './wordpress-api.js';

/** WordPress cuts slugs, in which most letters are encoded, at 200 bytes. */
const MAX_ENCODED_LENGTH = 150;
/** Slugs that WordPress changes: they would collide with its feeds, pages and archives. */
const RESERVED = /^(\d+|embed|feed|rdf|rss2?|atom|page)$/;
/** The highest number that is tried after a slug that is taken. */
const MAX_NUMBER = 5;

/** The first characters of a slug, as many as WordPress keeps. */
function shorten(slug: string): string {
  let shortened = '';
  for (const character of slug) {
    if (encodeURIComponent(shortened + character).length > MAX_ENCODED_LENGTH) break;
    shortened += character;
  }
  return shortened;
}

/** Latin letters that have no accent to remove. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ŧ: 't',
};

/**
 * A text in Latin letters without accents, which WordPress removes when it saves a slug, but not
 * when it searches for one.
 */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .replace(/[ßæœøđðþłħıĸŋŧ]/g, (letter) => LETTERS[letter]!);

/** The slug of a text: letters and digits with hyphens, which WordPress keeps as it is. */
export function toSlug(text: string): string {
  const words = withoutAccents(text.toWellFormed().toLowerCase())
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+/, '');
  const slug = shorten(words).replace(/-+$/, '');
  return slug === '' || RESERVED.test(slug) ? `post${slug && '-'}${slug}` : slug;
}

/**
 * The slugs that a post may get, in the order in which they are tried: like WordPress's own, the
 * slug of its `url` or title, or else with a number after it. The last one is of this post and time
 * only.
 */
export function slugsOf({
  id,
  url,
  title,
  scheduledAt,
}: Pick<Post, 'id' | 'url' | 'title' | 'scheduledAt'>): string[] {
  const slug = toSlug(url ?? title ?? '');
  const numbers = Array.from({ length: MAX_NUMBER - 1 }, (_, index) => String(index + 2));
  const unique = createHash('sha256')
    .update(`${id} ${scheduledAt?.toISOString() ?? ''}`)
    .digest('hex')
    .slice(0, 8);
  return [slug, ...[...numbers, unique].map((suffix) => `${slug}-${suffix}`)];
}

/** The first slug of a post that no other post of the blog has. */
export async function findFreeSlug(api: WordpressApi, post: Post): Promise<string> {
  const slugs = slugsOf(post);
  for (const slug of slugs) {
    const posts = await api.get('/wp/v2/posts', { slug, status: 'any', _fields: 'id' });
    if (Array.isArray(posts) && posts.length === 0) return slug;
  }
  return slugs.at(-1)!;
}
