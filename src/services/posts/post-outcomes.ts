import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type {
  PostListQuery,
  PostPage,
  PostSelection,
  PostView,
} from '../../domain/posts/post-query.js';
import type { ActionOutcome, ActionRequest } from './actions/action-request.js';
import type { CreateOutcome, CreateRequest } from './creation/creation-request.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { UpdatePreview } from './dry-run/update-preview.js';
import type { DeletePolicy } from '../../domain/enums.js';

/** An update of one post. */
export interface UpdateRequest {
  /** As the client sent it; either kind of ID (D3). */
  readonly id: string;
  readonly patch: PostPatch;
  /** The version that the change is based on (If-Match, `expectedVersion`, D26). */
  readonly expectedVersion?: number;
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** An update that gives the fields of a post the values of an earlier version. */
export interface RevertRequest extends Omit<UpdateRequest, 'patch'> {
  readonly toVersion: number;
}

/**
 * Outcome of an update. `refusals` is not empty; the first one determines the error code of the
 * response. Their order (D21): POST_NOT_FOUND, FORBIDDEN, CONFLICT, then the rules, one entry for
 * each refused field.
 */
export type UpdateOutcome =
  | {
      readonly kind: 'updated';
      readonly post: Post;
      readonly job: Job | null;
      readonly replayed: boolean;
      /** Of a dry run that would change the post. */
      readonly preview?: UpdatePreview;
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly replayed: boolean };

/** A deletion of one or more posts. */
export interface DeleteRequest {
  /** 1 to 100 IDs, as sent. */
  readonly ids: readonly string[];
  readonly policy: DeletePolicy;
  /**
   * Whether published posts are also removed from their networks: first there, by a job, and then
   * here (D62).
   */
  readonly onNetwork: boolean;
  /** Versions that the posts may have (If-Match, D26); any version if it is missing. */
  readonly expectedVersions?: readonly number[];
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** Result for one ID, which is returned as it was sent (D30). */
export interface DeleteResult {
  readonly id: string;
  /** False without a code: the job deletes the post once its network no longer has it. */
  readonly deleted: boolean;
  readonly code: ErrorCode | null;
  readonly message: string | null;
}

/** Outcome of a deletion. */
export type DeleteOutcome =
  /** `results` has one entry for each distinct post, in the order sent. */
  | {
      readonly kind: 'done';
      readonly results: readonly DeleteResult[];
      /** With `onNetwork`, unless every post was refused or this is a dry run. */
      readonly job: Job | null;
      readonly replayed: boolean;
    }
  /** Nothing was deleted: IDEMPOTENCY_MISMATCH, CONFLICT. */
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly replayed: boolean };

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
