import { Field, ObjectType } from 'type-graphql';
import { JobObject } from '../job/job.type.js';
import { optional } from '../optional.js';
import { UserErrorObject } from '../post/change/post-payload.type.js';
import { PostObject } from '../post/post.type.js';

@ObjectType({ description: 'Result of `revertPost`.', simpleResolvers: true })
export class RevertPostPayload {
  @Field(
    () => PostObject,
    optional('Post after the change, or as it would be (dry run). Null if it was rejected.'),
  )
  post!: PostObject | null;
  @Field(
    () => JobObject,
    optional('Job that sends the change to the network. Null if none is needed, and in a dry run.'),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the change was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}
