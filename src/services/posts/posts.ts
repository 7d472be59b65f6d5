import { GatewayError } from '../../domain/errors.js';
import { readPostId } from '../../domain/posts/post-id.js';
import { createKeyedMutex } from './keyed-mutex.js';
import { missingPostRefusal } from './missing-post.js';
import type { Posts } from './post-outcomes.js';
import { removePosts } from './remove-posts.js';
import { updatePost, type ChangeDependencies } from './update-post.js';

export function createPosts(dependencies: ChangeDependencies): Posts {
  const { store } = dependencies;
  const withLock = createKeyedMutex();
  return {
    list: (viewer, query, selection) => store.list(viewer, query, selection),

    async get(viewer, id, fields) {
      const postId = readPostId(id);
      const found = postId
        ? await store.find(viewer, postId, fields)
        : ({ kind: 'unknown' } as const);
      if (found.kind === 'found') return found.post;
      const { code, message } = missingPostRefusal(found.kind);
      throw new GatewayError(code, message);
    },

    update: (viewer, request) => updatePost({ ...dependencies, withLock }, viewer, request),
    remove: (viewer, request) => removePosts(dependencies, viewer, request),
  };
}
