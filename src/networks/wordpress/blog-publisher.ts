import type { ContentBlock } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { LivePost, SentPost } from '../../services/networks/network-ports.js';
import { decodeEntities, comparableText } from '../html-text.js';
import { numberAt, textAt } from '../http-client/json-path.js';
import {
  preparedNow,
  publicationKey,
  type PublisherDefinition,
  wasPreparedBefore,
} from '../publisher.js';
import { findOrUploadMedia } from './featured-media.js';
import { findOrCreateTerms } from './taxonomy-terms.js';
import {
  createWordpressApi,
  type BlogConnection,
  type WordpressCredentials,
  type WordpressApi,
} from './wordpress-api.js';

/** Converts content blocks to the HTML of a blog post. */
export type ToBlogHtml = (content: readonly ContentBlock[]) => string;

/** What a post is found by, and what was made on the blog for it: IDs of terms and a picture. */
interface BlogHandle {
  readonly slug: string;
  readonly categories: string;
  readonly tags: string;
  readonly featuredMedia: string;
}

const toIds = (ids: string | undefined): number[] => (ids ? ids.split(',').map(Number) : []);

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The blocks of an article: of its text, if it has no content. */
const blocksOf = ({ content, text }: Post): readonly ContentBlock[] =>
  content.length > 0
    ? content
    : text
        .split(/\n{2,}/)
        .map((paragraph) => escapeHtml(paragraph.trim()).replaceAll('\n', '<br>'))
        .map((html) => ({ type: 'paragraph', data: { text: html } }));

function toLivePost({ client }: BlogConnection, post: unknown): LivePost {
  const id = numberAt(post, 'id') ?? client.throwMissing('post ID');
  return { kind: 'live', remoteId: String(id), url: textAt(post, 'link') };
}

/** Published posts, and those that the blog publishes later or shows to some readers only. */
const LIVE_STATUSES: ReadonlySet<string | null> = new Set(['publish', 'private', 'future']);

/** Differences between the clocks of the service and of a blog. */
const CLOCK_TOLERANCE_MS = 600_000;

/** Whether an entry is the post that may have been sent, by its title and time. */
function isOwnPost(entry: unknown, { post, sentAt }: SentPost): boolean {
  const title = decodeEntities(textAt(entry, 'title', 'raw') ?? '');
  return (
    LIVE_STATUSES.has(textAt(entry, 'status')) &&
    Date.parse(`${textAt(entry, 'date_gmt')}Z`) >= sentAt.getTime() - CLOCK_TOLERANCE_MS &&
    comparableText(title) === comparableText(post.title ?? '')
  );
}

/**
 * Publishes posts on a blog. The slug, which is free when the post is prepared, identifies it:
 * after a call without a response the post is found by its slug and title.
 */
export const createBlogPublisher = (
  toBlogHtml: ToBlogHtml,
): PublisherDefinition<keyof WordpressCredentials, BlogConnection> => ({
  connect: async (client, credentials) => ({
    client,
    api: createWordpressApi(client, credentials),
  }),
  async prepare(blog, { post }) {
    const termIds = async (taxonomy: 'categories' | 'tags'): Promise<string> =>
      (await findOrCreateTerms(blog, taxonomy, { names: post[taxonomy], postId: null })).join(',');
    const handle: BlogHandle = {
      featuredMedia: String(await findOrUploadMedia(blog, post.featuredMedia)),
      categories: await termIds('categories'),
      tags: await termIds('tags'),
      slug: await findFreeSlug(blog.api, post),
    };
    return { ...handle, ...preparedNow(blog.client) };
  },
  async publish(blog, { post, handle }) {
    const [categories, tags] = [toIds(handle.categories), toIds(handle.tags)];
    const published = await blog.api.post(
      '/wp/v2/posts',
      { _fields: 'id,link' },
      {
        status: 'publish',
        slug: handle.slug,
        title: post.title ?? '',
        content: toBlogHtml(blocksOf(post)),
        excerpt: post.excerpt ?? '',
        // Without categories the blog uses its default one.
        ...(categories.length > 0 && { categories }),
        ...(tags.length > 0 && { tags }),
        ...(handle.featuredMedia !== '0' && { featured_media: Number(handle.featuredMedia) }),
      },
    );
    return toLivePost(blog, published);
  },
  async look(blog, sent) {
    const found = await blog.api.get('/wp/v2/posts', {
      slug: (wasPreparedBefore(sent) ? [sent.handle.slug!] : slugsOf(sent.post)).join(','),
      status: 'any',
      context: 'edit',
      _fields: 'id,link,status,title,date_gmt',
    });
    const posts = Array.isArray(found) ? found : blog.client.throwMissing('list of posts');
    const own = posts.find((entry) => isOwnPost(entry, sent));
    if (own !== undefined) return toLivePost(blog, own);
    // Another post took the slug in the meantime: then the blog chose another one for this post.
    return posts.length > 0 && wasPreparedBefore(sent)
      ? { kind: 'cannot_tell' }
      : { kind: 'not_there' };
  },
  async remove({ api }, remoteId) {
    await api.delete(`/wp/v2/posts/${remoteId}`, { _fields: 'id' });
  },
});

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
  const unique = publicationKey({ id, scheduledAt }).slice(0, 8);
  return [slug, ...[...numbers, unique].map((suffix) => `${slug}-${suffix}`)];
}

/** The first slug of a post that no other post of the blog has. */
async function findFreeSlug(api: WordpressApi, post: Post): Promise<string> {
  const slugs = slugsOf(post);
  for (const slug of slugs) {
    const posts = await api.get('/wp/v2/posts', { slug, status: 'any', _fields: 'id' });
    if (Array.isArray(posts) && posts.length === 0) return slug;
  }
  return slugs.at(-1)!;
}
