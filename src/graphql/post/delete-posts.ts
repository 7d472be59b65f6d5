import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { viewerOf } from '../../domain/access/viewer.js';
import type { DeletePolicy } from '../../domain/enums.js';
import type { ErrorCode } from '../../domain/errors.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { Job } from '../../domain/jobs/job.js';
import type {
  DeleteOutcome,
  DeleteRequest,
  DeleteResult as DeleteOutcomeResult,
} from '../../services/posts/delete-posts.js';
import type { GatewayContext } from '../context.js';
import { JobObject } from '../job.js';
import { badUserInput } from '../schema/connection.js';
import {
  CLIENT_MUTATION_ID,
  DRY_RUN,
  IDEMPOTENCY_KEY,
  optional,
  RETURNED_MUTATION_ID,
} from '../schema/descriptions.js';
import { DeletePolicyEnum, ErrorCodeEnum } from '../schema/enums.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { findKeyProblems, toInputError, UserErrorObject } from './user-error.js';

@InputType({ description: 'Input of `deletePosts`.' })
class DeletePostsInput {
  @Field(() => [ID], {
    description: '1 to 100 posts, each as ID or database ID. Two IDs of the same post count once.',
  })
  ids!: string[];
  @Field(() => DeletePolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'How to proceed if some of the posts cannot be deleted.',
  })
  policy!: DeletePolicy;
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether to remove published posts from their social networks first. A job does that, and then deletes them here. A post that its network does not remove stays, and the job says why.',
  })
  onNetwork!: boolean;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of the deletion of a post.', simpleResolvers: true })
class DeleteResult {
  @Field(() => ID, { description: 'ID of the post, as sent.' }) id!: string;
  @Field(() => Boolean, {
    description:
      'Whether the post was deleted, or would be (dry run). False without a `code`: the job deletes the post as soon as its network no longer has it.',
  })
  deleted!: boolean;
  @Field(() => ErrorCodeEnum, optional('Error code. Null if the deletion was accepted.'))
  code!: ErrorCode | null;
  @Field(() => String, optional('Reason why the post was not deleted. Null if it was.')) message!:
    string | null;
}

@ObjectType({ description: 'Result of `deletePosts`.', simpleResolvers: true })
class DeletePostsPayload {
  @Field(() => [ID], { description: 'IDs of the deleted posts, as sent.' })
  deletedIds!: readonly string[];
  @Field(() => [DeleteResult], {
    description: 'Results, one per distinct post, in the order sent.',
  })
  results!: readonly DeleteResult[];
  @Field(
    () => JobObject,
    optional(
      'Job that removes the posts from their networks and then deletes them. Null without `onNetwork`, if every post was rejected, and in a dry run.',
    ),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description:
      'Reasons why posts were not deleted: one per rejected ID, or a single one if the whole request was rejected.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

/** Reads a deletion. @throws GatewayError BAD_USER_INPUT with every problem (D30) */
function readDeletion({
  ids,
  policy,
  onNetwork,
  idempotencyKey,
  dryRun,
}: DeletePostsInput): DeleteRequest {
  const countProblems =
    ids.length >= 1 && ids.length <= REQUEST_LIMITS.deletedIds
      ? []
      : [
          {
            path: ['input', 'ids'],
            message: `input.ids must have 1 to ${REQUEST_LIMITS.deletedIds} IDs, got ${ids.length}.`,
          },
        ];
  const allProblems = [...countProblems, ...findKeyProblems(idempotencyKey)];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return { ids, policy, onNetwork, dryRun, ...(idempotencyKey != null && { idempotencyKey }) };
}

const isRefused = ({ code }: DeleteOutcomeResult): boolean => code !== null;

/** Converts the outcome of a deletion to a DeletePostsPayload. */
function presentDeletion(
  outcome: DeleteOutcome,
  { ids, clientMutationId }: DeletePostsInput,
): Omit<DeletePostsPayload, 'job'> & { job: Job | null } {
  const returnedMutationId = clientMutationId ?? null;
  if (outcome.kind === 'refused') {
    return {
      deletedIds: [],
      results: [],
      job: null,
      userErrors: outcome.refusals.map(toInputError),
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

@Resolver()
export class DeletePostsResolver {
  @Mutation(() => DeletePostsPayload, {
    description:
      'Deletes up to 100 posts and returns a result for each ID. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async deletePosts(
    @Arg('input', () => DeletePostsInput, { description: 'Posts to delete.' })
    input: DeletePostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await context.services.posts.delete(
      viewerOf(context.authentication),
      readDeletion(input),
    );
    context.discardLoaders();
    return presentDeletion(outcome, input);
  }
}
