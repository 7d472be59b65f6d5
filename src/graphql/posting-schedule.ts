import {
  Field,
  ID,
  InputType,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Int,
  Mutation,
  Resolver,
  Root,
} from 'type-graphql';
import {
  MAX_POSTING_SLOTS,
  type PostingSchedule,
  type Weekday,
  isSlotTime,
} from '../domain/publishing/posting-schedule.js';
import type { Account } from '../domain/posts/post.js';
import { AccountObject } from './account.js';
import { WeekdayEnum, DateTime } from './schema/enums.js';
import { RequiresScopes } from './schema/field-decorators.js';
import { CLIENT_MUTATION_ID, optional, RETURNED_MUTATION_ID } from './schema/descriptions.js';
import { UserErrorObject, toInputError, toProblem } from './post/user-error.js';
import { viewerOf } from '../domain/access/viewer.js';
import type { Problem } from '../domain/errors.js';
import type { PostingScheduleRequest } from '../services/posting-schedules/posting-schedules.js';
import { badUserInput } from './schema/connection.js';
import type { GatewayContext } from './context.js';

@ObjectType('PostingSlot', {
  simpleResolvers: true,
  description: 'Time of the week at which an account publishes a post of its queue.',
})
class PostingSlotObject {
  @Field(() => WeekdayEnum, { description: 'Day of the week.' }) weekday!: Weekday;
  @Field(() => String, { description: 'Local time, HH:MM.' }) time!: string;
}

/** A schedule with the account that it belongs to. */
interface AccountSchedule extends PostingSchedule {
  readonly account: Account;
}

@ObjectType('PostingSchedule', {
  simpleResolvers: true,
  description: 'When an account publishes the posts that are added to its queue.',
})
class PostingScheduleObject {
  @Field(() => String, {
    description:
      'IANA time zone in which the slots keep their local time: that of the queue, or else of the workspace.',
  })
  timeZone!: string;
  @Field(() => Boolean, {
    description: 'Whether the time zone is that of the workspace, also when that changes.',
  })
  usesWorkspaceTimeZone!: boolean;
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
  description:
    'Input of `setPostingSchedule`. Fields that are omitted are kept, as are others than `timeZone` that are null.',
})
export class SetPostingScheduleInput {
  @Field(() => ID, { description: 'ID of the account.' }) accountId!: string;
  @Field(
    () => String,
    optional(
      'IANA time zone, such as `Europe/Berlin`. Null for that of the workspace, also when that changes.',
    ),
  )
  timeZone?: string | null;
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
class SetPostingSchedulePayload {
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
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

const MAX_FREE_TIMES = 100;

/**
 * Reads the change of a posting schedule. @throws GatewayError BAD_USER_INPUT with every problem
 */
function readRequest(input: SetPostingScheduleInput): PostingScheduleRequest {
  const { accountId, timeZone, paused, slots, dryRun } = input;
  const problems: Problem[] = (slots ?? []).flatMap(({ time }, index) =>
    isSlotTime(time)
      ? []
      : [{ path: ['slots', index, 'time'], message: 'must be a time from 00:00 to 23:59' }],
  );
  if ((slots?.length ?? 0) > MAX_POSTING_SLOTS)
    problems.push({ path: ['slots'], message: `may have at most ${MAX_POSTING_SLOTS} entries` });
  if (problems.length > 0) throw badUserInput(problems.map(toProblem));
  return {
    accountId,
    dryRun,
    ...(timeZone !== undefined && { timeZone }),
    ...(paused != null && { paused }),
    ...(slots != null && { slots }),
  };
}

@Resolver(() => PostingScheduleObject)
export class PostingScheduleResolver {
  @FieldResolver(() => [DateTime], {
    description: 'Next free times of the queue, in order. A post that is added now gets the first.',
  })
  nextFree(
    @Root() { account }: AccountSchedule,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 10,
      description: `Maximum number of times, 1 to ${MAX_FREE_TIMES}. Other values are rejected with BAD_USER_INPUT.`,
    })
    first: number | null,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<Date[]> {
    const count = first ?? 10;
    if (count < 1 || count > MAX_FREE_TIMES)
      throw badUserInput([
        { path: ['first'], message: `first must be 1 to ${MAX_FREE_TIMES}, got ${count}.` },
      ]);
    return loaders.freeTimes(account, count);
  }
}

@Resolver(() => AccountObject)
export class AccountPostingScheduleResolver {
  @FieldResolver(() => PostingScheduleObject, {
    description: 'When the account publishes the posts of its queue.',
  })
  async postingSchedule(
    @Root() account: Account,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<AccountSchedule> {
    const schedule = await loaders.postingSchedule.load(account.id);
    return { ...schedule!, account };
  }

  @Mutation(() => SetPostingSchedulePayload, {
    description:
      'Sets when an account publishes the posts of its queue, or pauses the queue. Requires scope POSTS_WRITE and post-action access.',
  })
  @RequiresScopes([['posts:write']])
  async setPostingSchedule(
    @Arg('input', () => SetPostingScheduleInput, { description: 'Account and changes to apply.' })
    input: SetPostingScheduleInput,
    @Ctx() context: GatewayContext,
  ) {
    const viewer = viewerOf(context.authentication);
    const outcome = await context.services.postingSchedules.set(viewer, readRequest(input));
    context.discardLoaders();
    const { clientMutationId } = input;
    if (outcome.kind === 'refused')
      return { account: null, userErrors: outcome.refusals.map(toInputError), clientMutationId };
    const { account, schedule } = outcome;
    context.loaders.postingSchedule.prime(account.id, schedule);
    return { account, userErrors: [], clientMutationId };
  }
}
