import { exactly, integerFrom, listOf, matching, text } from './request-schema.js';
import type { Route } from './stand-in.js';

/** A post that was published through the REST API. */
export interface PublishedBlogPost {
  id: number;
  status: string;
  slug: string;
  title: string;
  content: string;
  excerpt: string;
  featured_media?: number;
  categories?: number[];
  tags?: number[];
}

const FIRST_ID = 8;

/** The routes that publish, find and delete posts of a blog. */
export function postRoutes(posts: PublishedBlogPost[], headers: Route['headers']): Route[] {
  const linkOf = ({ slug }: PublishedBlogPost): string => `https://blog.example/${slug}/`;
  return [
    {
      method: 'POST',
      path: /^\/wp-json\/wp\/v2\/posts$/,
      headers,
      query: { _fields: exactly('id,link') },
      json: {
        status: exactly('publish'),
        slug: matching(/^[^\s,/]{1,150}$/),
        title: text,
        content: text,
        excerpt: text,
        'featured_media?': integerFrom(1),
        'categories?': listOf(integerFrom(1)),
        'tags?': listOf(integerFrom(1)),
      },
      respond({ body }) {
        const post = { id: FIRST_ID + posts.length, ...(body as Omit<PublishedBlogPost, 'id'>) };
        if (posts.some(({ slug }) => slug === post.slug)) post.slug += '-2';
        posts.push(post);
        return { status: 201, json: { id: post.id, link: linkOf(post) } };
      },
    },
    {
      method: 'GET',
      path: /^\/wp-json\/wp\/v2\/posts$/,
      headers,
      query: {
        slug: matching(/^[^\s/]{1,1000}$/),
        status: exactly('any'),
        'context?': exactly('edit'),
        _fields: matching(/^id(,link,status,title,date_gmt)?$/),
      },
      respond: ({ query }) => ({
        status: 200,
        json: posts
          .filter(({ slug, status }) => query.slug!.split(',').includes(slug) && status !== 'trash')
          .map((post) =>
            query._fields === 'id'
              ? { id: post.id }
              : {
                  id: post.id,
                  link: linkOf(post),
                  status: post.status,
                  title: { raw: post.title, rendered: post.title },
                  date_gmt: '2026-11-21T08:00:01',
                },
          ),
      }),
    },
    {
      method: 'DELETE',
      path: /^\/wp-json\/wp\/v2\/posts\/(\d+)$/,
      headers,
      query: { _fields: exactly('id') },
      respond(_request, match) {
        const post = posts.find(({ id }) => id === Number(match[1]));
        if (!post)
          return {
            status: 404,
            json: {
              code: 'rest_post_invalid_id',
              message: 'Invalid post ID.',
              data: { status: 404 },
            },
          };
        if (post.status === 'trash')
          return {
            status: 410,
            json: {
              code: 'rest_already_trashed',
              message: 'The post has already been deleted.',
              data: { status: 410 },
            },
          };
        post.status = 'trash';
        return { status: 200, json: { id: post.id } };
      },
    },
  ];
}
