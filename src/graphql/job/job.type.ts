import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { JobKind } from '../../domain/jobs/job-kinds.js';
import type { JobStatus } from '../../domain/enums.js';
import { JobKindEnum, JobStatusEnum } from '../enums.js';
import { NodeInterface } from '../node/node.type.js';
import { DateTime } from '../scalars.js';

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
