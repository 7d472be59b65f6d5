import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
  Field,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
} from 'type-graphql';
import { assertReadsDryRun, viewerOf } from '../../domain/access/viewer.js';
import { readPatch } from '../../domain/posts/post-fields.js';
import type { UpdateOutcome, UpdateRequest } from '../../services/posts/update-post.js';
import type { GatewayContext } from '../context.js';
import { JobObject } from '../job.js';
import { withPreview } from '../loaders.js';
import { badUserInput } from '../schema/connection.js';
import {
  ALLOW_DUPLICATE,
  CLIENT_MUTATION_ID,
  DRY_RUN,
  DRY_RUN_IDS,
  IDEMPOTENCY_KEY,
  optional,
  RETURNED_MUTATION_ID,
} from '../schema/descriptions.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { changedPosts } from './changed-posts.js';
import { PostPatchInput } from './post-patch.input.js';
import { PostObject } from './post.type.js';
import { SeriesChangeObject } from './series-change.type.js';
import { findKeyProblems, toProblem, toUserError, UserErrorObject } from './user-error.js';

@InputType({ description: 'Input of `updatePost`.' })
class UpdatePostInput {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(() => PostPatchInput, {
    description:
      'Changes to apply. An empty object changes nothing and does not increase `version`.',
  })
  post!: PostPatchInput;
  @Field(
    () => Int,
    optional(
      'Version of the post that the change is based on. If the post has another version, the update is rejected with CONFLICT.',
    ),
  )
  expectedVersion?: number | null;
  @Field(() => Boolean, ALLOW_DUPLICATE) allowDuplicate!: boolean;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: `${DRY_RUN} ${DRY_RUN_IDS}` })
  dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `updatePost`.', simpleResolvers: true })
class UpdatePostPayload {
  @Field(
    () => PostObject,
    optional(
      'Post after the update, or as it would be (dry run). Null if the update was rejected.',
    ),
  )
  post!: PostObject | null;
  @Field(
    () => JobObject,
    optional('Job that sends the change to the network. Null if none is needed, and in a dry run.'),
  )
  job!: JobObject | null;
  @Field(
    () => SeriesChangeObject,
    optional(
      'What the update does to the occurrences of a series, or would do (dry run). Null for other posts, and if nothing changed.',
    ),
  )
  series!: SeriesChangeObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the update was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

/** Reads an update. @throws GatewayError BAD_USER_INPUT with every problem (D21) */
function readUpdate({
  id,
  post,
  expectedVersion,
  allowDuplicate,
  idempotencyKey,
  dryRun,
}: UpdatePostInput): UpdateRequest {
  const { patch, problems } = readPatch(post);
  const allProblems = [
    ...problems.map(({ path, message }) => toProblem({ path: ['post', ...path], message })),
    ...findKeyProblems(idempotencyKey),
  ];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return {
    id,
    patch,
    duplicates: allowDuplicate ? 'allow' : 'refuse',
    dryRun,
    ...(expectedVersion != null && { expectedVersion }),
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

/** Converts the outcome of an update to an UpdatePostPayload. */
function presentUpdate(outcome: UpdateOutcome, { id, clientMutationId }: UpdatePostInput) {
  const [post, job, series, refusals] =
    outcome.kind === 'updated'
      ? [outcome.post, outcome.job, outcome.series, []]
      : [null, null, null, outcome.refusals];
  return {
    post,
    job,
    series,
    userErrors: refusals.map((refusal) => toUserError(refusal, id)),
    clientMutationId,
  };
}

@Resolver()
export class UpdatePostResolver {
  @Mutation(() => UpdatePostPayload, {
    description:
      'Updates a post. If a rule rejects the change, `userErrors` lists the reasons and nothing is applied. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async updatePost(
    @Arg('input', () => UpdatePostInput, { description: 'Post to update and changes to apply.' })
    input: UpdatePostInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    assertReadsDryRun(context.authentication.caller, input.dryRun);
    const outcome = await context.services.posts.update(
      viewerOf(context.authentication),
      readUpdate(input),
    );
    context.discardLoaders();
    if (outcome.kind === 'updated' && outcome.preview)
      context.loaders = withPreview(context.loaders, outcome.preview);
    const payload = presentUpdate(outcome, input);
    const { dryRun } = input;
    const [post] = await changedPosts(context, { dryRun, info, posts: [payload.post] });
    return { ...payload, post: post ?? null };
  }
}
