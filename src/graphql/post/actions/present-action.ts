import type { Refusal } from '../../../domain/errors.js';
import type { ActionOutcome } from '../../../services/posts/actions/action-request.js';
import type { UserErrorObject } from '../change/post-payload.type.js';
import { toInputError } from '../change/present-outcome.js';

interface SentInput {
  readonly clientMutationId?: string | null;
}

/** Where the input of a mutation names the posts, and its other fields that refusals name. */
export interface InputFields {
  readonly pathOf: (id: string) => readonly string[];
  readonly fields?: readonly string[];
  /** Fields of the input of a post. */
  readonly postFields?: readonly string[];
}

/** A refusal of another field is about the post itself, and has the path of its ID. */
const toPostError = (
  refusal: Refusal,
  id: string,
  { pathOf, fields = [], postFields = [] }: InputFields,
): UserErrorObject => {
  const [field = ''] = refusal.path;
  const path = postFields.includes(field) ? [...pathOf(id), field] : pathOf(id);
  return {
    ...toInputError(fields.includes(field) ? refusal : { ...refusal, path }),
    postId: id,
  };
};

/** Converts the outcome of an action on several posts to its payload. */
export function presentAction(
  outcome: ActionOutcome,
  { clientMutationId = null }: SentInput,
  fields: InputFields,
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
    job: outcome.job,
    userErrors: outcome.results.flatMap(({ id, refusals }) =>
      refusals.map((refusal) => toPostError(refusal, id, fields)),
    ),
    clientMutationId,
  };
}

/** Converts the outcome of an action on one post to its payload. */
export function presentPostAction(outcome: ActionOutcome, { clientMutationId = null }: SentInput) {
  const { posts, userErrors } = presentAction(
    outcome,
    {},
    {
      pathOf: () => ['id'],
      fields: ['url'],
    },
  );
  return { post: posts[0] ?? null, userErrors, clientMutationId };
}
