import type { Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import { readPostId, type Post } from '../../domain/posts/post.js';
import type { PostView } from '../../domain/posts/post-query.js';
import { createChangeRunner, type ChangeDependencies } from '../changes/run-change.js';
import { revertPost, type RevertDependencies, type RevertRequest } from '../history/revert-post.js';
import { actOnPosts } from './actions/act-on-posts.js';
import type { ActionOutcome, ActionRequest } from './actions/action-request.js';
import { copyPost, type CopyOutcome, type CopyRequest } from './creation/copy-post.js';
import { runCreation } from './creation/create-posts.js';
import type { CreateOutcome, CreateRequest } from './creation/creation-request.js';
import { deletePosts, type DeleteOutcome, type DeleteRequest } from './delete-posts.js';
import { missingPostRefusal } from '../../domain/rules/edit-rules.js';
import type { IdempotencyStore } from '../../persistence/changes/idempotency-store.js';
import { updatePost, type UpdateOutcome, type UpdateRequest } from './update-post.js';

/** The use cases of posts, which both APIs call. */
export interface Posts {
  /** @throws GatewayError POST_NOT_FOUND, FORBIDDEN (D18) */
  get(viewer: Viewer, id: string, fields: ReadonlySet<keyof Post>): Promise<PostView>;
  /**
   * Posts after a change or a dry run of one, with what their files, queues and workspace tell about
   * them now.
   */
  withCircumstances(
    viewer: Viewer,
    posts: readonly Post[],
    dryRun: boolean,
  ): Promise<readonly Post[]>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  create(viewer: Viewer, request: CreateRequest): Promise<CreateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  copy(viewer: Viewer, request: CopyRequest): Promise<CopyOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  update(viewer: Viewer, request: UpdateRequest): Promise<UpdateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  revert(viewer: Viewer, request: RevertRequest): Promise<UpdateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  delete(viewer: Viewer, request: DeleteRequest): Promise<DeleteOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  act(viewer: Viewer, request: ActionRequest): Promise<ActionOutcome>;
}

/** What other records than a post tell about it: a change does not know what it makes of them. */
const CIRCUMSTANCES: ReadonlySet<'publicationHold' | 'missingFiles'> = new Set([
  'publicationHold',
  'missingFiles',
]);

/** Creates the use cases of posts. */
export function createPosts({
  idempotency,
  ...stores
}: Omit<ChangeDependencies, 'runner'> &
  Pick<RevertDependencies, 'history'> & { readonly idempotency: IdempotencyStore }): Posts {
  const { store } = stores;
  const dependencies = { ...stores, runner: createChangeRunner({ store, idempotency }) };
  return {
    async get(viewer, id, fields) {
      const postId = readPostId(id);
      const lookup = postId
        ? await store.find(viewer, postId, fields)
        : ({ kind: 'unknown' } as const);
      if (lookup.kind === 'found') return lookup.post;
      const { code, message } = missingPostRefusal(lookup.kind);
      throw new GatewayError(code, message);
    },

    async withCircumstances(viewer, posts, dryRun) {
      if (dryRun) {
        const planned = await store.circumstancesOf(posts);
        return posts.map((post, index) => ({ ...post, ...planned[index]! }));
      }
      const ids = posts.map(({ databaseId: id }) => ({ kind: 'database' as const, id }));
      const lookups = await store.findEach(viewer, ids, CIRCUMSTANCES);
      return posts.map((post, index) => {
        const lookup = lookups[index]!;
        if (lookup.kind !== 'found') return post;
        const { publicationHold, missingFiles } = lookup.post;
        return { ...post, publicationHold, missingFiles };
      });
    },

    create: (viewer, request) => runCreation(dependencies, viewer, request),
    copy: (viewer, request) => copyPost(dependencies, viewer, request),
    update: (viewer, request) => updatePost(dependencies, viewer, request),
    act: (viewer, request) => actOnPosts(dependencies, viewer, request),
    revert: (viewer, request) => revertPost(dependencies, viewer, request),
    delete: (viewer, request) => deletePosts(dependencies, viewer, request),
  };
}
