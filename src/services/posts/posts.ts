import { GatewayError } from '../../domain/errors.js';
import { readPostId } from '../../domain/posts/post-id.js';
import { createLines } from './lines.js';
import { missing } from './missing-post.js';
import type { Posts } from './post-outcomes.js';
import { removePosts } from './remove-posts.js';
import { updatePost, type ChangeParts } from './update-post.js';

/** The workshop for posts: fetch, ask the law, store. */
export function createPosts(parts: ChangeParts): Posts {
  const inLine = createLines();
  return {
    list: (viewer, query, selection) => parts.store.list(viewer, query, selection),

    async get(viewer, id, fields) {
      const postId = readPostId(id);
      const found = postId
        ? await parts.store.find(viewer, postId, fields)
        : ({ kind: 'unknown' } as const);
      if (found.kind === 'found') return found.post;
      const { code, message } = missing(found.kind);
      throw new GatewayError(code, message);
    },

    update: (viewer, request) => updatePost({ ...parts, inLine }, viewer, request),
    remove: (viewer, request) => removePosts(parts, viewer, request),
  };
}
