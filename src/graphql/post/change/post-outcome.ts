import type { ErrorCode, Refusal } from '../../../domain/errors.js';
import type {
  RemoveOutcome,
  RemoveResult,
  UpdateOutcome,
} from '../../../services/posts/post-outcomes.js';
import type { DeletePostsPayload, UserErrorObject } from './post-payload.type.js';
import type { DeletePostsInput, UpdatePostInput } from '../post.input.js';

/** Refusals of what stands beside the patch in the input. */
const BESIDE_PATCH: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'IDEMPOTENCY_MISMATCH']);

/** A refusal by the law as data, with its path from the input on. */
const toUserError = (
  { code, message, path, rule }: Refusal,
  postId: string | null,
): UserErrorObject => {
  const at = BESIDE_PATCH.has(code) ? ['input'] : ['input', 'post'];
  return { code, message, field: path.length > 0 ? [...at, ...path] : null, postId, rule };
};

export function presentUpdate(outcome: UpdateOutcome, { id, clientMutationId }: UpdatePostInput) {
  const [post, job, refusals] =
    outcome.kind === 'updated' ? [outcome.post, outcome.job, []] : [null, null, outcome.refusals];
  return {
    post,
    job,
    userErrors: refusals.map((refusal) => toUserError(refusal, id)),
    clientMutationId,
  };
}

const refused = ({ code }: RemoveResult): boolean => code !== null;

export function presentRemoval(
  outcome: RemoveOutcome,
  { ids, clientMutationId }: DeletePostsInput,
): DeletePostsPayload {
  const echo = clientMutationId ?? null;
  if (outcome.kind === 'refused') {
    return {
      deletedIds: [],
      results: [],
      userErrors: outcome.refusals.map((refusal) => toUserError(refusal, null)),
      clientMutationId: echo,
    };
  }
  const userErrors = outcome.results
    .filter(refused)
    .map(({ id, code, message }): UserErrorObject => ({
      code: code!,
      message: message ?? '',
      field: ['input', 'ids', String(ids.indexOf(id))],
      postId: id,
      rule: null,
    }));
  return {
    deletedIds: outcome.results.filter(({ deleted }) => deleted).map(({ id }) => id),
    results: outcome.results,
    userErrors,
    clientMutationId: echo,
  };
}
