import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { viewerOf } from '../../../domain/access/workspace-access.js';
import type {
  ActionOutcome,
  ActionRequest,
} from '../../../services/posts/actions/action-request.js';
import { createRequestLoaders, type GatewayContext } from '../../context.js';
import { RequiresScopes } from '../../requires-scopes.js';
import {
  PausePostsInput,
  ResolvePublicationInput,
  RestorePostsInput,
  ResumePostsInput,
  RetryPostsInput,
  ReviewPostsInput,
  SchedulePostsInput,
  type BulkActionInput,
} from './action-inputs.js';
import {
  PausePostsPayload,
  ResolvePublicationPayload,
  RestorePostsPayload,
  ResumePostsPayload,
  RetryPostsPayload,
  ReviewPostsPayload,
  SchedulePostsPayload,
} from './action-payloads.js';
import { presentAction, presentPostAction } from './present-action.js';
import { readBulkAction, readResolution, readReview, readScheduling } from './read-action.js';

/** Does it; what was read before is read again. */
async function act(context: GatewayContext, request: ActionRequest): Promise<ActionOutcome> {
  const outcome = await context.services.posts.act(viewerOf(context.authentication), request);
  context.loaders = createRequestLoaders(context);
  return outcome;
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
      'Gives drafts, declined posts and posts whose publication failed a mode, as in `createPosts`. Gives scheduled posts another time, or makes them drafts. If the member cannot approve posts and the workspace requires it, the posts wait for approval. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async schedulePosts(
    @Arg('input', () => SchedulePostsInput, { description: 'Posts to schedule.' })
    input: SchedulePostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await act(context, readScheduling(input));
    return presentBulk(outcome, input, SCHEDULING_FIELDS);
  }

  @Mutation(() => ReviewPostsPayload, {
    description:
      'Asks for the approval of posts, approves or declines them. Owners and admins approve and decline. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async reviewPosts(
    @Arg('input', () => ReviewPostsInput, { description: 'Posts, and the decision.' })
    input: ReviewPostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await act(context, readReview(input));
    const indexOf = (id: string): number => input.posts.findIndex((post) => post.id === id);
    return presentAction(outcome, input, {
      pathOf: (id) => ['posts', String(indexOf(id))],
      fields: ['note', 'publishLate'],
      postFields: ['expectedVersion'],
    });
  }

  @Mutation(() => RetryPostsPayload, {
    description:
      'Publishes posts whose publication failed, was missed or is unconfirmed. Their scheduled time becomes the current time, and they count toward the daily caps. If the workspace requires approval and the member cannot approve posts, they wait for approval. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async retryPosts(
    @Arg('input', () => RetryPostsInput, { description: 'Posts to retry.' })
    input: RetryPostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const { confirmNotLive } = input;
    const request = readBulkAction(input, { kind: 'retry', confirmNotLive });
    return presentBulk(await act(context, request), input, ['confirmNotLive']);
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
  ) {
    return presentPostAction(await act(context, readResolution(input)), input);
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
  ) {
    const request = readBulkAction(input, { kind: 'pause' });
    return presentBulk(await act(context, request), input);
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
  ) {
    const request = readBulkAction(input, { kind: 'resume' });
    return presentBulk(await act(context, request), input);
  }

  @Mutation(() => RestorePostsPayload, {
    description:
      'Restores posts that were deleted within the last 30 days. A post that was to be published at a time that has passed becomes an undated draft. A published post comes back as a record; on its network, nothing changes. A series comes back with its future occurrences. Posts count toward the daily caps again. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async restorePosts(
    @Arg('input', () => RestorePostsInput, { description: 'Posts to restore.' })
    input: RestorePostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const request = readBulkAction(input, { kind: 'restore' });
    return presentBulk(await act(context, request), input);
  }
}
