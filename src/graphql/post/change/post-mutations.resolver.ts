import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { GatewayContext } from '../../context.js';
import { freshLoaders } from '../../context.js';
import { viewerOf } from '../../../domain/access/identity.js';
import { RequiresScopes } from '../../requires-scopes.js';
import { presentRemoval, presentUpdate } from './post-outcome.js';
import { DeletePostsPayload, UpdatePostPayload } from './post-payload.type.js';
import { DeletePostsInput, UpdatePostInput } from '../post.input.js';
import { readRemoval, readUpdate } from './read-change.js';

@Resolver()
export class PostMutationsResolver {
  @Mutation(() => UpdatePostPayload, {
    description:
      'Changes one post; refusals are `userErrors` and nothing is applied (Update post). Scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async updatePost(
    @Arg('input', () => UpdatePostInput, { description: 'Which post, and what changes.' })
    input: UpdatePostInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await context.services.posts.update(
      viewerOf(context.admission),
      readUpdate(input),
    );
    context.loaders = freshLoaders(context);
    return presentUpdate(outcome, input);
  }

  @Mutation(() => DeletePostsPayload, {
    description:
      'Deletes up to 100 posts; each id has a result of its own (Delete posts; D31). Scope POSTS_WRITE.',
  })
  @RequiresScopes([['posts:write']])
  async deletePosts(
    @Arg('input', () => DeletePostsInput, { description: 'Which posts.' }) input: DeletePostsInput,
    @Ctx() context: GatewayContext,
  ) {
    const outcome = await context.services.posts.remove(
      viewerOf(context.admission),
      readRemoval(input),
    );
    context.loaders = freshLoaders(context);
    return presentRemoval(outcome, input);
  }
}
