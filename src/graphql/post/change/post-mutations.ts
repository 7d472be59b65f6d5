import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { GatewayContext } from '../../context.js';
import { viewerOf } from '../../../domain/access/workspace-access.js';
import { withPreview } from '../../loaders.js';
import {
  CreatePostsInput,
  CreatePostsPayload,
  presentCreation,
  readCreation,
} from '../creation/create-posts.js';
import { RequiresScopes } from '../../schema/field-decorators.js';
import {
  presentDeletion,
  presentUpdate,
  DeletePostsPayload,
  UpdatePostPayload,
} from './post-payload.js';
import { DeletePostsInput, UpdatePostInput } from '../post.input.js';
import { readDeletion, readUpdate } from './read-change.js';

@Resolver()
export class PostMutationsResolver {
  @Mutation(() => UpdatePostPayload, {
    description:
      'Updates a post. If a rule rejects the change, `userErrors` lists the reasons and nothing is applied. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async updatePost(
    @Arg('input', () => UpdatePostInput, { description: 'Post to update and changes to apply.' })
    input: UpdatePostInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await context.services.posts.update(
      viewerOf(context.authentication),
      readUpdate(input),
    );
    context.discardLoaders();
    if (outcome.kind === 'updated' && outcome.preview)
      context.loaders = withPreview(context.loaders, outcome.preview);
    return presentUpdate(outcome, input);
  }

  @Mutation(() => CreatePostsPayload, {
    description:
      'Creates a post for each target account, or one draft without an account, and returns a result for each. A rejected target does not affect the others unless `policy` says so. Requires scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async createPosts(
    @Arg('input', () => CreatePostsInput, { description: 'Posts to create.' })
    input: CreatePostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await context.services.posts.create(
      viewerOf(context.authentication),
      readCreation(input),
    );
    context.discardLoaders();
    return presentCreation(outcome, input);
  }

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
