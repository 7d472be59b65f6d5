import { Field, ID, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../../domain/errors.js';
import { ErrorCodeEnum } from '../../enums.js';
import { JobObject } from '../../job/job.type.js';
import { optional } from '../../optional.js';
import { PostObject } from '../post.type.js';

const CLIENT_MUTATION_ID = optional('`clientMutationId` of the input.');

@ObjectType('UserError', {
  simpleResolvers: true,
  description:
    'Reason why a change was rejected. No part of the change was applied. Malformed input is reported in the `errors` of the response instead.',
})
export class UserErrorObject {
  @Field(() => ErrorCodeEnum, { description: 'Error code.' }) code!: ErrorCode;
  @Field(() => String, { description: 'Description of the problem and of what is allowed.' })
  message!: string;
  @Field(
    () => [String],
    optional('Path in the input. Null if the error concerns the input as a whole.'),
  )
  field!: readonly string[] | null;
  @Field(() => ID, optional('ID of the post that the error concerns, as sent.')) postId!:
    string | null;
  @Field(
    () => String,
    optional(
      'Rule that rejected the change: a section of the interface document (the specification of REST v1), or the number of a decision.',
    ),
  )
  rule!: string | null;
}

@ObjectType({ description: 'Result of `updatePost`.', simpleResolvers: true })
export class UpdatePostPayload {
  @Field(
    () => PostObject,
    optional(
      'Post after the update, or as it would be (dry run). Null if the update was rejected.',
    ),
  )
  post!: PostObject | null;
  @Field(
    () => JobObject,
    optional('Job that sends the change to the network. Null if none is needed, and in a dry run.'),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the update was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, CLIENT_MUTATION_ID) clientMutationId!: string | null;
}

@ObjectType({ description: 'Result of the deletion of a post.', simpleResolvers: true })
class DeleteResult {
  @Field(() => ID, { description: 'ID of the post, as sent.' }) id!: string;
  @Field(() => Boolean, {
    description:
      'Whether the post was deleted, or would be (dry run). False without a `code`: the job deletes the post as soon as its network no longer has it.',
  })
  deleted!: boolean;
  @Field(() => ErrorCodeEnum, optional('Error code. Null if the deletion was accepted.'))
  code!: ErrorCode | null;
  @Field(() => String, optional('Reason why the post was not deleted. Null if it was.')) message!:
    string | null;
}

@ObjectType({ description: 'Result of `deletePosts`.', simpleResolvers: true })
export class DeletePostsPayload {
  @Field(() => [ID], { description: 'IDs of the deleted posts, as sent.' })
  deletedIds!: readonly string[];
  @Field(() => [DeleteResult], {
    description: 'Results, one per distinct post, in the order sent.',
  })
  results!: readonly DeleteResult[];
  @Field(
    () => JobObject,
    optional(
      'Job that removes the posts from their networks and then deletes them. Null without `onNetwork`, if every post was rejected, and in a dry run.',
    ),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description:
      'Reasons why posts were not deleted: one per rejected ID, or a single one if the whole request was rejected.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, CLIENT_MUTATION_ID) clientMutationId!: string | null;
}
