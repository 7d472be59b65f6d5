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
import { RequiresScopes } from '../schema/field-decorators.js';
import { ActionOptions } from '../post/actions/action-types.js';
import { JobObject } from '../job.js';
import { UserErrorObject, toPostError, findKeyProblems, toProblem } from '../post/user-error.js';
import { PATCH_FIELDS, type PatchField } from '../../domain/posts/post-fields.js';
import { changedPosts } from '../post/changed-posts.js';
import { PostObject } from '../post/post.type.js';
import { SeriesChangeObject } from '../post/series-change.type.js';
import { assertReadsDryRun, viewerOf } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import type { RevertRequest } from '../../services/history/revert-post.js';
import { badUserInput } from '../schema/connection.js';
import type { GatewayContext } from '../context.js';
import { withPreview } from '../loaders.js';
import { ALLOW_DUPLICATE, optional, RETURNED_MUTATION_ID } from '../schema/descriptions.js';

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
  @Field(
    () => [String],
    optional(
      'Fields of PostPatch that get their earlier values. Default: all that were changed since.',
    ),
  )
  fields?: string[] | null;
  @Field(() => Boolean, ALLOW_DUPLICATE) allowDuplicate!: boolean;
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
  @Field(
    () => SeriesChangeObject,
    optional(
      'What the change does to the occurrences of a series, or would do (dry run). Null for other posts, and if nothing changed.',
    ),
  )
  series!: SeriesChangeObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the change was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

const isPatchField = (name: string): name is PatchField =>
  (PATCH_FIELDS as readonly string[]).includes(name);

/** @throws GatewayError BAD_USER_INPUT with every problem */
function readRevert(input: RevertPostInput): RevertRequest {
  const { id, toVersion, expectedVersion, fields, allowDuplicate, idempotencyKey, dryRun } = input;
  const unknown = fields?.filter((field) => !isPatchField(field)) ?? [];
  const problems = [
    ...(toVersion >= 1
      ? []
      : [toProblem({ path: ['toVersion'], message: `must be at least 1, got ${toVersion}.` })]),
    ...(unknown.length > 0
      ? [
          toProblem({
            path: ['fields'],
            message: `must be fields of PostPatch, not ${unknown.join(', ')}: ${PATCH_FIELDS.join(', ')}.`,
          }),
        ]
      : []),
    ...findKeyProblems(idempotencyKey),
  ];
  if (problems.length > 0) throw badUserInput(problems);
  return {
    id,
    toVersion,
    duplicates: allowDuplicate ? 'allow' : 'refuse',
    dryRun,
    ...(fields != null && { fields: fields.filter(isPatchField) }),
    ...(expectedVersion != null && { expectedVersion }),
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

/** Paths that are in the input itself; other refusals concern fields of the earlier version. */
const INPUT_PATHS = new Set(['allowDuplicate', 'expectedVersion', 'idempotencyKey', 'toVersion']);
const withInputPath = (refusal: Refusal): Refusal =>
  refusal.path.length === 0 || INPUT_PATHS.has(refusal.path[0]!)
    ? refusal
    : { ...refusal, path: ['toVersion'], message: `${refusal.path.join('.')}: ${refusal.message}` };

@Resolver()
export class RevertResolver {
  @Mutation(() => RevertPostPayload, {
    description:
      'Updates a post with the values of an earlier version. All rules for updates apply. If one value is rejected, nothing is changed, and the error names the fields that can go back without it. The state of the post is not restored. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async revertPost(
    @Arg('input', () => RevertPostInput, { description: 'Post, and the version to go back to.' })
    input: RevertPostInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { services, authentication } = context;
    assertReadsDryRun(authentication.caller, input.dryRun);
    const outcome = await services.posts.revert(viewerOf(authentication), readRevert(input));
    const { clientMutationId = null } = input;
    context.discardLoaders();
    if (outcome.kind === 'refused') {
      const userErrors = outcome.refusals.map((refusal) =>
        toPostError(withInputPath(refusal), input.id),
      );
      return { post: null, job: null, series: null, userErrors, clientMutationId };
    }
    const { job, series, preview } = outcome;
    const { dryRun } = input;
    const [post] = await changedPosts(context, { dryRun, info, posts: [outcome.post] });
    if (preview) context.loaders = withPreview(context.loaders, preview);
    return { post, job, series, userErrors: [], clientMutationId };
  }
}
