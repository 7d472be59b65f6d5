import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Notification } from '../../services/workspaces/workspace-ports.js';
import type { GatewayContext } from '../context.js';
import { PostObject } from '../post/post.type.js';
import { RequiresScopes } from '../requires-scopes.js';
import { NotificationObject } from './notification.type.js';

@Resolver(() => NotificationObject)
export class NotificationResolver {
  @FieldResolver(() => PostObject, {
    nullable: true,
    description:
      'Post that the notification concerns. Null if there is none or it is not visible to the viewer. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  post(@Root() notification: Notification, @Ctx() { loaders }: GatewayContext) {
    return notification.postId === null ? null : loaders.post.load(notification.postId);
  }
}
