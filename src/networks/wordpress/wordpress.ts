import { wordpress } from '../../domain/networks/wordpress.js';
import type { EditablePath } from '../../domain/networks/network-definition.js';
import type { Post } from '../../domain/posts/post.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { throwRequestError } from '../http-client/network-response.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';
import { createWordpressApi, wordpressErrors, type BlogConnection } from './wordpress-api.js';
import { createBlogPublisher, type ToBlogHtml } from './blog-publisher.js';
import { COMMENT_COUNTS } from './comment-counts.js';
import { findOrUploadMedia } from './featured-media.js';
import { findOrCreateTerms } from './taxonomy-terms.js';

interface WriteContext extends BlogConnection {
  readonly toBlogHtml: ToBlogHtml;
}
type FieldWriter = (
  context: WriteContext,
  post: Post,
  postId: string,
) => Promise<Record<string, unknown>>;

/** Converts each editable field to the body of WordPress's update. */
const FIELD_WRITERS: Readonly<Partial<Record<EditablePath, FieldWriter>>> = {
  title: async (_context, { title }) => ({ title: title ?? '' }),
  content: async ({ toBlogHtml }, { content }) => ({ content: toBlogHtml(content) }),
  excerpt: async (_context, { excerpt }) => ({ excerpt: excerpt ?? '' }),
  // With an empty slug WordPress generates one from the title.
  url: async (_context, { url }) => ({ slug: url ?? '' }),
  featuredMedia: async (context, { featuredMedia }) => ({
    featured_media: await findOrUploadMedia(context, featuredMedia),
  }),
  categories: async (context, { categories }, postId) => ({
    categories: await findOrCreateTerms(context, 'categories', { names: categories, postId }),
  }),
  tags: async (context, { tags }, postId) => ({
    tags: await findOrCreateTerms(context, 'tags', { names: tags, postId }),
  }),
};

/**
 * WordPress blogs: POST /wp-json/wp/v2/posts, and /posts/<id> for an edit, with an application
 * password. `toBlogHtml` converts content blocks to HTML (D25).
 */
export const createWordpress = (http: HttpClient, toBlogHtml: ToBlogHtml): NetworkAdapter =>
  createAdapter(http, wordpress, {
    errors: wordpressErrors,
    async edit(client, { remoteId, post, changed }, credentials) {
      const context: WriteContext = {
        api: createWordpressApi(client, credentials),
        client,
        toBlogHtml,
      };
      const body: Record<string, unknown> = {};
      for (const path of changed)
        Object.assign(body, await FIELD_WRITERS[path]?.(context, post, remoteId));
      const saved = await context.api.post(
        `/wp/v2/posts/${remoteId}`,
        { _fields: 'id,status' },
        body,
      );
      // WordPress also accepts edits of posts in its trash.
      if (textAt(saved, 'status') === 'trash')
        throwRequestError(
          'NETWORK_POST_DELETED',
          'WordPress no longer has the post: it is in the trash.',
        );
    },
    async check(client, credentials) {
      const api = createWordpressApi(client, credentials);
      const user = await api.get('/wp/v2/users/me', {
        context: 'edit',
        _fields: 'id,capabilities',
      });
      if (valueAt(user, 'capabilities', 'edit_published_posts') !== true)
        throwRequestError(
          'NETWORK_FORBIDDEN',
          `WordPress does not allow ${credentials.username} to edit published posts.`,
        );
      const site = await api.get('/', { _fields: 'name,home,site_icon_url' });
      const home = textAt(site, 'home') ?? client.throwMissing('URL');
      return {
        socialId: home.replace(/^https?:\/\//i, '').replace(/\/+$/, ''),
        name: textAt(site, 'name') ?? home,
        type: 'blog',
        picture: textAt(site, 'site_icon_url'),
      };
    },
    publisher: createBlogPublisher(toBlogHtml),
    numbers: COMMENT_COUNTS,
  });
