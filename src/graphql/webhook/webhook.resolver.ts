import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Webhook } from '../../domain/webhooks/webhook.js';
import { readWindow, toConnection } from '../connection/connection.js';
import { deliveryOrder, timeCursorKey } from '../connection/list-orders.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { DeliveriesArgs, WebhookDeliveryConnection, WebhookObject } from './webhook.type.js';

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
