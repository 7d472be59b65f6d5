import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { ReviewDecision } from '../../../domain/actions/post-actions.js';
import type {
  BatchPolicy,
  DraftVisibility,
  ShareMode,
} from '../../../domain/creation/creation-modes.js';
import {
  BatchPolicyEnum,
  DraftVisibilityEnum,
  ReviewDecisionEnum,
  ShareModeEnum,
  DateTime,
  ErrorCodeEnum,
} from '../../schema/enums.js';
import {
  ALLOW_DUPLICATE,
  CLIENT_MUTATION_ID,
  DRY_RUN,
  IDEMPOTENCY_KEY,
  optional,
  RETURNED_MUTATION_ID,
} from '../../schema/descriptions.js';
import type { ErrorCode } from '../../../domain/errors.js';
import { JobObject } from '../../job.js';
import { UserErrorObject } from '../user-error.js';
import { PostObject } from '../post.type.js';
import { SeriesChangeObject } from '../series-change.type.js';

/** What the inputs of all actions have. */
@InputType()
export abstract class ActionOptions {
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

/** What the inputs of actions on several posts have. */
@InputType()
export abstract class BulkActionInput extends ActionOptions {
  @Field(() => [ID], {
    description: '1 to 100 posts, each as ID or database ID. Two IDs of the same post count once.',
  })
  ids!: string[];
  @Field(() => BatchPolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'How to proceed if the action cannot be performed on some of the posts.',
  })
  policy!: BatchPolicy;
}

@InputType({ description: 'Input of `schedulePosts`.' })
export class SchedulePostsInput extends BulkActionInput {
  @Field(() => ShareModeEnum, {
    description: 'Whether the posts become drafts, are scheduled or are published immediately.',
  })
  mode!: ShareMode;
  @Field(
    () => DateTime,
    optional(
      'Publication time, at least one minute in the future; in mode DRAFT, the time of the draft. Default: the time that the post has.',
    ),
  )
  scheduledAt?: Date | null;
  @Field(() => ID, optional('Account for drafts. They keep theirs if it is omitted.')) accountId?:
    string | null;
  @Field(
    () => DraftVisibilityEnum,
    optional(
      'Who can see the drafts, in mode DRAFT. Default: drafts keep their visibility, other posts get ACCOUNT.',
    ),
  )
  visibility?: DraftVisibility | null;
  @Field(() => Boolean, ALLOW_DUPLICATE) allowDuplicate!: boolean;
}

@InputType({ description: 'Post and the version that the decision is based on.' })
export class PostRefInput {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(
    () => Int,
    optional(
      'Version of the post that the decision is based on, required to approve. If the post has another version, it is rejected with CONFLICT.',
    ),
  )
  expectedVersion?: number | null;
}

@InputType({ description: 'Input of `reviewPosts`.' })
export class ReviewPostsInput extends ActionOptions {
  @Field(() => [PostRefInput], {
    description:
      '1 to 100 posts. Two IDs of the same post count once; with different versions, the post is rejected. A decision about a series also applies to its future occurrences.',
  })
  posts!: PostRefInput[];
  @Field(() => ReviewDecisionEnum, { description: 'Decision about all posts.' })
  decision!: ReviewDecision;
  @Field(() => String, optional('Reason, kept in the history of the posts. Required to decline.'))
  note?: string | null;
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether posts whose time has passed are published when they are approved.',
  })
  publishLate!: boolean;
  @Field(() => BatchPolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'How to proceed if the decision is rejected for some of the posts.',
  })
  policy!: BatchPolicy;
}

@InputType({ description: 'Input of `retryPosts`.' })
export class RetryPostsInput extends BulkActionInput {
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether you have checked that the posts are not on their networks. Required for posts whose publication is UNCONFIRMED.',
  })
  confirmNotLive!: boolean;
  @Field(() => Boolean, ALLOW_DUPLICATE) allowDuplicate!: boolean;
}

@InputType({ description: 'Input of `pausePosts`.' })
export class PausePostsInput extends BulkActionInput {}

@InputType({ description: 'Input of `resumePosts`.' })
export class ResumePostsInput extends BulkActionInput {}

@InputType({ description: 'Input of `unpublishPosts`.' })
export class UnpublishPostsInput extends BulkActionInput {}

@InputType({ description: 'Input of `restorePosts`.' })
export class RestorePostsInput extends BulkActionInput {
  @Field(() => Boolean, ALLOW_DUPLICATE) allowDuplicate!: boolean;
}

@InputType({ description: 'Input of `resolvePublication`. Send either `url` or `notLive: true`.' })
export class ResolvePublicationInput extends ActionOptions {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(() => String, optional('HTTPS URL of the post, if it is on its network.'))
  url?: string | null;
  @Field(
    () => String,
    optional(
      'ID of the post on its network, so that the gateway can edit it there. Only with `url`.',
    ),
  )
  remoteId?: string | null;
  @Field(() => Boolean, optional('Set to true if the post is not on its network.')) notLive?:
    boolean | null;
}

@ObjectType('PostResult', {
  simpleResolvers: true,
  description: 'Result of an action on a post.',
})
class PostResultObject {
  @Field(() => ID, { description: 'ID of the post, as sent.' }) id!: string;
  @Field(
    () => PostObject,
    optional('Post after the action, or as it would be (dry run). Null if it was rejected.'),
  )
  post!: PostObject | null;
  @Field(
    () => SeriesChangeObject,
    optional(
      'What the action does to the occurrences of a series that it starts or restores, or would do (dry run). Null for other posts.',
    ),
  )
  series!: SeriesChangeObject | null;
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
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
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
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}
