import {
  dailyCap,
  LABELS,
  onNetwork,
  TITLE_NEED,
  type NetworkDefinition,
} from './network-definition.js';

const POST_TYPES = ['article'] as const;

export const wordpress = {
  name: 'WordPress',
  description: 'WordPress, a blog and content management system.',
  source: 'D1',
  kind: { key: 'blog_cms', description: 'Blog/CMS.', source: 'Update post' },
  accountTypes: ['blog'],
  postTypes: POST_TYPES,
  url: 'slug',
  aliases: ['wordpress_oauth', 'wordpress_basic'],
  needs: [TITLE_NEED],
  limits: [],
  dailyCaps: [dailyCap('article', [12, 18, 24], 'Blog/CMS articles')],
  edits: [
    onNetwork('title'),
    onNetwork('content'),
    onNetwork('excerpt'),
    onNetwork('url'),
    onNetwork('featuredMedia'),
    onNetwork('categories'),
    onNetwork('tags'),
    LABELS,
  ],
  editRate: { maxConcurrent: 4, maxPerMinute: 60 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason: 'The gateway chooses the slug of an article, by which it is found again.',
    postTypes: POST_TYPES,
    // The pictures of an article are part of its content, or its featured picture.
    mediaTypes: [],
  },
  pace: { intervalMs: 500, maxConcurrent: 2 },
  numbers: {
    sources: { comments: '`GET /wp/v2/comments`: the number of approved comments' },
    missing: 'WordPress itself does not count visitors, likes and clicks.',
  },
  postDomains: null,
  serverHost: /^(https?:\/\/)?(?<host>[^/:]+\.[^/:]+)/,
  adapter: {
    verified: true,
    note: 'Title, content, excerpt, slug, featured image, categories and tags. Uploads images and creates categories and tags that the blog does not have yet. Does not work with the permalink setting “Plain”.',
    credentials: {
      site: { description: 'URL of the blog, such as https://blog.example.', secret: false },
      username: {
        description: 'Name of a user of the blog who can publish posts and edit published posts.',
        secret: false,
      },
      applicationPassword: {
        description: 'Application password of that user (Users → Profile → Application Passwords).',
        secret: true,
      },
    },
    remoteId: /^[1-9]\d{0,17}$/,
  },
} as const satisfies NetworkDefinition;
