import type { Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type {
  PostListQuery,
  PostPage,
  PostSelection,
  PostView,
} from '../../domain/posts/post-query.js';
import type { Post } from '../../domain/posts/post.js';
import { createChangeRunner, type ChangeDependencies } from '../changes/run-change.js';
import { revertPost, type RevertDependencies, type RevertRequest } from '../history/revert-post.js';
import { actOnPosts } from './actions/act-on-posts.js';
import type { ActionOutcome, ActionRequest } from './actions/action-request.js';
import { runCreation } from './creation/create-posts.js';
import type { CreateOutcome, CreateRequest } from './creation/creation-request.js';
import { deletePosts, type DeleteOutcome, type DeleteRequest } from './delete-posts.js';
import { missingPostRefusal } from '../../domain/rules/edit-rights.js';
import type { IdempotencyStore } from '../../persistence/changes/idempotency-store.js';
import { updatePost, type UpdateOutcome, type UpdateRequest } from './update-post.js';

/** The use cases of posts, which both APIs call. */
export interface Posts {
  list(viewer: Viewer, query: PostListQuery, selection: PostSelection): Promise<PostPage>;
  /** @throws GatewayError POST_NOT_FOUND, FORBIDDEN (D18) */
  get(viewer: Viewer, id: string, fields: ReadonlySet<keyof Post>): Promise<PostView>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  create(viewer: Viewer, request: CreateRequest): Promise<CreateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  update(viewer: Viewer, request: UpdateRequest): Promise<UpdateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  revert(viewer: Viewer, request: RevertRequest): Promise<UpdateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  delete(viewer: Viewer, request: DeleteRequest): Promise<DeleteOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  act(viewer: Viewer, request: ActionRequest): Promise<ActionOutcome>;
}

/** Creates the use cases of posts. */
export function createPosts({
  idempotency,
  ...stores
}: Omit<ChangeDependencies, 'runner'> &
  Pick<RevertDependencies, 'history'> & { readonly idempotency: IdempotencyStore }): Posts {
  const { store } = stores;
  const dependencies = { ...stores, runner: createChangeRunner({ store, idempotency }) };
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

    create: (viewer, request) => runCreation(dependencies, viewer, request),
    update: (viewer, request) => updatePost(dependencies, viewer, request),
    act: (viewer, request) => actOnPosts(dependencies, viewer, request),
    revert: (viewer, request) => revertPost(dependencies, viewer, request),
    delete: (viewer, request) => deletePosts(dependencies, viewer, request),
  };
}
