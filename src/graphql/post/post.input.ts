import { Field, ID, InputType, Int } from 'type-graphql';
import type { Network } from '../../domain/networks/networks.js';
import type { PublicationStatus } from '../../domain/publishing/publication-record.js';
import type { PostState, StateFilter } from '../../domain/posts/states.js';
import type { DeletePolicy, OrderDirection, OrderField, PostType } from '../../domain/enums.js';
import {
  DeletePolicyEnum,
  NetworkEnum,
  OrderDirectionEnum,
  PostOrderFieldEnum,
  PostStateEnum,
  PostStateFilterEnum,
  PostTypeEnum,
  PublicationStatusEnum,
  DateTime,
} from '../schema/enums.js';
import {
  CLIENT_MUTATION_ID,
  DRY_RUN,
  DRY_RUN_IDS,
  IDEMPOTENCY_KEY,
  optional,
} from '../schema/descriptions.js';
import { PostPatchInput } from './change/post-patch.input.js';

@InputType({
  description:
    'Filter of a list of posts. Omitted or empty fields do not filter; several fields are combined with AND. Each list accepts up to 1,000 values.',
})
export class PostFilter {
  @Field(() => [PostStateFilterEnum], optional('Posts in any of these states or groups of states.'))
  states?: StateFilter[] | null;
  @Field(
    () => [PostStateEnum],
    optional(
      'Posts whose `state` is one of these, as facets count them. In `states`, SCHEDULED and the other names of groups also match their sub-states.',
    ),
  )
  exactStates?: PostState[] | null;
  @Field(() => [PostTypeEnum], optional('Posts of these types.')) types?: PostType[] | null;
  @Field(() => [NetworkEnum], optional('Posts of these networks.')) networks?: Network[] | null;
  @Field(() => [ID], optional('Posts of these accounts. Unknown IDs match nothing.')) accountIds?:
    string[] | null;
  @Field(() => ID, optional('Posts created by this user. An unknown ID matches nothing.'))
  memberId?: string | null;
  @Field(() => [ID], optional('Posts with any of these labels. Unknown IDs match nothing.'))
  labelIds?: string[] | null;
  @Field(
    () => [ID],
    optional(
      'Posts that were created together, which share a `groupId`. Unknown IDs match nothing.',
    ),
  )
  groupIds?: string[] | null;
  @Field(
    () => [PublicationStatusEnum],
    optional('Posts whose publication has any of these statuses.'),
  )
  publication?: PublicationStatus[] | null;
  @Field(
    () => DateTime,
    optional('Posts scheduled at this time or later. Can be used without `to`.'),
  )
  from?: Date | null;
  @Field(
    () => DateTime,
    optional('Posts scheduled at this time or earlier. Must not be before `from`.'),
  )
  to?: Date | null;
  @Field(
    () => String,
    optional(
      'Search query, up to 1,000 characters. Every word must occur in the text, title, excerpt, poll question, poll options, link title or alternative texts, ignoring case and accents. Words of three letters or more also match longer words that begin with them. Quotes search for a phrase of whole words, a leading minus excludes a word or phrase.',
    ),
  )
  query?: string | null;
}

@InputType({
  description:
    'Order of a list of posts. Undated posts come last in both directions; ties are ordered by ID.',
})
export class PostOrder {
  @Field(() => PostOrderFieldEnum, {
    defaultValue: 'scheduled_at',
    description: 'Field to order by.',
  })
  field!: OrderField;
  @Field(() => OrderDirectionEnum, { defaultValue: 'desc', description: 'Sort direction.' })
  direction!: OrderDirection;
}

@InputType({ description: 'Input of `updatePost`.' })
export class UpdatePostInput {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(() => PostPatchInput, {
    description:
      'Changes to apply. An empty object changes nothing and does not increase `version`.',
  })
  post!: PostPatchInput;
  @Field(
    () => Int,
    optional(
      'Version of the post that the change is based on. If the post has another version, the update is rejected with CONFLICT.',
    ),
  )
  expectedVersion?: number | null;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: `${DRY_RUN} ${DRY_RUN_IDS}` })
  dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@InputType({ description: 'Input of `deletePosts`.' })
export class DeletePostsInput {
  @Field(() => [ID], {
    description: '1 to 100 posts, each as ID or database ID. Two IDs of the same post count once.',
  })
  ids!: string[];
  @Field(() => DeletePolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'How to proceed if some of the posts cannot be deleted.',
  })
  policy!: DeletePolicy;
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether to remove published posts from their social networks first. A job does that, and then deletes them here. A post that its network does not remove stays, and the job says why.',
  })
  onNetwork!: boolean;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}
