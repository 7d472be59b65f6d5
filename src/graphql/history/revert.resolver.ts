import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Refusal } from '../../domain/errors.js';
import type { RevertRequest } from '../../services/posts/post-outcomes.js';
import { badUserInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { withPreview } from '../loaders.js';
import { toInputError } from '../post/change/present-outcome.js';
import { findKeyProblems, toProblem } from '../post/change/read-change.js';
import { RequiresScopes } from '../requires-scopes.js';
import { RevertPostInput } from './revert.input.js';
import { RevertPostPayload } from './revert.type.js';

/** @throws GatewayError BAD_USER_INPUT with every problem */
function readRevert(input: RevertPostInput): RevertRequest {
  const { id, toVersion, expectedVersion, idempotencyKey, dryRun } = input;
  const problems = [
    ...(toVersion >= 1
      ? []
      : [toProblem({ path: ['toVersion'], message: `must be at least 1, got ${toVersion}.` })]),
    ...findKeyProblems(idempotencyKey),
  ];
  if (problems.length > 0) throw badUserInput(problems);
  return {
    id,
    toVersion,
    dryRun,
    ...(expectedVersion != null && { expectedVersion }),
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

/** Paths that are in the input itself; other refusals concern fields of the earlier version. */
const INPUT_PATHS = new Set(['expectedVersion', 'idempotencyKey', 'toVersion']);
const withInputPath = (refusal: Refusal): Refusal =>
  refusal.path.length === 0 || INPUT_PATHS.has(refusal.path[0]!)
    ? refusal
    : { ...refusal, path: ['toVersion'], message: `${refusal.path.join('.')}: ${refusal.message}` };

@Resolver()
export class RevertResolver {
  @Mutation(() => RevertPostPayload, {
    description:
      'Updates a post with the values of an earlier version. All rules for updates apply. If one value is rejected, nothing is changed. The state of the post is not restored. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async revertPost(
    @Arg('input', () => RevertPostInput, { description: 'Post, and the version to go back to.' })
    input: RevertPostInput,
    @Ctx() context: GatewayContext,
  ) {
    const { services, authentication } = context;
    const outcome = await services.posts.revert(viewerOf(authentication), readRevert(input));
    const { clientMutationId = null } = input;
    context.discardLoaders();
    if (outcome.kind === 'refused') {
      const userErrors = outcome.refusals.map((refusal) => ({
        ...toInputError(withInputPath(refusal)),
        postId: input.id,
      }));
      return { post: null, job: null, userErrors, clientMutationId };
    }
    const { post, job, preview } = outcome;
    if (preview) context.loaders = withPreview(context.loaders, preview);
    return { post, job, userErrors: [], clientMutationId };
  }
}
