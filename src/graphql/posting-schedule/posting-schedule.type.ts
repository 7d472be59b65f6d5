import { Field, ID, InputType, ObjectType } from 'type-graphql';
import {
  MAX_POSTING_SLOTS,
  type PostingSchedule,
  type Weekday,
} from '../../domain/publishing/posting-schedule.js';
import type { Account } from '../../domain/posts/post.js';
import { AccountObject } from '../account/account.type.js';
import { WeekdayEnum } from '../enums.js';
import { optional } from '../optional.js';
import { CLIENT_MUTATION_ID } from '../post/change/input-descriptions.js';
import { UserErrorObject } from '../post/change/post-payload.type.js';

@ObjectType('PostingSlot', {
  simpleResolvers: true,
  description: 'Time of the week at which an account publishes a post of its queue.',
})
export class PostingSlotObject {
  @Field(() => WeekdayEnum, { description: 'Day of the week.' }) weekday!: Weekday;
  @Field(() => String, { description: 'Local time, HH:MM.' }) time!: string;
}

/** A schedule with the account that it belongs to. */
export interface AccountSchedule extends PostingSchedule {
  readonly account: Account;
}

@ObjectType('PostingSchedule', {
  simpleResolvers: true,
  description: 'When an account publishes the posts that are added to its queue.',
})
export class PostingScheduleObject {
  @Field(() => String, {
    description:
      'IANA time zone in which the slots keep their local time. Defaults to that of the workspace.',
  })
  timeZone!: string;
  @Field(() => Boolean, {
    description: 'Whether the queue is paused: its posts are not published until it is resumed.',
  })
  paused!: boolean;
  @Field(() => [PostingSlotObject], { description: 'Slots, ordered by weekday and time.' })
  slots!: readonly PostingSlotObject[];
}

@InputType({ description: 'Time of the week at which an account publishes a post of its queue.' })
export class PostingSlotInput {
  @Field(() => WeekdayEnum, { description: 'Day of the week.' }) weekday!: Weekday;
  @Field(() => String, { description: 'Local time, HH:MM, from 00:00 to 23:59.' }) time!: string;
}

@InputType({
  description: 'Input of `setPostingSchedule`. Fields that are omitted or null are kept.',
})
export class SetPostingScheduleInput {
  @Field(() => ID, { description: 'ID of the account.' }) accountId!: string;
  @Field(() => String, optional('IANA time zone, such as `Europe/Berlin`.')) timeZone?:
    string | null;
  @Field(
    () => Boolean,
    optional(
      'Whether to pause the queue. When it is resumed, posts whose time has passed get the next free times.',
    ),
  )
  paused?: boolean | null;
  @Field(
    () => [PostingSlotInput],
    optional(
      `All slots, at most ${MAX_POSTING_SLOTS}. Replaces the current slots. Duplicates count once.`,
    ),
  )
  slots?: PostingSlotInput[] | null;
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to check and show the change without saving it.',
  })
  dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `setPostingSchedule`.', simpleResolvers: true })
export class SetPostingSchedulePayload {
  @Field(
    () => AccountObject,
    optional(
      'Account with its posting schedule after the change, or as it would be (dry run). Null if the change was rejected.',
    ),
  )
  account!: AccountObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the change was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}
