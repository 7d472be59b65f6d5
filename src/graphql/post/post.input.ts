import { Field, ID, InputType, Int } from 'type-graphql';
import type { Network } from '../../domain/networks/networks.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { StateFilter } from '../../domain/posts/states.js';
import type {
  DeletePolicy,
  OrderDirection,
  OrderField,
  PostType,
} from '../../domain/vocabulary.js';
import {
  DeletePolicyEnum,
  NetworkEnum,
  OrderDirectionEnum,
  PostOrderFieldEnum,
  PostStateFilterEnum,
  PostTypeEnum,
} from '../enums.js';
import { optional } from '../optional.js';
import { DateTime } from '../scalars.js';
import { PostPatchInput } from './change/post-patch.input.js';

const KEY = `1 to ${REQUEST_LIMITS.idempotencyKey} characters, kept 24 hours: the same input again gives the recorded outcome, another input is IDEMPOTENCY_MISMATCH (D27).`;
const DRY_RUN =
  'Runs every rule and answers as it would; nothing is changed, made, queued or recorded (D28).';
const ECHO = 'Comes back unchanged in the payload.';

@InputType({
  description:
    'What a list of posts is narrowed to. An absent or empty part narrows nothing; several parts narrow together; a list takes up to 1,000 values (D15).',
})
export class PostFilter {
  @Field(() => [PostStateFilterEnum], optional('Posts that any of these filters takes in (D10).'))
  states?: StateFilter[] | null;
  @Field(() => [PostTypeEnum], optional('Posts of these types.')) types?: PostType[] | null;
  @Field(() => [NetworkEnum], optional('Posts of these networks.')) networks?: Network[] | null;
  @Field(() => [ID], optional('Posts of these accounts; unknown ones match nothing.')) accountIds?:
    string[] | null;
  @Field(() => ID, optional('Posts made by this member; an unknown one matches nothing.'))
  memberId?: string | null;
  @Field(() => [ID], optional('Posts with any of these labels; unknown ones match nothing.'))
  labelIds?: string[] | null;
  @Field(() => DateTime, optional('Scheduled at this time or later; needs no `to`.'))
  from?: Date | null;
  @Field(() => DateTime, optional('Scheduled at this time or earlier, and not before `from`.'))
  to?: Date | null;
  @Field(
    () => String,
    optional(
      'Every word must occur in text or title, ignoring case and accents; quotes make a phrase, a leading minus excludes; up to 1,000 characters (D16).',
    ),
  )
  query?: string | null;
}

@InputType({
  description:
    'Order of a list of posts; undated posts are last in both directions, ties go by id (D14).',
})
export class PostOrder {
  @Field(() => PostOrderFieldEnum, {
    defaultValue: 'scheduled_at',
    description: 'What to order by.',
  })
  field!: OrderField;
  @Field(() => OrderDirectionEnum, { defaultValue: 'desc', description: 'Which end comes first.' })
  direction!: OrderDirection;
}

@InputType({ description: 'One update of one post.' })
export class UpdatePostInput {
  @Field(() => ID, { description: 'The post, by either of its ids (D3).' }) id!: string;
  @Field(() => PostPatchInput, {
    description: 'What changes. An empty one changes nothing and raises no version.',
  })
  post!: PostPatchInput;
  @Field(
    () => Int,
    optional('The version the change was made on; another one there is CONFLICT (D26).'),
  )
  expectedVersion?: number | null;
  @Field(() => String, optional(KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(ECHO)) clientMutationId?: string | null;
}

@InputType({ description: 'A deletion of up to 100 posts.' })
export class DeletePostsInput {
  @Field(() => [ID], {
    description: '1 to 100 posts, each by either of its ids; two ids of one post count once (D30).',
  })
  ids!: string[];
  @Field(() => DeletePolicyEnum, {
    defaultValue: 'skip_refused',
    description: 'What happens to the others when one is refused (D31).',
  })
  policy!: DeletePolicy;
  @Field(() => String, optional(KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(ECHO)) clientMutationId?: string | null;
}
