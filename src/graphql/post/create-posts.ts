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
import type {
  BatchPolicy,
  DraftVisibility,
  ShareMode,
} from '../../domain/creation/creation-modes.js';
import type { Network } from '../../domain/networks/networks.js';
import {
  BatchPolicyEnum,
  DraftVisibilityEnum,
  NetworkEnum,
  ShareModeEnum,
  DateTime,
  ErrorCodeEnum,
  PostStateEnum,
} from '../schema/enums.js';
import {
  ALLOW_DUPLICATE,
  CLIENT_MUTATION_ID,
  DRY_RUN,
  IDEMPOTENCY_KEY,
  optional,
  RETURNED_MUTATION_ID,
} from '../schema/descriptions.js';
import { changedPosts } from './changed-posts.js';
import { PostPatchInput } from './post-patch.input.js';
import type { ErrorCode, Problem } from '../../domain/errors.js';
import type { PostState } from '../../domain/posts/states.js';
import { JobObject } from '../job.js';
import {
  findKeyProblems,
  toInputError,
  toPostError,
  toProblem,
  UserErrorObject,
} from './user-error.js';
import { PostObject } from './post.type.js';
import { instant } from '../../domain/input/readers.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { readPatch, type PostPatch } from '../../domain/posts/post-fields.js';
import type {
  CreateRequest,
  CreateOutcome,
} from '../../services/posts/creation/creation-request.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { badUserInput } from '../schema/connection.js';

@InputType({ description: 'Account to create a post for.' })
export class PostTargetInput {
  @Field(() => ID, { description: 'ID of the account.' }) accountId!: string;
  @Field(
    () => DateTime,
    optional('Publication time of this post. Defaults to `scheduledAt` of the input.'),
  )
  scheduledAt?: Date | null;
  @Field(
    () => PostPatchInput,
    optional(
      'Fields that differ for this account. They replace those of the variant and of the common post; objects are merged key by key.',
    ),
  )
  post?: PostPatchInput | null;
}

@InputType({ description: 'Content that differs for all accounts of a network.' })
export class PostVariantInput {
  @Field(() => NetworkEnum, { description: 'Network. Each network has at most one variant.' })
  network!: Network;
  @Field(() => PostPatchInput, {
    description: 'Fields that replace those of the common post; objects are merged key by key.',
  })
  post!: PostPatchInput;
}

@InputType({ description: 'Input of `createPosts`.' })
class CreatePostsInput {
  @Field(() => [PostTargetInput], {
    description:
      'Accounts to create a post for, at most 1,000. In mode DRAFT, an empty list creates one draft without an account.',
  })
  targets!: PostTargetInput[];
  @Field(() => PostPatchInput, { description: 'Content of all posts. `type` is required.' })
  post!: PostPatchInput;
  @Field(() => [PostVariantInput], optional('Content that differs for a network.'))
  variants?: PostVariantInput[] | null;
  @Field(() => ShareModeEnum, {
    description: 'Whether the posts become drafts, are scheduled or are published immediately.',
  })
  mode!: ShareMode;
  @Field(() => DraftVisibilityEnum, {
    defaultValue: 'account',
    description: 'Who can see the drafts, in mode DRAFT.',
  })
  visibility!: DraftVisibility;
  @Field(
    () => DateTime,
    optional(
      'Publication time of targets without a time of their own, at least one minute in the future. Required in mode SCHEDULE, except for a series whose rule has a start. Makes a draft dated.',
    ),
  )
  scheduledAt?: Date | null;
  @Field(() => Boolean, ALLOW_DUPLICATE) allowDuplicate!: boolean;
  @Field(() => BatchPolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'How to proceed if some of the posts cannot be created.',
  })
  policy!: BatchPolicy;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of the creation of a post.', simpleResolvers: true })
export class CreateResult {
  @Field(() => Int, {
    description: 'Index of the target in `targets`. 0 for a draft without an account.',
  })
  index!: number;
  @Field(() => ID, optional('ID of the account, as sent. Null for a draft without an account.'))
  accountId!: string | null;
  @Field(() => PostObject, optional('Created post. Null if it was rejected, and in a dry run.'))
  post!: PostObject | null;
  @Field(
    () => PostStateEnum,
    optional('State of the post, or the state that it would have (dry run). Null if rejected.'),
  )
  state!: PostState | null;
  @Field(
    () => DateTime,
    optional('Publication time of the post, or the one that it would have (dry run).'),
  )
  scheduledAt!: Date | null;
  @Field(() => [DateTime], {
    description:
      'Publication times of the occurrences of a series, or the ones that they would have (dry run). Empty for other posts.',
  })
  occurrenceDates!: readonly Date[];
  @Field(() => ErrorCodeEnum, optional('Error code. Null if the post was created.'))
  code!: ErrorCode | null;
  @Field(
    () => String,
    optional(
      'First reason why the post was rejected; `userErrors` contains all reasons. Null if the post was created.',
    ),
  )
  message!: string | null;
}

