import { Field, ID, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../../domain/errors.js';
import { ErrorCodeEnum } from '../../enums.js';
import { JobObject } from '../../job/job.type.js';
import { optional } from '../../optional.js';
import { PostObject } from '../post.type.js';

const ECHO = optional('As it came in the input.');

@ObjectType('UserError', {
  simpleResolvers: true,
  description:
    'Why a change was refused: nothing of it was applied. What is malformed comes as an error of the answer instead.',
})
export class UserErrorObject {
  @Field(() => ErrorCodeEnum, { description: 'Which refusal it is.' }) code!: ErrorCode;
  @Field(() => String, { description: 'What is wrong and what is allowed.' }) message!: string;
  @Field(() => [String], optional('Path in the input; null where it concerns the whole.')) field!:
    readonly string[] | null;
  @Field(() => ID, optional('The post it concerns, as it was sent.')) postId!: string | null;
  @Field(
    () => String,
    optional('The row of the interface document, or the decision, that refuses.'),
  )
  rule!: string | null;
}

@ObjectType({ description: 'What an update came to.', simpleResolvers: true })
export class UpdatePostPayload {
  @Field(
    () => PostObject,
    optional('The post as it is now, or would be (dry run); null where the update was refused.'),
  )
  post!: PostObject | null;
  @Field(
    () => JobObject,
    optional('The job that brings the change to the network; null where none is needed (D22).'),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], { description: 'Why it was refused; empty where it was not.' })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, ECHO) clientMutationId!: string | null;
}

@ObjectType({ description: 'What became of one id.', simpleResolvers: true })
class DeleteResult {
  @Field(() => ID, { description: 'The id, as it was sent.' }) id!: string;
  @Field(() => Boolean, { description: 'Whether the post is deleted, or would be (dry run).' })
  deleted!: boolean;
  @Field(() => ErrorCodeEnum, optional('Why not, as a code.')) code!: ErrorCode | null;
  @Field(() => String, optional('Why not, in words.')) message!: string | null;
}

@ObjectType({ description: 'What a deletion came to.', simpleResolvers: true })
export class DeletePostsPayload {
  @Field(() => [ID], { description: 'The ids that are deleted, as they were sent.' })
  deletedIds!: readonly string[];
  @Field(() => [DeleteResult], { description: 'One for each distinct post, in the order sent.' })
  results!: readonly DeleteResult[];
  @Field(() => [UserErrorObject], {
    description: 'One for each refused id, or one where nothing was tried.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, ECHO) clientMutationId!: string | null;
}
