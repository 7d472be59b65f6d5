import { Field, ID, InputType, Int, ObjectType, Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { RequiresScopes } from '../schema/field-decorators.js';
import { ActionOptions } from '../post/actions/action-types.js';
import { JobObject } from '../job.js';
import { UserErrorObject, toInputError } from '../post/change/post-payload.js';
import { PostObject } from '../post/post.type.js';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Refusal } from '../../domain/errors.js';
import type { RevertRequest } from '../../services/history/revert-post.js';
import { badUserInput } from '../schema/connection.js';
import type { GatewayContext } from '../context.js';
import { withPreview } from '../loaders.js';
import { findKeyProblems, toProblem } from '../post/change/read-change.js';
import { optional } from '../schema/descriptions.js';

@InputType({ description: 'Input of `revertPost`.' })
export class RevertPostInput extends ActionOptions {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(() => Int, {
    description: 'Version whose values are restored. `history` lists the versions.',
  })
  toVersion!: number;
  @Field(
    () => Int,
    optional(
      'Version of the post that the change is based on. If the post has another version, the change is rejected with CONFLICT.',
    ),
  )
  expectedVersion?: number | null;
}

@ObjectType({ description: 'Result of `revertPost`.', simpleResolvers: true })
class RevertPostPayload {
  @Field(
    () => PostObject,
    optional('Post after the change, or as it would be (dry run). Null if it was rejected.'),
  )
  post!: PostObject | null;
  @Field(
    () => JobObject,
    optional('Job that sends the change to the network. Null if none is needed, and in a dry run.'),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the change was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}

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