@ObjectType({ description: 'Result of `createPosts`.', simpleResolvers: true })
class CreatePostsPayload {
  @Field(
    () => ID,
    optional('ID that the created posts share. Null if none was created, and in a dry run.'),
  )
  groupId!: string | null;
  @Field(() => [PostObject], {
    description:
      'Created posts, in the order of the targets, without the occurrences of series. Empty in a dry run.',
  })
  posts!: readonly PostObject[];
  @Field(() => [CreateResult], {
    description: 'Results, one per target, in the order sent.',
  })
  results!: readonly CreateResult[];
  @Field(
    () => JobObject,
    optional(
      'Job that ends when the posts are published. Null if no post is published immediately.',
    ),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description:
      'Reasons why posts were rejected: one per rejected field of a target, or a single one if the whole request was rejected.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

@InputType({ description: 'Input of `copyPost`.' })
class CopyPostInput {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(
    () => DraftVisibilityEnum,
    optional(
      'Who can see the draft. Default: a copy of a draft has its visibility, other copies get ACCOUNT.',
    ),
  )
  visibility?: DraftVisibility | null;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `copyPost`.', simpleResolvers: true })
class CopyPostPayload {
  @Field(() => PostObject, optional('Created draft. Null if rejected, and in a dry run.'))
  post!: PostObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the copy was rejected. Empty if it was created.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

const { newPosts: MAX_NEW_POSTS } = REQUEST_LIMITS;

/** Reads a creation. @throws GatewayError BAD_USER_INPUT with every problem (D47) */
function readCreation(input: CreatePostsInput): CreateRequest {
  const { targets, variants, mode, idempotencyKey } = input;
  const problems: Problem[] = [];
  const post = (value: PostPatchInput, ...path: (string | number)[]): PostPatch => {
    const read = readPatch(value);
    problems.push(
      ...read.problems.map(({ path: inPost, message }) => ({
        path: [...path, ...inPost],
        message,
      })),
    );
    return read.patch;
  };
  const time = (value: Date | null | undefined, ...path: (string | number)[]): Date | null =>
    (value && instant(value, path, problems)) ?? null;

  const countProblem = findCountProblem(input);
  if (countProblem) throw badUserInput([toProblem({ path: ['targets'], message: countProblem })]);
  const item = {
    targets: targets.map((target, index) => ({
      accountId: target.accountId,
      scheduledAt: time(target.scheduledAt, 'targets', index, 'scheduledAt'),
      post: target.post ? post(target.post, 'targets', index, 'post') : {},
    })),
    post: post(input.post, 'post'),
    variants: new Map(
      (variants ?? []).map(({ network, post: variant }, index) => [
        network,
        post(variant, 'variants', index, 'post'),
      ]),
    ),
    mode,
    visibility: input.visibility,
    scheduledAt: time(input.scheduledAt, 'scheduledAt'),
  };
  if (input.post.type == null) problems.push({ path: ['post', 'type'], message: 'is required' });
  if (input.visibility !== 'account' && mode !== 'draft')
    problems.push({ path: ['visibility'], message: 'can be sent only in mode DRAFT' });
  problems.push(...findRepeatedVariants(input));
  const allProblems = [...problems.map(toProblem), ...findKeyProblems(idempotencyKey)];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return {
    items: [item],
    duplicates: input.allowDuplicate ? 'allow' : 'refuse',
    unusedVariants: 'refuse',
    job: 'when_shared',
    policy: input.policy,
    dryRun: input.dryRun,
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

function findCountProblem({ targets, mode }: CreatePostsInput): string | null {
  if (targets.length === 0 && mode !== 'draft')
    return 'must have an entry: only a draft can be without an account';
  return targets.length > MAX_NEW_POSTS
    ? `may have at most ${MAX_NEW_POSTS} entries; it has ${targets.length}`
    : null;
}

const findRepeatedVariants = ({ variants }: CreatePostsInput): Problem[] =>
  (variants ?? []).flatMap(({ network }, index, all) =>
    all.findIndex((other) => other.network === network) < index
      ? [{ path: ['variants', index, 'network'], message: 'has an earlier variant; send one' }]
      : [],
  );

/** Converts the outcome of a creation to a CreatePostsPayload. */
function presentCreation(outcome: CreateOutcome, { clientMutationId }: CreatePostsInput) {
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

@Resolver()
export class CreatePostsResolver {
  @Mutation(() => CreatePostsPayload, {
    description:
      'Creates a post for each target account, or one draft without an account, and returns a result for each. A rejected target does not affect the others unless `policy` says so. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async createPosts(
    @Arg('input', () => CreatePostsInput, { description: 'Posts to create.' })
    input: CreatePostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const outcome = await context.services.posts.create(
      viewerOf(context.authentication),
      readCreation(input),
    );
    context.discardLoaders();
    if (outcome.kind === 'refused') return presentCreation(outcome, input);
    const { dryRun } = input;
    const posts = await changedPosts(context, {
      dryRun,
      info,
      posts: outcome.results.map(({ post }) => post),
    });
    const results = outcome.results.map((result, index) => ({ ...result, post: posts[index]! }));
    return presentCreation({ ...outcome, results }, input);
  }

  @Mutation(() => CopyPostPayload, {
    description:
      'Creates an undated draft with the content, the labels and the account of a post. Its time, recurrence and recycling are not copied. Requires scopes POSTS_READ and POSTS_WRITE.',
  })
  @RequiresScopes([['posts:read', 'posts:write']])
  async copyPost(
    @Arg('input', () => CopyPostInput, { description: 'Post to copy.' })
    input: CopyPostInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { id, visibility, idempotencyKey, dryRun, clientMutationId = null } = input;
    const problems = findKeyProblems(idempotencyKey);
    if (problems.length > 0) throw badUserInput(problems);
    const outcome = await context.services.posts.copy(viewerOf(context.authentication), {
      id,
      visibility: visibility ?? undefined,
      idempotencyKey: idempotencyKey ?? undefined,
      dryRun,
    });
    context.discardLoaders();
    if (outcome.kind === 'refused')
      return {
        post: null,
        userErrors: outcome.refusals.map((refusal) => toPostError(refusal, id)),
        clientMutationId,
      };
    const [post] = await changedPosts(context, { dryRun, info, posts: [outcome.post] });
    return { post, userErrors: [], clientMutationId };
  }
}
