import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Problem, Refusal } from '../../../domain/errors.js';
import { codePoints, instant } from '../../../domain/input/readers.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import {
  findResolutionProblems,
  findScheduleProblems,
  toResolution,
  type ActionInput,
  type ActionOutcome,
  type ActionRequest,
} from '../../../services/posts/actions/action-request.js';
import { badUserInput } from '../../schema/connection.js';
import { findKeyProblems, toProblem, type UserErrorObject, toInputError } from '../user-error.js';
import {
  type BulkActionInput,
  ResolvePublicationInput,
  SchedulePostsInput,
  ReviewPostsInput,
  PausePostsInput,
  RestorePostsInput,
  ResumePostsInput,
  RetryPostsInput,
  UnpublishPostsInput,
  PausePostsPayload,
  ResolvePublicationPayload,
  RestorePostsPayload,
  ResumePostsPayload,
  RetryPostsPayload,
  ReviewPostsPayload,
  SchedulePostsPayload,
  UnpublishPostsPayload,
} from './action-types.js';
import { assertReadsDryRun, viewerOf } from '../../../domain/access/viewer.js';
import type { GatewayContext } from '../../context.js';
import { changedPosts } from '../changed-posts.js';
import { RequiresScopes } from '../../schema/field-decorators.js';

const { postsOfAction: MAX_POSTS } = REQUEST_LIMITS;

/** Problems of the number of posts in a list of the input. */
const findCountProblems = (list: string, count: number): Problem[] =>
  count >= 1 && count <= MAX_POSTS
    ? []
    : [toProblem({ path: [list], message: `must have 1 to ${MAX_POSTS} entries, got ${count}.` })];

interface SentOptions {
  readonly idempotencyKey?: string | null;
  readonly dryRun: boolean;
}

/** Completes the request of an action. @throws GatewayError BAD_USER_INPUT with every problem */
function toActionRequest(
  { idempotencyKey, dryRun }: SentOptions,
  request: Pick<ActionRequest, 'ids' | 'expectedVersions' | 'policy' | 'action'>,
  problems: readonly Problem[],
): ActionRequest {
  const allProblems = [...problems, ...findKeyProblems(idempotencyKey)];
  if (allProblems.length > 0) throw badUserInput(allProblems);
  return { ...request, dryRun, ...(idempotencyKey != null && { idempotencyKey }) };
}

/** Reads an action on several posts. @throws GatewayError BAD_USER_INPUT with every problem */
const readBulkAction = (
  input: BulkActionInput,
  action: ActionInput,
  problems: readonly Problem[] = [],
): ActionRequest =>
  toActionRequest(input, { ids: input.ids, policy: input.policy, action }, [
    ...findCountProblems('ids', input.ids.length),
    ...problems,
  ]);

/** Reads the scheduling of posts. @throws GatewayError BAD_USER_INPUT with every problem (D48) */
function readScheduling(input: SchedulePostsInput): ActionRequest {
  const { mode, accountId = null, visibility = null, allowDuplicate } = input;
  const problems: Problem[] = [];
  const scheduledAt =
    (input.scheduledAt && instant(input.scheduledAt, ['scheduledAt'], problems)) ?? null;
  problems.push(...findScheduleProblems({ mode, scheduledAt, visibility }));
  return readBulkAction(
    input,
    { kind: 'schedule', mode, scheduledAt, accountId, visibility, allowDuplicate },
    problems.map(toProblem),
  );
}

/** Problems of the note of a review. */
const findNoteProblems = (note: string | null): Problem[] =>
  note !== null && (codePoints(note) > REQUEST_LIMITS.reviewNote || note.includes('\0'))
    ? [
        {
          path: ['note'],
          message: `may have at most ${REQUEST_LIMITS.reviewNote} characters, and no NUL.`,
        },
      ]
    : [];

/** Reads a decision about posts. @throws GatewayError BAD_USER_INPUT with every problem (D64) */
function readReview(input: ReviewPostsInput): ActionRequest {
  const { posts, policy, decision, note = null, publishLate } = input;
  const problems = [
    ...findCountProblems('posts', posts.length),
    ...findNoteProblems(note).map(toProblem),
  ];
  return toActionRequest(
    input,
    {
      ids: posts.map(({ id }) => id),
      expectedVersions: posts.map(({ expectedVersion }) => expectedVersion ?? null),
      policy,
      action: { kind: 'review', decision, note, publishLate },
    },
    problems,
  );
}

/** Reads what a person found. @throws GatewayError BAD_USER_INPUT with every problem (D54) */
function readResolution(input: ResolvePublicationInput): ActionRequest {
  const { id, url = null, remoteId = null, notLive } = input;
  const sent = { url, remoteId, notLive: notLive === true };
  return toActionRequest(
    input,
    {
      ids: [id],
      policy: 'skip_refused',
      action: { kind: 'resolve', resolution: toResolution(sent) },
    },
    findResolutionProblems(sent).map(toProblem),
  );
}

interface SentInput {
  readonly clientMutationId?: string | null;
}

