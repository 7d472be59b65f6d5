import { Field, ID, InputType, Int } from 'type-graphql';
import type { EventType } from '../../domain/events/event-types.js';
import { WEBHOOK_LIMITS, type WebhookStatus } from '../../domain/webhooks/webhook.js';
import { EventTypeEnum, WebhookStatusEnum } from '../enums.js';
import { optional } from '../optional.js';
import { CLIENT_MUTATION_ID } from '../post/change/input-descriptions.js';
import { DateTime } from '../scalars.js';

const URL = `Public https URL of at most ${WEBHOOK_LIMITS.urlLength} characters, without credentials. Redirects are not followed.`;
const { graceHours, redeliveredIds, logDays } = WEBHOOK_LIMITS;

/** What the inputs of all mutations of webhooks have. */
@InputType()
abstract class MutationInput {
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

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
