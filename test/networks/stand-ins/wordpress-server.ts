import { exactly, matching, listOf, text, integerFrom } from './request-schema.js';
import { startStandIn, type ReceivedRequest, type Reply } from './stand-in.js';
import { postRoutes, type PublishedBlogPost } from './wordpress-posts.js';

export const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678';
export const BASIC_AUTH = Buffer.from(`ada:${PASSWORD}`).toString('base64');
const headers = { authorization: exactly(`Basic ${BASIC_AUTH}`) };
export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

interface Term {
  id: number;
  name: string;
  /** Whether the post has the term. */
  post?: boolean;
}
interface File {
  id: number;
  slug: string;
  source_url: string;
  sizes?: string[];
  title?: string;
  alt_text?: string;
}

export const aBlog = () => ({
  post: {
    title: 'Old',
    content: '<p>Old</p>',
    excerpt: 'Old',
    slug: 'old',
    featured_media: 5,
    categories: [1],
    tags: [] as number[],
    status: 'publish',
  },
  categories: [
    { id: 1, name: 'News', post: true },
    { id: 2, name: 'Caf&eacute; Bar' },
    { id: 3, name: 'Beans &amp; Bars' },
  ] as Term[],
  tags: [] as Term[],
  /** Published through the API. */
  posts: [] as PublishedBlogPost[],
  files: [
    {
      id: 5,
      slug: 'roaster',
      source_url: '/wp-content/uploads/roaster.png',
      sizes: ['/wp-content/uploads/roaster-300x200.png'],
    },
  ] as File[],
});
export type BlogState = ReturnType<typeof aBlog>;

export const errorBody = (status: number, message: string) => ({
  code: 'rest_refused',
  message,
  data: { status },
});

/** Starts the REST API of a blog. */
export async function startWordpress(blog: BlogState) {
  const getRequest = { method: 'GET', headers };
  const termQuery = {
    'post?': matching(/^7$/),
    'search?': text,
    per_page: exactly('100'),
    _fields: exactly('id,name'),
  };
  const url = (path: string): string => `${standIn.url}${path}`;

  const list =
    (terms: Term[]) =>
    ({ query }: ReceivedRequest): Reply => ({
      status: 200,
      json: terms
        .filter(({ name, post }) =>
          query.post
            ? post
            : name.toLowerCase().includes((query.search ?? '').toLowerCase().split('&')[0]!.trim()),
        )
        .map(({ id, name }) => ({ id, name })),
    });
  const create =
    (terms: Term[]) =>
    ({ body }: ReceivedRequest): Reply => {
      const { name } = body as { name: string };
      // MySQL's collation treats é and e as equal.
      const existing = terms.find(
        (term) =>
          term.name.replace('&eacute;', 'e') === name.normalize('NFD').replace(/\p{M}/gu, ''),
      );
      if (existing)
        return {
          status: 400,
          json: {
            code: 'term_exists',
            message: 'A term with the name provided already exists.',
            data: { status: 400, term_id: existing.id },
          },
        };
      const created = { id: 100 + terms.length, name };
      terms.push(created);
      return { status: 201, json: created };
    };

  const standIn = await startStandIn(
    [
      ...postRoutes(blog.posts, headers),
      ...(['categories', 'tags'] as const).flatMap((taxonomy) => [
        {
          ...getRequest,
          path: new RegExp(`^/wp-json/wp/v2/${taxonomy}$`),
          query: termQuery,
          respond: list(blog[taxonomy]),
        },
        {
          method: 'POST',
          headers,
          path: new RegExp(`^/wp-json/wp/v2/${taxonomy}$`),
          json: { name: text },
          respond: create(blog[taxonomy]),
        },
      ]),
      {
        ...getRequest,
        path: /^\/wp-json\/wp\/v2\/media$/,
        query: {
          'search?': text,
          'slug?': matching(/^[a-z0-9-]+$/),
          per_page: exactly('100'),
          _fields: exactly('id,source_url,media_details'),
        },
        respond: ({ query }) => ({
          status: 200,
          json: blog.files
            .filter(({ slug }) => (query.slug ? slug === query.slug : slug.includes(query.search!)))
            .map(({ id, source_url, sizes = [] }) => ({
              id,
              source_url: url(source_url),
              media_details: {
                sizes: Object.fromEntries(
                  sizes.map((path, index) => [`size-${index}`, { source_url: url(path) }]),
                ),
              },
            })),
        }),
      },
      {
        method: 'POST',
        path: /^\/wp-json\/wp\/v2\/media$/,
        headers: {
          ...headers,
          'content-disposition': matching(
            /^attachment; filename="[a-z0-9-]+\.(jpg|png|gif|webp|avif)"$/,
          ),
        },
        query: {
          slug: matching(/^[a-z0-9-]+$/),
          title: text,
          'alt_text?': text,
          _fields: exactly('id'),
        },
        file: (bytes) => (PNG.equals(bytes as Buffer) ? null : 'is not the expected picture'),
        respond({ query }) {
          blog.files.push({
            id: 60,
            slug: query.slug!,
            source_url: `/wp-content/uploads/${query.slug}.png`,
            title: query.title!,
            ...(query.alt_text && { alt_text: query.alt_text }),
          });
          return { status: 201, json: { id: 60 } };
        },
      },
      {
        method: 'POST',
        path: /^\/wp-json\/wp\/v2\/posts\/7$/,
        headers,
        query: { _fields: exactly('id,status') },
        json: {
          'title?': text,
          'content?': text,
          'excerpt?': text,
          'slug?': text,
          'featured_media?': integerFrom(0),
          'categories?': listOf(integerFrom(1)),
          'tags?': listOf(integerFrom(1)),
        },
        respond({ body }) {
          Object.assign(blog.post, body);
          return { status: 200, json: { id: 7, status: blog.post.status } };
        },
      },
      {
        ...getRequest,
        path: /^\/wp-json\/wp\/v2\/users\/me$/,
        query: { context: exactly('edit'), _fields: exactly('id,capabilities') },
        respond: () => ({
          status: 200,
          json: { id: 1, capabilities: { edit_published_posts: true } },
        }),
      },
      {
        ...getRequest,
        path: /^\/wp-json\/$/,
        query: { _fields: exactly('name,home,site_icon_url') },
        respond: () => ({
          status: 200,
          json: { name: 'Kiosk', home: 'https://blog.example/kiosk', site_icon_url: '' },
        }),
      },
      {
        method: 'GET',
        headers: {},
        path: /^\/elsewhere\/R%C3%B6aster%20one\.png$/,
        respond: () => ({ status: 200, text: PNG, headers: { 'Content-Type': 'image/png' } }),
      },
    ],
    errorBody,
  );
  return { ...standIn, state: () => blog };
}
