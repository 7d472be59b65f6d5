import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import type { Post, PostPatch } from '../../domain/posts/post.js';
import type {
  PostListQuery,
  PostPage,
  PostSelection,
  PostView,
} from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { DeletePolicy } from '../../domain/vocabulary.js';

export interface UpdateRequest {
  /** As the caller sent it, either kind (D3). */
  readonly id: string;
  readonly patch: PostPatch;
  /** The version the change was made on (If-Match, `expectedVersion`, D26). */
  readonly expectedVersion?: number;
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/**
 * What an update came to. A refusal carries at least one entry; the code of the first is the answer's.
 * Refusals in D21's order: POST_NOT_FOUND, FORBIDDEN, CONFLICT, then the rules, one entry for each refused field.
 */
export type UpdateOutcome =
  | {
      readonly kind: 'updated';
      readonly post: Post;
      readonly job: Job | null;
      readonly replayed: boolean;
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly replayed: boolean };

export interface RemoveRequest {
  /** 1 to 100, as sent. */
  readonly ids: readonly string[];
  readonly policy: DeletePolicy;
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** What became of one id, echoed as it was sent (D30). */
export interface RemoveResult {
  readonly id: string;
  readonly deleted: boolean;
  readonly code: ErrorCode | null;
  readonly message: string | null;
}

export type RemoveOutcome =
  /** `results` has one entry for each distinct post, in the order sent. */
  | { readonly kind: 'done'; readonly results: readonly RemoveResult[]; readonly replayed: boolean }
  /** Nothing was tried: IDEMPOTENCY_MISMATCH. */
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[]; readonly replayed: boolean };

/** The workshop for posts: both doors call these and nothing else. */
export interface Posts {
  list(viewer: Viewer, query: PostListQuery, selection: PostSelection): Promise<PostPage>;
  /** @throws GatewayError POST_NOT_FOUND, FORBIDDEN (D18) */
  get(viewer: Viewer, id: string, fields: ReadonlySet<keyof Post>): Promise<PostView>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  update(viewer: Viewer, request: UpdateRequest): Promise<UpdateOutcome>;
  /** @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE */
  remove(viewer: Viewer, request: RemoveRequest): Promise<RemoveOutcome>;
}
