import { Field, ID, InputType, Int, ObjectType, Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { EventType } from '../../domain/events/event.js';
import {
  WEBHOOK_LIMITS,
  type WebhookStatus,
  redeliveryProblem,
} from '../../domain/webhooks/webhook.js';
import { EventTypeEnum, WebhookStatusEnum, DateTime } from '../schema/enums.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { MutationInput, MutationPayload, toPayload } from '../schema/mutation.js';
import { optional } from '../schema/descriptions.js';
import type { Problem } from '../../domain/errors.js';
import { webUrl } from '../../domain/input/readers.js';
import { badUserInput } from '../schema/connection.js';
import { JobObject } from '../job.js';
import { toProblem } from '../post/user-error.js';
import { WebhookDeliveryObject, WebhookObject } from './webhook.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';

const URL = `Public https URL of at most ${WEBHOOK_LIMITS.urlLength} characters, without credentials. Redirects are not followed.`;
const { graceHours, redeliveredIds, logDays } = WEBHOOK_LIMITS;

@InputType({ description: 'Input of `createWebhook`.' })
export class CreateWebhookInput extends MutationInput {
  @Field(() => String, { description: URL }) url!: string;
  @Field(() => [EventTypeEnum], {
    description: 'Types of the events to send, at least one. Repeated ones count once.',
  })
  types!: EventType[];
}

@InputType({ description: 'Input of `updateWebhook`. Fields that are omitted or null are kept.' })
export class UpdateWebhookInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the webhook.' }) id!: string;
  @Field(() => String, optional(URL)) url?: string | null;
  @Field(
    () => [EventTypeEnum],
    optional('Types of the events to send, at least one. Replaces the current ones.'),
  )
  types?: EventType[] | null;
  @Field(
    () => WebhookStatusEnum,
    optional(
      'Whether events are sent. A webhook that is disabled misses the events meanwhile: `redeliverWebhooks` sends them.',
    ),
  )
  status?: WebhookStatus | null;
}

@InputType({ description: 'Input of `deleteWebhook`.' })
export class DeleteWebhookInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the webhook.' }) id!: string;
}

@InputType({ description: 'Input of `rotateWebhookSecret`.' })
export class RotateWebhookSecretInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the webhook.' }) id!: string;
  @Field(() => Int, {
    defaultValue: graceHours.default,
    description: `Hours for which messages are signed with the old secret as well, 0 to ${graceHours.max}. Other values are rejected with BAD_USER_INPUT.`,
  })
  graceHours!: number;
}

@InputType({ description: 'Input of `testWebhook`.' })
export class TestWebhookInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the webhook.' }) id!: string;
}

@InputType({
  description: 'Input of `redeliverWebhooks`: exactly one of `deliveryIds` and `since`.',
})
export class RedeliverWebhooksInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the webhook.' }) webhookId!: string;
  @Field(() => [ID], optional(`IDs of deliveries, 1 to ${redeliveredIds}.`)) deliveryIds?:
    string[] | null;
  @Field(
    () => DateTime,
    optional(
      `Sends all events since this time, including those that happened while the webhook was disabled. At most ${logDays} days ago.`,
    ),
  )
  since?: Date | null;
}

const readUrl = webUrl({ maxLength: WEBHOOK_LIMITS.urlLength });

const problem = (field: string, message: string): Problem => ({ path: [field], message });

function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badUserInput(problems.map(toProblem));
}

/** @throws GatewayError BAD_USER_INPUT for a malformed URL, or no types */
function assertWebhook({
  url,
  types,
}: Pick<CreateWebhookInput, 'url' | 'types'> | Pick<UpdateWebhookInput, 'url' | 'types'>): void {
  const problems: Problem[] = [];
  if (url != null) readUrl(url, ['url'], problems);
  if (types?.length === 0) problems.push(problem('types', 'must have at least one type.'));
  assertNoProblems(problems);
}

/** @throws GatewayError BAD_USER_INPUT for hours out of range */
function assertGraceHours(hours: number): void {
  const { max } = WEBHOOK_LIMITS.graceHours;
  if (hours < 0 || hours > max)
    assertNoProblems([problem('graceHours', `must be 0 to ${max}, got ${hours}.`)]);
}

/** @throws GatewayError BAD_USER_INPUT unless it has either delivery IDs or a time */
function assertRedelivery({ deliveryIds = null, since = null }: RedeliverWebhooksInput): void {
  const found = redeliveryProblem({ deliveryIds, since });
  if (found) assertNoProblems([problem(found.field, `${found.message}.`)]);
}

const SECRET =
  'Secret that signs messages: `whsec_` and base64. It is shown only here. Null if the change was rejected.';

@ObjectType({ description: 'Result of `createWebhook`.', simpleResolvers: true })
class CreateWebhookPayload extends MutationPayload {
  @Field(() => WebhookObject, optional('New webhook. Null if it was rejected.'))
  webhook!: WebhookObject | null;
  @Field(() => String, optional(SECRET)) secret!: string | null;
}

