import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { viewerOf } from '../../../domain/access/workspace-access.js';
import type {
  ActionOutcome,
  ActionRequest,
} from '../../../services/posts/actions/action-request.js';
import type { GatewayContext } from '../../context.js';
import { RequiresScopes } from '../../requires-scopes.js';
import {
  PausePostsInput,
  ResolvePublicationInput,
  RestorePostsInput,
  ResumePostsInput,
  RetryPostsInput,
  ReviewPostsInput,
  SchedulePostsInput,
  UnpublishPostsInput,
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
  UnpublishPostsPayload,
} from './action-payloads.js';
import { presentAction, presentPostAction } from './present-action.js';
import { readBulkAction, readResolution, readReview, readScheduling } from './read-action.js';

/** Does it; what was read before is read again. */
async function act(context: GatewayContext, request: ActionRequest): Promise<ActionOutcome> {
  const outcome = await context.services.posts.act(viewerOf(context.authentication), request);
  context.discardLoaders();
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
      'Applies a mode of `createPosts` to drafts, declined posts and failed posts. Can also give scheduled posts another time, or turn them into drafts. If the workspace requires approval and the member cannot approve posts, the posts become pending. Requires scope POSTS_WRITE.',
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
      'Requests approval for posts, approves them or declines them. Only owners and admins can approve and decline. Requires scope POSTS_WRITE.',
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
      'Publishes posts whose publication failed, was missed or is unconfirmed. Their scheduled time becomes the current time, and they count toward the daily caps. If the workspace requires approval and the member cannot approve posts, the posts become pending. Requires scope POSTS_WRITE.',
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

  @Mutation(() => UnpublishPostsPayload, {
    description:
      'Removes published posts from their social networks. A job calls the networks. `done` means that the job removes the post, or that the post is no longer on its network. The post then becomes PUBLISHED_DELETED. If a network does not remove a post, the post stays published, and the job and the history of the post contain the reason. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async unpublishPosts(
    @Arg('input', () => UnpublishPostsInput, { description: 'Posts to remove.' })
    input: UnpublishPostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const request = readBulkAction(input, { kind: 'unpublish' });
    return presentBulk(await act(context, request), input);
  }

  @Mutation(() => RestorePostsPayload, {
    description:
      'Restores posts that were deleted within the last 30 days. A scheduled or recycling post whose time has passed becomes an undated draft. A published post is restored without any change on its network. A series is restored with its future occurrences. Posts count toward the daily caps again. Requires scope POSTS_WRITE.',
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
