import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../../domain/errors.js';
import type { PostState } from '../../../domain/posts/states.js';
import { ErrorCodeEnum, PostStateEnum } from '../../enums.js';
import { JobObject } from '../../job/job.type.js';
import { optional } from '../../optional.js';
import { DateTime } from '../../scalars.js';
import { UserErrorObject } from '../change/post-payload.type.js';
import { PostObject } from '../post.type.js';

@ObjectType({ description: 'Result of the creation of a post.', simpleResolvers: true })
export class CreateResult {
  @Field(() => Int, {
    description: 'Index of the target in `targets`. 0 for a draft without an account.',
  })
  index!: number;
  @Field(() => ID, optional('ID of the account, as sent. Null for a draft without an account.'))
  accountId!: string | null;
  @Field(() => PostObject, optional('Created post. Null if it was rejected, and in a dry run.'))
  post!: PostObject | null;
  @Field(
    () => PostStateEnum,
    optional('State of the post, or the state that it would have (dry run). Null if rejected.'),
  )
  state!: PostState | null;
  @Field(
    () => DateTime,
    optional('Publication time of the post, or the one that it would have (dry run).'),
  )
  scheduledAt!: Date | null;
  @Field(() => ErrorCodeEnum, optional('Error code. Null if the post was created.'))
  code!: ErrorCode | null;
  @Field(
    () => String,
    optional(
      'First reason why the post was rejected; `userErrors` contains all reasons. Null if the post was created.',
    ),
  )
  message!: string | null;
}

@ObjectType({ description: 'Result of `createPosts`.', simpleResolvers: true })
export class CreatePostsPayload {
  @Field(
    () => ID,
    optional('ID that the created posts share. Null if none was created, and in a dry run.'),
  )
  groupId!: string | null;
  @Field(() => [PostObject], {
    description:
      'Created posts, in the order of the targets, without the occurrences of series. Empty in a dry run.',
  })
  posts!: readonly PostObject[];
  @Field(() => [CreateResult], {
    description: 'Results, one per target, in the order sent.',
  })
  results!: readonly CreateResult[];
  @Field(
    () => JobObject,
    optional(
      'Job that ends when the posts are published. Null if no post is published immediately.',
    ),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description:
      'Reasons why posts were rejected: one per rejected field of a target, or a single one if the whole request was rejected.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}
