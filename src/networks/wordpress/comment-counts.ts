import type { NumbersDefinition } from '../adapter.js';
import { numberAt } from '../http-client/json-path.js';
import { createWordpressApi, type WordpressCredentials } from './wordpress-api.js';

/** Items of a list: as many as WordPress allows. */
const MAX_ITEMS = 100;

/**
 * Numbers of approved comments, which WordPress does not add to posts. The comments of all posts are
 * listed together, with the ID of their post only; if they are too many, each post has a call.
 */
export const COMMENT_COUNTS: NumbersDefinition<keyof WordpressCredentials> = {
  maxPosts: 25,
  intervalMs: 10_000,
  async read(client, credentials, ids) {
    const api = createWordpressApi(client, credentials);
    const idsIn = async (path: string, key: string, query: Readonly<Record<string, string>>) => {
      const found = await api.get(path, { ...query, _fields: key, per_page: String(MAX_ITEMS) });
      return Array.isArray(found)
        ? found.map((item) => String(numberAt(item, key)))
        : client.throwMissing('list');
    };
    const posts = await idsIn('/wp/v2/posts', 'id', { include: ids.join(',') });
    if (posts.length === 0) return new Map();
    const comments = await idsIn('/wp/v2/comments', 'post', { post: posts.join(',') });
    const counts = new Map(posts.map((id) => [id, comments.filter((post) => post === id).length]));
    if (comments.length === MAX_ITEMS)
      for (const id of posts) counts.set(id, await api.count('/wp/v2/comments', { post: id }));
    return new Map([...counts].map(([id, count]) => [id, { comments: count }]));
  },
};
