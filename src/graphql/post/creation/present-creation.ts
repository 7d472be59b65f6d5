import type { CreateOutcome } from '../../../services/posts/creation/creation-request.js';
import type { UserErrorObject } from '../change/post-payload.type.js';
import { toInputError } from '../change/present-outcome.js';
import type { CreatePostsInput } from './create-posts.input.js';

/** Converts the outcome of a creation to a CreatePostsPayload. */
export function presentCreation(outcome: CreateOutcome, { clientMutationId }: CreatePostsInput) {
  if (outcome.kind === 'refused')
    return {
      groupId: null,
      posts: [],
      results: [],
      job: null,
      userErrors: outcome.refusals.map(toInputError),
      clientMutationId,
    };
  const posts = outcome.results.flatMap(({ post }) => post ?? []);
  return {
    groupId: posts.length > 0 ? outcome.groupIds[0]! : null,
    posts,
    results: outcome.results.map(
      ({ refusals, warnings: _warnings, network: _network, ...result }) => ({
        ...result,
        code: refusals[0]?.code ?? null,
        message: refusals[0]?.message ?? null,
      }),
    ),
    job: outcome.job,
    userErrors: outcome.results.flatMap(({ refusals }): UserErrorObject[] =>
      refusals.map(toInputError),
    ),
    clientMutationId,
  };
}
