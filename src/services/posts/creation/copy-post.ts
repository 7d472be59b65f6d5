import { visibilityOf, type DraftVisibility } from '../../../domain/creation/creation-modes.js';
import { missingPostRefusal } from '../../../domain/rules/edit-rules.js';
import type { Viewer } from '../../../domain/access/viewer.js';
import {
  PATCH_FIELDS,
  type PatchField,
  type PostPatch,
} from '../../../domain/posts/post-fields.js';
import { readPostId } from '../../../domain/posts/post.js';
import type { PostView } from '../../../domain/posts/post-query.js';
import {
  refusedBy,
  type ChangeDependencies,
  type ChangeOutcome,
  type Refused,
} from '../../changes/run-change.js';
import { toPatchValue } from '../../history/revert-post.js';
import { planCreated, runRecordedCreation } from './create-posts.js';
import type { CreateRequest, CreateResult } from './creation-request.js';

/** A draft with the content of a post. */
export interface CopyRequest {
  readonly id: string;
  /** Who can see the copy; absent for those who can see a draft, or all members. */
  readonly visibility?: DraftVisibility | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly dryRun: boolean;
}

/** The draft; its post is null in a dry run. */
export type CopyOutcome = ChangeOutcome<
  { readonly kind: 'done' } & Pick<CreateResult, 'post' | 'state'>
>;

/** When a post is published belongs to the post, not to its content. */
const NOT_COPIED: readonly PatchField[] = ['scheduledAt', 'recurring', 'recycling'];
const COPIED = PATCH_FIELDS.filter((field) => !NOT_COPIED.includes(field));

/** What the copy is made of. */
const SOURCE_FIELDS = new Set([...COPIED, 'storedState', 'accountId'] as const);

/** The creation of the copy. */
function toCreation(
  source: PostView,
  { visibility = visibilityOf(source.storedState), dryRun }: CopyRequest,
): CreateRequest {
  const post = Object.fromEntries(
    COPIED.map((field) => [field, toPatchValue(field, undefined, source[field])]),
  ) as PostPatch;
  const { accountId } = source;
  return {
    items: [
      {
        targets: accountId === null ? [] : [{ accountId, scheduledAt: null, post: {} }],
        post,
        variants: new Map(),
        mode: 'draft',
        visibility,
        scheduledAt: null,
      },
    ],
    duplicates: 'allow',
    unusedVariants: 'refuse',
    job: 'when_shared',
    policy: 'all_or_nothing',
    dryRun,
  };
}

/**
 * Creates an undated draft with the content, the labels and the account of a post, once per
 * idempotency key (D47).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function copyPost(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: CopyRequest,
): Promise<CopyOutcome> {
  const { id, visibility, idempotencyKey, dryRun } = request;
  async function find(): Promise<PostView | Refused> {
    const postId = readPostId(id);
    const lookup = postId
      ? await dependencies.store.find(viewer, postId, SOURCE_FIELDS)
      : ({ kind: 'unknown' } as const);
    return lookup.kind === 'found' ? lookup.post : refusedBy(missingPostRefusal(lookup.kind));
  }
  const outcome = await runRecordedCreation(dependencies, viewer, {
    operation: 'copy',
    target: id.toLowerCase(),
    input: { visibility },
    idempotencyKey,
    dryRun,
    async plan() {
      const source = await find();
      return 'kind' in source
        ? { outcome: source }
        : planCreated(dependencies, viewer, toCreation(source, request));
    },
  });
  if (outcome.kind === 'refused') return outcome;
  const { replayed } = outcome;
  const { refusals, post, state } = outcome.results[0]!;
  if (refusals.length === 0) return { kind: 'done', post, state, replayed };
  // Their paths are those of a creation.
  return { ...refusedBy(...refusals.map((refusal) => ({ ...refusal, path: ['id'] }))), replayed };
}
