import {
  Field,
  Float,
  ID,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { JobKind } from '../domain/jobs/job-kinds.js';
import type { JobStatus } from '../domain/enums.js';
import { JobKindEnum, JobStatusEnum, DateTime, Json } from './schema/enums.js';
import { NodeInterface } from './node.js';
import { GatewayError } from '../domain/errors.js';
import type { Job } from '../domain/jobs/job.js';
import type { JobPayload } from '../domain/jobs/job-payload.js';
import { isPrefixedId } from '../domain/posts/post.js';
import { viewerOf } from '../domain/access/viewer.js';
import type { GatewayContext } from './context.js';
import { PostObject } from './post/post.type.js';
import { RequiresScopes } from './schema/field-decorators.js';

@ObjectType({ description: 'Part of a job that failed.', simpleResolvers: true })
export class JobFailure {
  @Field(() => ID, { description: 'ID of the post or account that the failure concerns.' })
  id!: string;
  @Field(() => String, {
    description:
      'Error code: a value of ErrorCode, or a code that starts with NETWORK_ (error of the network) or WEBHOOK_ (error of the webhook receiver).',
  })
  code!: string;
  @Field(() => String, { description: 'Reason for the failure.' }) message!: string;
}

@ObjectType('Job', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Work that continues after the response. Jobs are kept for 30 days.',
})
export class JobObject {
  @Field(() => ID, { description: 'ID: `job_` followed by letters and digits.' }) id!: string;
  @Field(() => JobKindEnum, { description: 'Kind of work.' }) kind!: JobKind;
  @Field(() => JobStatusEnum, {
    description:
      'Status of the job. A job with some failures is COMPLETED; a job that did nothing is FAILED.',
  })
  status!: JobStatus;
  @Field(() => Float, { description: 'Fraction of the work that is done, 0 to 1.' })
  progress!: number;
  @Field(() => [JobFailure], {
    description: 'Parts of the job that failed. Empty if everything succeeded.',
  })
  failures!: JobFailure[];
  @Field(() => DateTime, { description: 'Time when the job was queued.' }) createdAt!: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time when the job finished. Null while it is queued or running.',
  })
  finishedAt!: Date | null;
}

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
    const { workspace } = viewerOf(authentication);
    const job = isPrefixedId('job', id) ? await services.jobs.find(workspace.id, id) : null;
    if (!job) throw new GatewayError('JOB_NOT_FOUND');
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
