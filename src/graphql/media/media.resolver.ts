import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import { ConnectionArgs, readWindow, toConnection } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { MEDIA_BY_TIME, timeCursorKey } from '../connection/list-orders.js';
import { RequiresScopes } from '../requires-scopes.js';
import { MediaConnection } from './media.type.js';

@Resolver()
export class MediaResolver {
  @Query(() => MediaConnection, {
    description: 'Media library of the workspace, newest first. Requires scope MEDIA.',
  })
  @RequiresScopes([['media']])
  async media(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { authentication, services: { workspaceRecords } }: GatewayContext,
  ) {
    const { id } = viewerOf(authentication).workspace;
    const page = await workspaceRecords.media(id, readWindow(args, MEDIA_BY_TIME));
    return {
      ...toConnection(page, MEDIA_BY_TIME, timeCursorKey),
      totalCount: () => workspaceRecords.countMedia(id),
    };
  }
}
