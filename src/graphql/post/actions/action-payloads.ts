import { Field, ID, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../../domain/errors.js';
import { ErrorCodeEnum } from '../../enums.js';
import { JobObject } from '../../job/job.type.js';
import { optional } from '../../optional.js';
import { UserErrorObject } from '../change/post-payload.type.js';
import { PostObject } from '../post.type.js';

@ObjectType('PostResult', {
  simpleResolvers: true,
  description: 'Result of an action on a post.',
})
export class PostResultObject {
  @Field(() => ID, { description: 'ID of the post, as sent.' }) id!: string;
  @Field(
    () => PostObject,
    optional('Post after the action, or as it would be (dry run). Null if it was rejected.'),
  )
  post!: PostObject | null;
  @Field(() => Boolean, {
    description:
      'Whether the action was performed, or would be (dry run). Also true if the post was already in the resulting state.',
  })
  done!: boolean;
  @Field(() => ErrorCodeEnum, optional('Error code. Null if the action was performed.'))
  code!: ErrorCode | null;
  @Field(() => String, optional('Reason why the action was not performed. Null if it was.'))
  message!: string | null;
}

/** What the payloads of all actions on several posts have. */
@ObjectType({ simpleResolvers: true })
export abstract class ActionPayload {
  @Field(() => [PostResultObject], {
    description: 'Results, one per distinct post, in the order sent.',
  })
  results!: readonly PostResultObject[];
  @Field(() => [PostObject], {
    description: 'Posts of the results that are `done`, in the same order.',
  })
  posts!: readonly PostObject[];
  @Field(() => [UserErrorObject], {
    description:
      'Reasons why the action was not performed: one per rejected post, or a single one if the whole request was rejected.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}

@ObjectType({ description: 'Result of `schedulePosts`.', simpleResolvers: true })
export class SchedulePostsPayload extends ActionPayload {
  @Field(
    () => JobObject,
    optional(
      'Job that ends when the publication of the posts has ended, in mode SHARE_NOW. Its failures list the posts that were not published. Null in other modes, in a dry run, and if all posts were rejected.',
    ),
  )
  job!: JobObject | null;
}

@ObjectType({ description: 'Result of `reviewPosts`.', simpleResolvers: true })
export class ReviewPostsPayload extends ActionPayload {}

@ObjectType({ description: 'Result of `retryPosts`.', simpleResolvers: true })
export class RetryPostsPayload extends ActionPayload {
  @Field(
    () => JobObject,
    optional(
      'Job that ends when the publication of the posts has ended. Its failures list the posts that were not published. Null in a dry run, and if all posts were rejected.',
    ),
  )
  job!: JobObject | null;
}

@ObjectType({ description: 'Result of `pausePosts`.', simpleResolvers: true })
export class PausePostsPayload extends ActionPayload {}

@ObjectType({ description: 'Result of `resumePosts`.', simpleResolvers: true })
export class ResumePostsPayload extends ActionPayload {}

@ObjectType({ description: 'Result of `unpublishPosts`.', simpleResolvers: true })
export class UnpublishPostsPayload extends ActionPayload {
  @Field(
    () => JobObject,
    optional(
      'Job that removes the posts from their networks. Null if there is nothing to remove, and in a dry run.',
    ),
  )
  job!: JobObject | null;
}

@ObjectType({ description: 'Result of `restorePosts`.', simpleResolvers: true })
export class RestorePostsPayload extends ActionPayload {}

@ObjectType({ description: 'Result of `resolvePublication`.', simpleResolvers: true })
export class ResolvePublicationPayload {
  @Field(
    () => PostObject,
    optional('Post after the decision, or as it would be (dry run). Null if it was rejected.'),
  )
  post!: PostObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the decision was rejected. Empty if it was accepted.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}
