import type { ErrorCode, Refusal } from '../../../domain/errors.js';
import type {
  DeleteOutcome,
  DeleteResult,
  UpdateOutcome,
} from '../../../services/posts/post-outcomes.js';
import type { Job } from '../../../domain/jobs/job.js';
import type { DeletePostsPayload, UserErrorObject } from './post-payload.type.js';
import type { DeletePostsInput, UpdatePostInput } from '../post.input.js';

/**
 * Codes of refusals whose path starts at `input`; other paths start at the patch in `input.post`.
 */
const INPUT_LEVEL_CODES: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'IDEMPOTENCY_MISMATCH']);

/** Converts a refusal to a UserError, with its path starting at `input`. */
const toUserError = (
  { code, message, path, rule }: Refusal,
  postId: string | null,
): UserErrorObject => {
  const prefix = INPUT_LEVEL_CODES.has(code) ? ['input'] : ['input', 'post'];
  return { code, message, field: path.length > 0 ? [...prefix, ...path] : null, postId, rule };
};

/** Converts a refusal whose path starts at the fields of the input. */
export const toInputError = ({ code, message, path, rule }: Refusal): UserErrorObject => ({
  code,
  message,
  field: path.length > 0 ? ['input', ...path] : null,
  postId: null,
  rule,
});

/** Converts the outcome of an update to an UpdatePostPayload. */
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

const isRefused = ({ code }: DeleteResult): boolean => code !== null;

/** Converts the outcome of a deletion to a DeletePostsPayload. */
export function presentDeletion(
  outcome: DeleteOutcome,
  { ids, clientMutationId }: DeletePostsInput,
): Omit<DeletePostsPayload, 'job'> & { job: Job | null } {
  const returnedMutationId = clientMutationId ?? null;
  if (outcome.kind === 'refused') {
    return {
      deletedIds: [],
      results: [],
      job: null,
      userErrors: outcome.refusals.map((refusal) => toUserError(refusal, null)),
      clientMutationId: returnedMutationId,
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
    job: outcome.job,
    userErrors,
    clientMutationId: returnedMutationId,
  };
}
