import { randomBytes } from 'node:crypto';
import type { WordpressApi } from './wordpress-api.js';

/** WordPress cuts slugs, in which most letters are encoded, at 200 bytes. */
const MAX_ENCODED_LENGTH = 150;
/** Slugs that WordPress changes: they would collide with its feeds, pages and archives. */
const RESERVED = /^(\d+|embed|feed|rdf|rss2?|atom|page)$/;
/** Numbers that are tried after a slug that is taken. */
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
 * A text in Latin letters without accents, which WordPress removes when it saves a slug, but not when
 * it searches for one.
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
 * A slug that no post of the blog has: like WordPress's own, the slug of the text, or else with a
 * number after it.
 */
export async function findFreeSlug(api: WordpressApi, text: string): Promise<string> {
  const slug = toSlug(text);
  const isFree = async (candidate: string): Promise<boolean> => {
    const query = { slug: candidate, status: 'any', _fields: 'id' };
    const posts = await api.get('/wp/v2/posts', query);
    return Array.isArray(posts) && posts.length === 0;
  };
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (await isFree(candidate)) return candidate;
  }
  return `${slug}-${randomBytes(4).toString('hex')}`;
}
