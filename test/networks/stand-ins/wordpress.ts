import { createWordpress } from '../../../src/networks/wordpress/wordpress.js';
import { blogHtml } from '../../../src/services/posts/blog-html/blog-html.js';
import type { NetworkCase } from './network-case.js';
import {
  aBlog,
  BASIC_AUTH,
  errorBody,
  PASSWORD,
  startWordpress,
  type BlogState,
} from './wordpress-server.js';

const POSTS = 'POST /wp-json/wp/v2/posts/7';
const [FIND, PUBLISH] = ['GET /wp-json/wp/v2/posts', 'POST /wp-json/wp/v2/posts'];
const [CATEGORIES, TAGS] = ['GET /wp-json/wp/v2/categories', 'GET /wp-json/wp/v2/tags'];

export const wordpressCase: NetworkCase = {
  network: 'wordpress',
  name: 'WordPress',
  remoteId: '7',
  secrets: [PASSWORD, BASIC_AUTH],
  account: { socialId: 'blog.example/kiosk', name: 'Kiosk', type: 'blog', picture: null },
  edits: [
    {
      name: 'title, content, slug and categories: one of the post, one of the blog, one created',
      changed: ['title', 'content', 'url', 'categories'],
      post: {
        type: 'article',
        title: 'New',
        url: 'new',
        categories: ['news', 'Beans & Bars', 'Fresh'],
        content: [{ type: 'paragraph', data: { text: 'New<script>alert(1)</script>' } }],
      },
      requests: [CATEGORIES, CATEGORIES, CATEGORIES, 'POST /wp-json/wp/v2/categories', POSTS],
      changedState: {
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
      name: 'all fields cleared',
      changed: ['title', 'content', 'excerpt', 'url', 'featuredMedia', 'categories', 'tags'],
      post: { type: 'article', title: null, excerpt: null, url: null },
      requests: [POSTS],
      changedState: {
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
      name: 'a category that the database treats as equal to another, and tags',
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
      changedState: {
        post: { ...aBlog().post, excerpt: 'New', categories: [2], tags: [100, 101] },
        tags: [
          { id: 100, name: 'a' },
          { id: 101, name: 'A' },
        ],
      },
    },
  ],
  publication: {
    guarantee: 'compared',
    live: { remoteId: '8', url: 'https://blog.example/first-harvest/' },
    cases: [
      {
        name: 'a text with paragraphs; its slug is the one of the title',
        post: () => ({
          type: 'article',
          title: 'First: Harvest!',
          text: 'One <b> two\n\nThree\nfour',
        }),
        requests: [FIND, PUBLISH],
        published: {
          id: 8,
          status: 'publish',
          slug: 'first-harvest',
          title: 'First: Harvest!',
          content: '<p>One &lt;b&gt; two</p>\n<p>Three<br />four</p>',
          excerpt: '',
        },
      },
      {
        name: 'an article with all fields',
        post: (url) => ({
          type: 'article',
          title: 'Beans',
          url: 'Röstung, neu',
          excerpt: 'Short',
          content: [{ type: 'header', data: { text: 'Beans', level: 2 } }],
          categories: ['News', 'Fresh'],
          tags: ['a'],
          featuredMedia: {
            id: 'med_1',
            type: 'photo',
            url: `${url}/elsewhere/R%C3%B6aster%20one.png`,
            altText: 'Beans',
            title: null,
          },
        }),
        requests: [
          'GET /wp-json/wp/v2/media',
          'GET /wp-json/wp/v2/media',
          'GET /elsewhere/R%C3%B6aster%20one.png',
          'POST /wp-json/wp/v2/media',
          CATEGORIES,
          CATEGORIES,
          'POST /wp-json/wp/v2/categories',
          TAGS,
          'POST /wp-json/wp/v2/tags',
          FIND,
          PUBLISH,
        ],
        published: {
          id: 8,
          status: 'publish',
          slug: 'rostung-neu',
          title: 'Beans',
          content: '<h2>Beans</h2>',
          excerpt: 'Short',
          featured_media: 60,
          categories: [1, 103],
          tags: [100],
        },
      },
    ],
    published: (state) => (state as BlogState).posts.filter(({ status }) => status === 'publish'),
  },
  errorBody,
  async start() {
    return startWordpress(aBlog());
  },
  adapter: (http) => createWordpress(http, blogHtml),
  credentials: (url) => ({ site: `${url}/`, username: 'ada', applicationPassword: PASSWORD }),
};
