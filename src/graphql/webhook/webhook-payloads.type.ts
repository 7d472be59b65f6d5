import { Field, ID, ObjectType } from 'type-graphql';
import { JobObject } from '../job/job.type.js';
import { optional } from '../optional.js';
import { UserErrorObject } from '../post/change/post-payload.type.js';
import { WebhookDeliveryObject, WebhookObject } from './webhook.type.js';

const SECRET =
  'Secret that signs messages: `whsec_` and base64. It is shown only here. Null if the change was rejected.';

/** What the results of all mutations of webhooks have. */
@ObjectType({ simpleResolvers: true })
abstract class Payload {
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the change was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, optional('`clientMutationId` of the input.')) clientMutationId!:
    string | null;
}

@ObjectType({ description: 'Result of `createWebhook`.', simpleResolvers: true })
export class CreateWebhookPayload extends Payload {
  @Field(() => WebhookObject, optional('New webhook. Null if it was rejected.'))
  webhook!: WebhookObject | null;
  @Field(() => String, optional(SECRET)) secret!: string | null;
}

@ObjectType({ description: 'Result of `updateWebhook`.', simpleResolvers: true })
export class UpdateWebhookPayload extends Payload {
  @Field(() => WebhookObject, optional('Webhook after the change. Null if it was rejected.'))
  webhook!: WebhookObject | null;
}

@ObjectType({ description: 'Result of `deleteWebhook`.', simpleResolvers: true })
export class DeleteWebhookPayload extends Payload {
  @Field(() => ID, optional('ID of the deleted webhook. Null if nothing was deleted.')) deletedId!:
    string | null;
}

@ObjectType({ description: 'Result of `rotateWebhookSecret`.', simpleResolvers: true })
export class RotateWebhookSecretPayload extends Payload {
  @Field(() => WebhookObject, optional('Webhook. Null if the change was rejected.'))
  webhook!: WebhookObject | null;
  @Field(() => String, optional(SECRET)) secret!: string | null;
}

@ObjectType({ description: 'Result of `testWebhook`.', simpleResolvers: true })
export class TestWebhookPayload extends Payload {
  @Field(
    () => WebhookDeliveryObject,
    optional(
      'Delivery of the test, which is sent within seconds. `deliveries` shows its result. Null if the test was rejected.',
    ),
  )
  delivery!: WebhookDeliveryObject | null;
}

@ObjectType({ description: 'Result of `redeliverWebhooks`.', simpleResolvers: true })
export class RedeliverWebhooksPayload extends Payload {
  @Field(
    () => JobObject,
    optional(
      'Job that queues the messages. `deliveries` shows the results. Null if the request was rejected.',
    ),
  )
  job!: JobObject | null;
}
