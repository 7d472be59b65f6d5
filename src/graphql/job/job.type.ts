import { Field, Float, ID, ObjectType } from 'type-graphql';
import { failuresById, type Job } from '../../domain/jobs/job.js';
import type { JobKind, JobStatus } from '../../domain/vocabulary.js';
import { JobKindEnum, JobStatusEnum } from '../enums.js';
import { NodeInterface } from '../node/node.type.js';
import { Made } from '../selection/row-fields.js';
import { DateTime, Json } from '../scalars.js';

@ObjectType({ description: 'A part of its work that a job did not do.', simpleResolvers: true })
export class JobFailure {
  @Field(() => ID, { description: 'The post or account it concerns.' }) id!: string;
  @Field(() => String, {
    description:
      'A code of ErrorCode, or one that starts with NETWORK_ or WEBHOOK_ where the network or the receiver of notifications is the reason.',
  })
  code!: string;
  @Field(() => String, { description: 'Why.' }) message!: string;
}

@ObjectType('Job', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Work that goes on after an answer; kept 30 days (D42).',
})
export class JobObject {
  @Field(() => ID, { description: '`job_` and letters and digits.' }) id!: string;
  @Field(() => JobKindEnum, { description: 'What it does.' }) kind!: JobKind;
  @Field(() => JobStatusEnum, {
    description: 'How far it is. With some failures it is COMPLETED; with nothing done, FAILED.',
  })
  status!: JobStatus;
  @Field(() => Float, { description: 'Share of the work that is done: 0 to 1.' }) progress!: number;
  @Field(() => [JobFailure], { description: 'What did not work; empty when everything did.' })
  failures!: JobFailure[];
  @Field(() => DateTime, { description: 'When it was queued.' }) createdAt!: Date;
  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while it works.' })
  finishedAt!: Date | null;

  @Field(() => Json, {
    description:
      'The document’s shape: `failures` maps a post or account id to messages, `{}` when there are none (Job status).',
  })
  @Made(({ failures }: Job) => ({ failures: failuresById(failures) }))
  payload!: unknown;
}
