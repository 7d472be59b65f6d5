import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Problem } from '../../domain/errors.js';
import type { Account } from '../../domain/posts/post.js';
import { isSlotTime, MAX_POSTING_SLOTS } from '../../domain/publishing/posting-schedule.js';
import type { PostingScheduleRequest } from '../../services/posting-schedules/posting-schedules.js';
import { AccountObject } from '../account/account.type.js';
import { badUserInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { toProblem } from '../post/change/read-change.js';
import { toInputError } from '../post/change/present-outcome.js';
import { RequiresScopes } from '../requires-scopes.js';
import { DateTime } from '../scalars.js';
import {
  PostingScheduleObject,
  SetPostingScheduleInput,
  SetPostingSchedulePayload,
  type AccountSchedule,
} from './posting-schedule.type.js';

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
    ...(timeZone != null && { timeZone }),
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
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<Date[]> {
    const count = first ?? 10;
    if (count < 1 || count > MAX_FREE_TIMES)
      throw badUserInput([
        { path: ['first'], message: `first must be 1 to ${MAX_FREE_TIMES}, got ${count}.` },
      ]);
    return services.postingSchedules.nextFree(viewerOf(authentication), account, count);
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
