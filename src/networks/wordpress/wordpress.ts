import type { EditablePath } from '../../domain/rules/edit-rules.js';
import type { ContentBlock, Post } from '../../domain/posts/post.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { stop } from '../http-client/failure.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { Line } from '../http-client/network-client.js';
import type { Web } from '../http-client/web.js';
import { openBlog, WORDPRESS_CREDENTIALS, wordpressDialect, type Blog } from './blog.js';
import { featuredMediaId } from './featured-media.js';
import { termIds } from './terms.js';

type BlogHtml = (content: readonly ContentBlock[]) => string;
interface Writing {
  readonly blog: Blog;
  readonly line: Line;
  readonly blogHtml: BlogHtml;
}
type FieldWriter = (
  writing: Writing,
  post: Post,
  postId: string,
) => Promise<Record<string, unknown>>;

/** Each field of the document's table as WordPress calls it. */
const WRITERS: Readonly<Partial<Record<EditablePath, FieldWriter>>> = {
  title: async (_writing, { title }) => ({ title: title ?? '' }),
  content: async ({ blogHtml }, { content }) => ({ content: blogHtml(content) }),
  excerpt: async (_writing, { excerpt }) => ({ excerpt: excerpt ?? '' }),
  // An empty one makes the blog choose one from the title again.
  url: async (_writing, { url }) => ({ slug: url ?? '' }),
  featuredMedia: async (writing, { featuredMedia }) => ({
    featured_media: await featuredMediaId(writing, featuredMedia),
  }),
  categories: async (writing, { categories }, postId) => ({
    categories: await termIds(writing, 'categories', { names: categories, postId }),
  }),
  tags: async (writing, { tags }, postId) => ({
    tags: await termIds(writing, 'tags', { names: tags, postId }),
  }),
};

/** The blog: POST /wp-json/wp/v2/posts/<id> with an application password. `blogHtml` makes its HTML from content blocks (D25). */
export const createWordpress = (web: Web, blogHtml: BlogHtml): NetworkAdapter =>
  createAdapter(web, {
    dialect: wordpressDialect,
    verified: true,
    note: 'Title, content, excerpt, slug, featured picture, categories and tags. What the blog lacks of pictures, categories and tags is made there. Needs permalinks other than plain.',
    credentials: WORDPRESS_CREDENTIALS,
    remoteId: /^[1-9]\d{0,17}$/,
    async edit(line, { remoteId, post, changed }, keys) {
      const writing: Writing = { blog: openBlog(line, keys), line, blogHtml };
      const parts: Record<string, unknown> = {};
      for (const path of changed)
        Object.assign(parts, await WRITERS[path]?.(writing, post, remoteId));
      const saved = await writing.blog.ask(
        'POST',
        `/wp/v2/posts/${remoteId}`,
        { _fields: 'id,status' },
        parts,
      );
      // WordPress edits what lies in its trash as well.
      if (textAt(saved, 'status') === 'trash')
        stop('NETWORK_POST_DELETED', 'WordPress no longer has the post: it lies in the trash.');
    },
    async check(line, keys) {
      const blog = openBlog(line, keys);
      const user = await blog.ask('GET', '/wp/v2/users/me', {
        context: 'edit',
        _fields: 'id,capabilities',
      });
      if (valueAt(user, 'capabilities', 'edit_published_posts') !== true)
        stop('NETWORK_FORBIDDEN', `WordPress does not let ${keys.username} edit published posts.`);
      const about = await blog.ask('GET', '/', { _fields: 'name,home,site_icon_url' });
      const home = textAt(about, 'home') ?? line.unreadable('address');
      return {
        socialId: home.replace(/^https?:\/\//i, '').replace(/\/+$/, ''),
        name: textAt(about, 'name') ?? home,
        type: 'blog',
        picture: textAt(about, 'site_icon_url'),
      };
    },
  });
