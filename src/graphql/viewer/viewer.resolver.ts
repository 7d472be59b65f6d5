import { Args, Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { hasPostActions } from '../../domain/access/viewer.js';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { RateState } from '../../domain/access/rate-window.js';
import { ConnectionArgs, readWindow, toConnection } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { NOTIFICATIONS_BY_TIME, timeCursorKey } from '../connection/list-orders.js';
import { NotificationConnection } from '../notification/notification.type.js';
import { RequiresScopes } from '../requires-scopes.js';
import { RateLimitObject, ViewerObject } from './viewer.type.js';

@Resolver(() => ViewerObject)
export class ViewerResolver {
  @Query(() => ViewerObject, {
    description:
      'The authenticated user and API key. Works with any key and without `Service-Workspace-Id`.',
  })
  @RequiresScopes([], { workspace: false })
  viewer(@Ctx() { authentication: { caller, workspace } }: GatewayContext) {
    const { user, plan, key } = caller;
    const member = workspace.kind === 'member' ? workspace.viewer : null;
    return {
      user,
      plan,
      key,
      scopes: key.scopes,
      workspace: member?.workspace ?? null,
      role: member?.role ?? null,
      postActions: member !== null && hasPostActions(member),
    };
  }

  @Query(() => RateLimitObject, {
    description:
      'Rate limit of the user, with this request counted. Works with any key and without `Service-Workspace-Id`.',
  })
  @RequiresScopes([], { workspace: false })
  rateLimit(@Ctx() { authentication }: GatewayContext): RateState {
    return authentication.rate;
  }

  @FieldResolver(() => NotificationConnection, {
    description:
      'Notifications of the viewer in the workspace, newest first. Works with any key; requires `Service-Workspace-Id`.',
  })
  @RequiresScopes([])
  async notifications(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const page = await services.workspaceRecords.notifications(
      viewerOf(authentication),
      readWindow(args, NOTIFICATIONS_BY_TIME),
    );
    return toConnection(page, NOTIFICATIONS_BY_TIME, timeCursorKey);
  }
}
