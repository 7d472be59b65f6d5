import { Field, ID, InputType } from 'type-graphql';
import type {
  BatchPolicy,
  DraftVisibility,
  ShareMode,
} from '../../../domain/creation/creation-modes.js';
import type { Network } from '../../../domain/networks/networks.js';
import { BatchPolicyEnum, DraftVisibilityEnum, NetworkEnum, ShareModeEnum } from '../../enums.js';
import { optional } from '../../optional.js';
import { DateTime } from '../../scalars.js';
import { CLIENT_MUTATION_ID, DRY_RUN, IDEMPOTENCY_KEY } from '../change/input-descriptions.js';
import { PostPatchInput } from '../change/post-patch.input.js';

@InputType({ description: 'Account to create a post for.' })
export class PostTargetInput {
  @Field(() => ID, { description: 'ID of the account.' }) accountId!: string;
  @Field(
    () => DateTime,
    optional('Publication time of this post. Defaults to `scheduledAt` of the input.'),
  )
  scheduledAt?: Date | null;
  @Field(
    () => PostPatchInput,
    optional(
      'Fields that differ for this account. They replace those of the variant and of the common post; objects are merged key by key.',
    ),
  )
  post?: PostPatchInput | null;
}

@InputType({ description: 'Content that differs for all accounts of a network.' })
export class PostVariantInput {
  @Field(() => NetworkEnum, { description: 'Network. Each network has at most one variant.' })
  network!: Network;
  @Field(() => PostPatchInput, {
    description: 'Fields that replace those of the common post; objects are merged key by key.',
  })
  post!: PostPatchInput;
}

@InputType({ description: 'Input of `createPosts`.' })
export class CreatePostsInput {
  @Field(() => [PostTargetInput], {
    description:
      'Accounts to create a post for, at most 1,000. In mode DRAFT, an empty list creates one draft without an account.',
  })
  targets!: PostTargetInput[];
  @Field(() => PostPatchInput, { description: 'Content of all posts. `type` is required.' })
  post!: PostPatchInput;
  @Field(() => [PostVariantInput], optional('Content that differs for a network.'))
  variants?: PostVariantInput[] | null;
  @Field(() => ShareModeEnum, {
    description: 'Whether the posts become drafts, are scheduled or are published immediately.',
  })
  mode!: ShareMode;
  @Field(() => DraftVisibilityEnum, {
    defaultValue: 'account',
    description: 'Who can see the drafts, in mode DRAFT.',
  })
  visibility!: DraftVisibility;
  @Field(
    () => DateTime,
    optional(
      'Publication time of targets without a time of their own, at least one minute in the future. Required in mode SCHEDULE, except for a series whose rule has a start. Makes a draft dated.',
    ),
  )
  scheduledAt?: Date | null;
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether to allow a post with the same account, text and media as another post within 24 hours.',
  })
  allowDuplicate!: boolean;
  @Field(() => BatchPolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'How to proceed if some of the posts cannot be created.',
  })
  policy!: BatchPolicy;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}
