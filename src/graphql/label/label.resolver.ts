import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import { ConnectionArgs, readWindow, toConnection } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { LABELS_BY_NAME, labelCursorKey } from '../connection/list-orders.js';
import { RequiresScopes } from '../requires-scopes.js';
import { LabelConnection } from './label.type.js';

@Resolver()
export class LabelResolver {
  @Query(() => LabelConnection, {
    description:
      'Labels of the workspace, ordered by name (case-insensitive), except those that only other members’ private drafts have. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async labels(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { authentication, services: { workspaceRecords } }: GatewayContext,
  ) {
    const viewer = viewerOf(authentication);
    const page = await workspaceRecords.labels(viewer, readWindow(args, LABELS_BY_NAME));
    return {
      ...toConnection(page, LABELS_BY_NAME, labelCursorKey),
      totalCount: () => workspaceRecords.countLabels(viewer),
    };
  }
}