@ObjectType({ description: 'Result of `updateWebhook`.', simpleResolvers: true })
class UpdateWebhookPayload extends MutationPayload {
  @Field(() => WebhookObject, optional('Webhook after the change. Null if it was rejected.'))
  webhook!: WebhookObject | null;
}

@ObjectType({ description: 'Result of `deleteWebhook`.', simpleResolvers: true })
class DeleteWebhookPayload extends MutationPayload {
  @Field(() => ID, optional('ID of the deleted webhook. Null if nothing was deleted.')) deletedId!:
    string | null;
}

@ObjectType({ description: 'Result of `rotateWebhookSecret`.', simpleResolvers: true })
class RotateWebhookSecretPayload extends MutationPayload {
  @Field(() => WebhookObject, optional('Webhook. Null if the change was rejected.'))
  webhook!: WebhookObject | null;
  @Field(() => String, optional(SECRET)) secret!: string | null;
}

@ObjectType({ description: 'Result of `testWebhook`.', simpleResolvers: true })
class TestWebhookPayload extends MutationPayload {
  @Field(
    () => WebhookDeliveryObject,
    optional(
      'Delivery of the test, which is sent within seconds. `deliveries` shows its result. Null if the test was rejected.',
    ),
  )
  delivery!: WebhookDeliveryObject | null;
}

@ObjectType({ description: 'Result of `redeliverWebhooks`.', simpleResolvers: true })
class RedeliverWebhooksPayload extends MutationPayload {
  @Field(
    () => JobObject,
    optional(
      'Job that queues the messages. `deliveries` shows the results. Null if the request was rejected.',
    ),
  )
  job!: JobObject | null;
}

const ROLES = 'Requires scope WEBHOOKS and the role of an owner or admin.';
const INPUT = { description: 'Input.' };

@Resolver()
export class WebhookMutationsResolver {
  @Mutation(() => CreateWebhookPayload, {
    description: `Creates a webhook, which sends new events of the chosen types to a URL. A workspace can have up to 10 webhooks. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async createWebhook(
    @Arg('input', () => CreateWebhookInput, INPUT) input: CreateWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    assertWebhook(input);
    const { url, types } = input;
    return toPayload(
      await services.webhooks.create(viewerOf(authentication), { url, types }),
      input,
    );
  }

  @Mutation(() => UpdateWebhookPayload, {
    description: `Changes the URL or the types of a webhook, or disables or enables it. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async updateWebhook(
    @Arg('input', () => UpdateWebhookInput, INPUT) input: UpdateWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    assertWebhook(input);
    const { id, url, types, status } = input;
    const change = {
      ...(url != null && { url }),
      ...(types != null && { types }),
      ...(status != null && { status }),
    };
    return toPayload(await services.webhooks.update(viewerOf(authentication), id, change), input);
  }

  @Mutation(() => DeleteWebhookPayload, {
    description: `Deletes a webhook and the list of its deliveries. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async deleteWebhook(
    @Arg('input', () => DeleteWebhookInput, INPUT) input: DeleteWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    return toPayload(await services.webhooks.delete(viewerOf(authentication), input.id), input);
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description: `Replaces the secret of a webhook. Until the grace period ends, messages have one signature per secret. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, INPUT) input: RotateWebhookSecretInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const { id, graceHours } = input;
    assertGraceHours(graceHours);
    return toPayload(
      await services.webhooks.rotateSecret(viewerOf(authentication), id, graceHours),
      input,
    );
  }

  @Mutation(() => TestWebhookPayload, {
    description: `Sends a message of type WEBHOOK_TEST to the receiver of a webhook. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async testWebhook(
    @Arg('input', () => TestWebhookInput, INPUT) input: TestWebhookInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    return toPayload(await services.webhooks.test(viewerOf(authentication), input.id), input);
  }

  @Mutation(() => RedeliverWebhooksPayload, {
    description: `Sends messages of a webhook again, with the same \`webhook-id\`: some deliveries, or all events since a time. ${ROLES}`,
  })
  @RequiresScopes([['webhooks']])
  async redeliverWebhooks(
    @Arg('input', () => RedeliverWebhooksInput, INPUT) input: RedeliverWebhooksInput,
    @Ctx() context: GatewayContext,
  ) {
    assertRedelivery(input);
    const { webhookId, deliveryIds = null, since = null } = input;
    const outcome = await context.services.webhooks.redeliver(viewerOf(context.authentication), {
      webhookId,
      deliveryIds,
      since,
    });
    context.discardLoaders();
    const payload = toPayload(outcome, input);
    const { jobId } = payload;
    return { ...payload, job: jobId === undefined ? null : await context.loaders.job.load(jobId) };
  }
}
