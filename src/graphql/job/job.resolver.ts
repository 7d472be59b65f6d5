import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { GatewayError } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import type { JobPayload } from '../../domain/jobs/job-payload.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { GatewayContext } from '../context.js';
import { PostObject } from '../post/post.type.js';
import { Json } from '../scalars.js';
import { RequiresScopes } from '../requires-scopes.js';
import { JobObject } from './job.type.js';

@Resolver(() => JobObject)
export class JobResolver {
  @Query(() => JobObject, {
    nullable: true,
    description:
      'A job by ID. Fails with JOB_NOT_FOUND if the workspace has no such job. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async jobStatus(
    @Arg('id', () => ID, { description: 'ID of the job.' }) id: string,
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<Job> {
    const { workspace, user } = viewerOf(authentication);
    const job = isPrefixedId('job', id) ? await services.jobs.find(workspace.id, id) : null;
    if (!job) throw new GatewayError('JOB_NOT_FOUND');
    await services.readPositions?.advance(user.id); // it shows what the job has changed
    return job;
  }

  @FieldResolver(() => Json, {
    description:
      'Result in the format of REST v1: `failures` maps the ID of a post or account to a list of messages, and is `{}` if there are none. Jobs that create posts also have `posts` and `warnings`.',
  })
  payload(
    @Root() job: Job,
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<JobPayload> {
    return services.jobPayloads(viewerOf(authentication), job);
  }

  @FieldResolver(() => PostObject, {
    nullable: true,
    description:
      'Post that the job concerns. Null if there is none or it is not visible to the viewer.',
  })
  post(@Root() job: Job, @Ctx() { loaders }: GatewayContext) {
    return job.postId === null ? null : loaders.post.load(job.postId);
  }
}