/** Where the input of a mutation names the posts, and its other fields that refusals name. */
interface InputFields {
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
function presentAction(
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
    results: outcome.results.map(({ id, post, series, refusals: [first] }) => ({
      id,
      post,
      series,
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
function presentPostAction(outcome: ActionOutcome, { clientMutationId = null }: SentInput) {
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

/** Runs the action. Later fields of the response load their data again. */
async function act(
  context: GatewayContext,
  info: GraphQLResolveInfo,
  request: ActionRequest,
): Promise<ActionOutcome> {
  const { dryRun } = request;
  assertReadsDryRun(context.authentication.caller, dryRun);
  const outcome = await context.services.posts.act(viewerOf(context.authentication), request);
  context.discardLoaders();
  if (outcome.kind === 'refused') return outcome;
  const results = outcome.results.map(({ post }) => post);
  const posts = await changedPosts(context, { dryRun, info, posts: results });
  return {
    ...outcome,
    results: outcome.results.map((result, index) => ({ ...result, post: posts[index]! })),
  };
}

const SCHEDULING_FIELDS = ['scheduledAt', 'accountId', 'visibility', 'allowDuplicate'];

/** `fields`: the fields of the input that refusals name. */
const presentBulk = (outcome: ActionOutcome, input: BulkActionInput, fields: string[] = []) =>
  presentAction(outcome, input, {
    pathOf: (id) => ['ids', String(input.ids.indexOf(id))],
    fields,
  });

/** What members do with posts, apart from changing their content. */
@Resolver()
export class PostActionsResolver {
  @Mutation(() => SchedulePostsPayload, {
    description:
      'Applies a mode of `createPosts` to drafts, declined posts and failed posts. Can also give scheduled posts another time, or turn them into drafts. If the workspace requires approval and the member cannot approve posts, the posts become pending. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async schedulePosts(
    @Arg('input', () => SchedulePostsInput, { description: 'Posts to schedule.' })
    input: SchedulePostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const outcome = await act(context, info, readScheduling(input));
    return presentBulk(outcome, input, SCHEDULING_FIELDS);
  }

  @Mutation(() => ReviewPostsPayload, {
    description:
      'Requests approval for posts, approves them or declines them. Only owners and admins can approve and decline. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async reviewPosts(
    @Arg('input', () => ReviewPostsInput, { description: 'Posts, and the decision.' })
    input: ReviewPostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const outcome = await act(context, info, readReview(input));
    const indexOf = (id: string): number => input.posts.findIndex((post) => post.id === id);
    return presentAction(outcome, input, {
      pathOf: (id) => ['posts', String(indexOf(id))],
      fields: ['note', 'publishLate'],
      postFields: ['expectedVersion'],
    });
  }

  @Mutation(() => RetryPostsPayload, {
    description:
      'Publishes posts whose publication failed, was missed or is unconfirmed. Their scheduled time becomes the current time, and they count toward the daily caps. If the workspace requires approval and the member cannot approve posts, the posts become pending. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async retryPosts(
    @Arg('input', () => RetryPostsInput, { description: 'Posts to retry.' })
    input: RetryPostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { confirmNotLive, allowDuplicate } = input;
    const request = readBulkAction(input, { kind: 'retry', confirmNotLive, allowDuplicate });
    return presentBulk(await act(context, info, request), input, [
      'confirmNotLive',
      'allowDuplicate',
    ]);
  }

  @Mutation(() => ResolvePublicationPayload, {
    description:
      'Records whether a post is on its network, if its publication is UNCONFIRMED or its reminder is due. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async resolvePublication(
    @Arg('input', () => ResolvePublicationInput, {
      description: 'Post, and whether it is on its network.',
    })
    input: ResolvePublicationInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return presentPostAction(await act(context, info, readResolution(input)), input);
  }

  @Mutation(() => PausePostsPayload, {
    description:
      'Pauses recycling posts: they are not published again until they are resumed. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async pausePosts(
    @Arg('input', () => PausePostsInput, { description: 'Posts to pause.' })
    input: PausePostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const request = readBulkAction(input, { kind: 'pause' });
    return presentBulk(await act(context, info, request), input);
  }

  @Mutation(() => ResumePostsPayload, {
    description:
      'Resumes paused recycling posts, at their next date in the future. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async resumePosts(
    @Arg('input', () => ResumePostsInput, { description: 'Posts to resume.' })
    input: ResumePostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const request = readBulkAction(input, { kind: 'resume' });
    return presentBulk(await act(context, info, request), input);
  }

  @Mutation(() => UnpublishPostsPayload, {
    description:
      'Removes published posts from their social networks. A job calls the networks. `done` means that the job removes the post, or that the post is no longer on its network. The post then becomes PUBLISHED_DELETED. If a network does not remove a post, the post stays published, and the job and the history of the post contain the reason. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async unpublishPosts(
    @Arg('input', () => UnpublishPostsInput, { description: 'Posts to remove.' })
    input: UnpublishPostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const request = readBulkAction(input, { kind: 'unpublish' });
    return presentBulk(await act(context, info, request), input);
  }

  @Mutation(() => RestorePostsPayload, {
    description:
      'Restores posts that were deleted within the last 30 days. A scheduled or recycling post whose time has passed becomes an undated draft. A published post is restored without any change on its network. A series is restored with its future occurrences. A post of a queue whose time is taken gets the next free time. Posts count toward the daily caps again. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async restorePosts(
    @Arg('input', () => RestorePostsInput, { description: 'Posts to restore.' })
    input: RestorePostsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { allowDuplicate } = input;
    const request = readBulkAction(input, { kind: 'restore', allowDuplicate });
    return presentBulk(await act(context, info, request), input, ['allowDuplicate']);
  }
}
