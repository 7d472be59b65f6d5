import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { GatewayError } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import { viewerOf } from '../../domain/access/identity.js';
import type { GatewayContext } from '../context.js';
import { PostObject } from '../post/post.type.js';
import { RequiresScopes } from '../requires-scopes.js';
import { JobObject } from './job.type.js';

@Resolver(() => JobObject)
export class JobResolver {
  @Query(() => JobObject, {
    nullable: true,
    description:
      'One job; JOB_NOT_FOUND where this workspace has none of that id (D42). Scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async jobStatus(
    @Arg('id', () => ID, { description: 'Its id.' }) id: string,
    @Ctx() { admission, services }: GatewayContext,
  ): Promise<Job> {
    const { workspace } = viewerOf(admission);
    const job = isPrefixedId('job', id) ? await services.jobs.find(workspace.id, id) : null;
    if (!job) throw new GatewayError('JOB_NOT_FOUND');
    return job;
  }

  @FieldResolver(() => PostObject, {
    nullable: true,
    description: 'The post it is about; null where there is none or it is not visible (D13).',
  })
  post(@Root() job: Job, @Ctx() { loaders }: GatewayContext) {
    return job.postId === null ? null : loaders.post.load(job.postId);
  }
}
