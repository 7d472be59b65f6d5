import { Args, Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { hasPostActions } from '../../domain/access/viewer.js';
import { viewerOf } from '../../domain/access/identity.js';
import type { RateState } from '../../domain/access/rate-window.js';
import { ConnectionArgs, readWindow, toConnection } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { NOTIFICATIONS_BY_TIME, placeByTime } from '../connection/list-orders.js';
import { NotificationConnection } from '../notification/notification.type.js';
import { RequiresScopes } from '../requires-scopes.js';
import { RateLimitObject, ViewerObject } from './viewer.type.js';

@Resolver(() => ViewerObject)
export class ViewerResolver {
  @Query(() => ViewerObject, { description: 'Who calls. Any key; needs no workspace header.' })
  @RequiresScopes([], { workspace: false })
  viewer(@Ctx() { admission: { caller, workspace } }: GatewayContext) {
    const { user, plan, key } = caller;
    const inside = workspace.kind === 'member' ? workspace.viewer : null;
    return {
      user,
      plan,
      key,
      scopes: key.scopes,
      workspace: inside?.workspace ?? null,
      role: inside?.role ?? null,
      postActions: inside !== null && hasPostActions(inside),
    };
  }

  @Query(() => RateLimitObject, {
    description:
      'The user’s request window as it is after this request. Any key; needs no workspace header.',
  })
  @RequiresScopes([], { workspace: false })
  rateLimit(@Ctx() { admission }: GatewayContext): RateState {
    return admission.rate;
  }

  @FieldResolver(() => NotificationConnection, {
    description:
      'What the viewer was told in this workspace, newest first. Needs the workspace header; any key.',
  })
  @RequiresScopes([])
  async notifications(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { admission, services }: GatewayContext,
  ) {
    const page = await services.directory.notifications(
      viewerOf(admission),
      readWindow(args, NOTIFICATIONS_BY_TIME),
    );
    return toConnection(page, NOTIFICATIONS_BY_TIME, placeByTime);
  }
}
