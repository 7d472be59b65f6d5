import { GatewayError } from '../../domain/errors.js';
import { readPostId } from '../../domain/posts/post-id.js';
import { revertPost, type RevertDependencies } from '../history/revert-post.js';
import { executeAction } from './actions/execute-action.js';
import { createKeyedMutex } from './keyed-mutex.js';
import { missingPostRefusal } from './missing-post.js';
import type { Posts } from './post-outcomes.js';
import { deletePosts } from './deletion/delete-posts.js';
import { executeCreation, type CreateDependencies } from './creation/create-posts.js';
import { updatePost } from './update-post.js';

/** Creates the use cases of posts. */
export function createPosts(
  dependencies: CreateDependencies & Pick<RevertDependencies, 'history'>,
): Posts {
  const { store } = dependencies;
  const withLock = createKeyedMutex();
  return {
    list: (viewer, query, selection) => store.list(viewer, query, selection),

    async get(viewer, id, fields) {
      const postId = readPostId(id);
      const lookup = postId
        ? await store.find(viewer, postId, fields)
        : ({ kind: 'unknown' } as const);
      if (lookup.kind === 'found') return lookup.post;
      const { code, message } = missingPostRefusal(lookup.kind);
      throw new GatewayError(code, message);
    },

    create: (viewer, request) => executeCreation({ ...dependencies, withLock }, viewer, request),
    update: (viewer, request) => updatePost({ ...dependencies, withLock }, viewer, request),
    act: (viewer, request) => executeAction({ ...dependencies, withLock }, viewer, request),
    revert: (viewer, request) => revertPost({ ...dependencies, withLock }, viewer, request),
    delete: (viewer, request) => deletePosts(dependencies, viewer, request),
  };
}
