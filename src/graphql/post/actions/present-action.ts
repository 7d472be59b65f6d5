import type { Refusal } from '../../../domain/errors.js';
import type { ActionOutcome } from '../../../services/posts/actions/action-request.js';
import type { UserErrorObject } from '../change/post-payload.type.js';
import { toInputError } from '../change/present-outcome.js';

interface SentInput {
  readonly clientMutationId?: string | null;
}

/** The path of a refused ID in the input, unless the refusal names a field of the input. */
type PathOfId = (id: string) => readonly string[];

const toPostError = (refusal: Refusal, id: string, path: readonly string[]): UserErrorObject => ({
  ...toInputError(refusal.path.length > 0 ? refusal : { ...refusal, path }),
  postId: id,
});

/** Converts the outcome of an action on several posts to its payload. */
export function presentAction(
  outcome: ActionOutcome,
  { clientMutationId = null }: SentInput,
  pathOf: PathOfId,
) {
  if (outcome.kind === 'refused')
    return {
      results: [],
      posts: [],
      job: null,
      userErrors: outcome.refusals.map(toInputError),
      clientMutationId,
    };
  return {
    results: outcome.results.map(({ id, post, refusals: [first] }) => ({
      id,
      post,
      done: first === undefined,
      code: first?.code ?? null,
      message: first?.message ?? null,
    })),
    posts: outcome.results.flatMap(({ post }) => post ?? []),
    job: null,
    userErrors: outcome.results.flatMap(({ id, refusals }) =>
      refusals.map((refusal) => toPostError(refusal, id, pathOf(id))),
    ),
    clientMutationId,
  };
}

/** Converts the outcome of an action on one post to its payload. */
export function presentPostAction(outcome: ActionOutcome, { clientMutationId = null }: SentInput) {
  const { posts, userErrors } = presentAction(outcome, {}, () => ['id']);
  return { post: posts[0] ?? null, userErrors, clientMutationId };
}
