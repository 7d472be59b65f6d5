import { createWordpress } from '../../../src/networks/wordpress/wordpress.js';
import { blogHtml } from '../../../src/services/posts/blog-html.js';
import type { NetworkCase } from './network-case.js';
import { exactly, like, listOf, text, wholeFrom } from './shape.js';
import { openStandIn, type Received, type Reply } from './stand-in.js';

const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678';
const basic = Buffer.from(`ada:${PASSWORD}`).toString('base64');
const headers = { authorization: exactly(`Basic ${basic}`) };
export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

interface Term {
  id: number;
  name: string;
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
  files: [
    {
      id: 5,
      slug: 'roaster',
      source_url: '/wp-content/uploads/roaster.png',
      sizes: ['/wp-content/uploads/roaster-300x200.png'],
    },
  ] as File[],
});
export type ShownBlog = ReturnType<typeof aBlog>;

/** The REST interface of a blog at its address. */
export async function openWordpress(blog: ShownBlog) {
  const listing = { method: 'GET', headers };
  const search = {
    'post?': like(/^7$/),
    'search?': text,
    per_page: exactly('100'),
    _fields: exactly('id,name'),
  };
  const url = (path: string): string => `${standIn.url}${path}`;

  const list =
    (terms: Term[]) =>
    ({ query }: Received): Reply => ({
      status: 200,
      json: terms
        .filter(({ name, post }) =>
          query.post
            ? post
            : name.toLowerCase().includes((query.search ?? '').toLowerCase().split('&')[0]!.trim()),
        )
        .map(({ id, name }) => ({ id, name })),
    });
  const make =
    (terms: Term[]) =>
    ({ body }: Received): Reply => {
      const { name } = body as { name: string };
      // MySQL's collation takes é for e.
      const twin = terms.find(
        (term) =>
          term.name.replace('&eacute;', 'e') === name.normalize('NFD').replace(/\p{M}/gu, ''),
      );
      if (twin)
        return {
          status: 400,
          json: {
            code: 'term_exists',
            message: 'A term with the name provided already exists.',
            data: { status: 400, term_id: twin.id },
          },
        };
      const made = { id: 100 + terms.length, name };
      terms.push(made);
      return { status: 201, json: made };
    };

  const standIn = await openStandIn(
    [
      ...(['categories', 'tags'] as const).flatMap((taxonomy) => [
        {
          ...listing,
          path: new RegExp(`^/wp-json/wp/v2/${taxonomy}$`),
          query: search,
          answer: list(blog[taxonomy]),
        },
        {
          method: 'POST',
          headers,
          path: new RegExp(`^/wp-json/wp/v2/${taxonomy}$`),
          json: { name: text },
          answer: make(blog[taxonomy]),
        },
      ]),
      {
        ...listing,
        path: /^\/wp-json\/wp\/v2\/media$/,
        query: {
          'search?': text,
          'slug?': like(/^[a-z0-9-]+$/),
          per_page: exactly('100'),
          _fields: exactly('id,source_url,media_details'),
        },
        answer: ({ query }) => ({
          status: 200,
          json: blog.files
            .filter(({ slug }) => (query.slug ? slug === query.slug : slug.includes(query.search!)))
            .map(({ id, source_url, sizes = [] }) => ({
              id,
              source_url: url(source_url),
              media_details: {
                sizes: Object.fromEntries(
                  sizes.map((path, at) => [`size-${at}`, { source_url: url(path) }]),
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
          'content-disposition': like(
            /^attachment; filename="[a-z0-9-]+\.(jpg|png|gif|webp|avif)"$/,
          ),
        },
        query: {
          slug: like(/^[a-z0-9-]+$/),
          title: text,
          'alt_text?': text,
          _fields: exactly('id'),
        },
        file: (bytes) => (PNG.equals(bytes as Buffer) ? null : 'is not the picture'),
        answer({ query }) {
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
          'featured_media?': wholeFrom(0),
          'categories?': listOf(wholeFrom(1)),
          'tags?': listOf(wholeFrom(1)),
        },
        answer({ body }) {
          Object.assign(blog.post, body);
          return { status: 200, json: { id: 7, status: blog.post.status } };
        },
      },
      {
        ...listing,
        path: /^\/wp-json\/wp\/v2\/users\/me$/,
        query: { context: exactly('edit'), _fields: exactly('id,capabilities') },
        answer: () => ({
          status: 200,
          json: { id: 1, capabilities: { edit_published_posts: true } },
        }),
      },
      {
        ...listing,
        path: /^\/wp-json\/$/,
        query: { _fields: exactly('name,home,site_icon_url') },
        answer: () => ({
          status: 200,
          json: { name: 'Kiosk', home: 'https://blog.example/kiosk', site_icon_url: '' },
        }),
      },
      {
        method: 'GET',
        headers: {},
        path: /^\/elsewhere\/R%C3%B6aster%20one\.png$/,
        answer: () => ({ status: 200, text: PNG, headers: { 'Content-Type': 'image/png' } }),
      },
    ],
    wordpressCase.refusal,
  );
  return { ...standIn, shown: () => blog };
}

const POSTS = 'POST /wp-json/wp/v2/posts/7';
const [CATEGORIES, TAGS] = ['GET /wp-json/wp/v2/categories', 'GET /wp-json/wp/v2/tags'];

export const wordpressCase: NetworkCase = {
  network: 'wordpress',
  name: 'WordPress',
  remoteId: '7',
  secrets: [PASSWORD, basic],
  account: { socialId: 'blog.example/kiosk', name: 'Kiosk', type: 'blog', picture: null },
  edits: [
    {
      name: 'title, content, slug and categories: one that the post has, one that the blog has, one that is made',
      changed: ['title', 'content', 'url', 'categories'],
      post: {
        type: 'article',
        title: 'New',
        url: 'new',
        categories: ['news', 'Beans & Bars', 'Fresh'],
        content: [{ type: 'paragraph', data: { text: 'New<script>alert(1)</script>' } }],
      },
      requests: [CATEGORIES, CATEGORIES, CATEGORIES, 'POST /wp-json/wp/v2/categories', POSTS],
      shown: {
        post: {
          ...aBlog().post,
          title: 'New',
          content: '<p>New</p>',
          slug: 'new',
          categories: [1, 3, 103],
        },
        categories: [...aBlog().categories, { id: 103, name: 'Fresh' }],
      },
    },
    {
      name: 'everything taken away',
      changed: ['title', 'content', 'excerpt', 'url', 'featuredMedia', 'categories', 'tags'],
      post: { type: 'article', title: null, excerpt: null, url: null },
      requests: [POSTS],
      shown: {
        post: {
          ...aBlog().post,
          title: '',
          content: '',
          excerpt: '',
          slug: '',
          featured_media: 0,
          categories: [],
          tags: [],
        },
      },
    },
    {
      name: 'a category that the database takes for another one, and tags',
      changed: ['categories', 'tags', 'excerpt'],
      post: { type: 'article', excerpt: 'New', categories: ['Cafe Bar'], tags: ['a', 'A'] },
      requests: [
        CATEGORIES,
        CATEGORIES,
        'POST /wp-json/wp/v2/categories',
        TAGS,
        TAGS,
        TAGS,
        'POST /wp-json/wp/v2/tags',
        'POST /wp-json/wp/v2/tags',
        POSTS,
      ],
      shown: {
        post: { ...aBlog().post, excerpt: 'New', categories: [2], tags: [100, 101] },
        tags: [
          { id: 100, name: 'a' },
          { id: 101, name: 'A' },
        ],
      },
    },
  ],
  refusal: (status, words) => ({ code: 'rest_refused', message: words, data: { status } }),
  async open() {
    const shown = aBlog();
    return openWordpress(shown);
  },
  adapter: (web) => createWordpress(web, blogHtml),
  credentials: (url) => ({ site: `${url}/`, username: 'ada', applicationPassword: PASSWORD }),
};
