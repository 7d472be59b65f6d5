import {
  ArgsType,
  Field,
  ID,
  Int,
  ObjectType,
  Args,
  Ctx,
  FieldResolver,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { EventType } from '../../domain/events/event.js';
import type { DeliveryStatus, WebhookStatus, Webhook } from '../../domain/webhooks/webhook.js';
import {
  PAGE_SIZE,
  PageInfo,
  readWindow,
  toConnection,
  deliveryOrder,
  timeCursorKey,
} from '../schema/connection.js';
import { DeliveryStatusEnum, EventTypeEnum, WebhookStatusEnum, DateTime } from '../schema/enums.js';
import { NodeInterface } from '../node.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { optional } from '../schema/descriptions.js';

@ArgsType()
class DeliveriesArgs {
  @Field(
    () => Int,
    optional(`Number of deliveries, 1 to ${PAGE_SIZE.max}, ${PAGE_SIZE.default} if omitted.`),
  )
  first?: number | null;
  @Field(
    () => String,
    optional(
      'Returns deliveries after this cursor. A cursor that was modified or belongs to another webhook is rejected with BAD_USER_INPUT.',
    ),
  )
  after?: string | null;
}

@ObjectType('Webhook', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Receiver of the events of the workspace.',
})
export class WebhookObject {
  @Field(() => ID, { description: 'ID: `whk_` followed by letters and digits.' }) id!: string;
  @Field(() => String, { description: 'URL that messages are sent to.' }) url!: string;
  @Field(() => [EventTypeEnum], { description: 'Types of the events that are sent.' })
  types!: readonly EventType[];
  @Field(() => WebhookStatusEnum, { description: 'Whether events are sent.' })
  status!: WebhookStatus;
  @Field(() => DateTime, { description: 'Creation time.' }) createdAt!: Date;
}

@ObjectType('WebhookDelivery', {
  simpleResolvers: true,
  description:
    'Message to the receiver of a webhook, with the result of the last attempt to deliver it.',
})
export class WebhookDeliveryObject {
  @Field(() => ID, {
    description: 'ID: `dlv_` followed by letters and digits. The message has it as `webhook-id`.',
  })
  id!: string;
  @Field(() => EventTypeEnum, { description: 'Type of the event.' }) eventType!: EventType;
  @Field(() => ID, optional('ID of the event. Null for a test.')) eventId!: string | null;
  @Field(() => DeliveryStatusEnum, { description: 'Whether the message was delivered.' })
  status!: DeliveryStatus;
  @Field(() => Int, { description: 'Attempts since the message was last queued.' })
  attempts!: number;
  @Field(() => Int, optional('HTTP status of the last response. Null if there was none.'))
  responseStatus!: number | null;
  @Field(() => String, optional('First 1,024 bytes of the last response.')) responseBody!:
    string | null;
  @Field(() => String, optional('Reason why there was no response, or no further attempt.'))
  error!: string | null;
  @Field(() => Int, optional('Duration of the last attempt, in milliseconds.')) durationMs!:
    number | null;
  @Field(() => DateTime, optional('Time of the last attempt.')) lastAttemptAt!: Date | null;
  @Field(() => DateTime, optional('Time of the next attempt. Null if there is none.'))
  nextAttemptAt!: Date | null;
}

@ObjectType({ description: 'Delivery and its cursor.', simpleResolvers: true })
class WebhookDeliveryEdge {
  @Field(() => String, { description: 'Cursor of this delivery, for `after`.' }) cursor!: string;
  @Field(() => WebhookDeliveryObject, { description: 'Delivery.' }) node!: WebhookDeliveryObject;
}

@ObjectType({
  description: 'Page of the deliveries of a webhook, newest first.',
  simpleResolvers: true,
})
class WebhookDeliveryConnection {
  @Field(() => [WebhookDeliveryEdge], { description: 'Deliveries with their cursors.' })
  edges!: WebhookDeliveryEdge[];
  @Field(() => [WebhookDeliveryObject], { description: 'Deliveries of this page.' })
  nodes!: WebhookDeliveryObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
}

@Resolver(() => WebhookObject)
export class WebhookResolver {
  @Query(() => [WebhookObject], {
    description:
      'Webhooks of the workspace, in the order of their creation. Requires scope WEBHOOKS and the role of an owner or admin.',
  })
  @RequiresScopes([['webhooks']])
  webhooks(@Ctx() { authentication, services }: GatewayContext) {
    return services.webhooks.list(viewerOf(authentication));
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description: 'Messages of the last 30 days, newest first.',
  })
  async deliveries(
    @Root() { id }: Webhook,
    @Args(() => DeliveriesArgs) args: DeliveriesArgs,
    @Ctx() { loaders }: GatewayContext,
  ) {
    const order = deliveryOrder(id);
    const { limit, after } = readWindow(args, order);
    const window = {
      limit,
      ...(after && { after: { at: new Date(after.sortValue), id: after.id } }),
    };
    const page = await loaders.webhookDeliveries(window).load(id);
    return toConnection(
      {
        items: page?.deliveries ?? [],
        hasNextPage: page?.hasNextPage ?? false,
        hasPreviousPage: after !== undefined,
      },
      order,
      timeCursorKey,
    );
  }
}
