import type { ErrorCode, Refusal } from '../../../domain/errors.js';
import type {
  RemoveOutcome,
  RemoveResult,
  UpdateOutcome,
} from '../../../services/posts/post-outcomes.js';
import type { DeletePostsPayload, UserErrorObject } from './post-payload.type.js';
import type { DeletePostsInput, UpdatePostInput } from '../post.input.js';

/** Codes of refusals that concern the input, not the patch in it. */
const INPUT_LEVEL_CODES: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'IDEMPOTENCY_MISMATCH']);

/** Converts a refusal to a UserError, with its path from `input` on. */
const toUserError = (
  { code, message, path, rule }: Refusal,
  postId: string | null,
): UserErrorObject => {
  const prefix = INPUT_LEVEL_CODES.has(code) ? ['input'] : ['input', 'post'];
  return { code, message, field: path.length > 0 ? [...prefix, ...path] : null, postId, rule };
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

const isRefused = ({ code }: RemoveResult): boolean => code !== null;

export function presentDeletion(
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
    .filter(isRefused)
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
