import { Field, ID, ObjectType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { PageInfo } from './schema/connection.js';
import { NodeInterface } from './node.js';
import { DateTime } from './schema/enums.js';
import type { Notification } from '../domain/workspaces/workspace-records.js';
import type { GatewayContext } from './context.js';
import { PostObject } from './post/post.type.js';
import { RequiresScopes } from './schema/field-decorators.js';

@ObjectType('Notification', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Notification sent to the viewer.',
})
class NotificationObject {
  @Field(() => ID, { description: 'ID: `ntf_` followed by letters and digits.' }) id!: string;
  @Field(() => String, { description: 'Kind of notification.' }) kind!: string;
  @Field(() => String, { description: 'Text of the notification.' }) message!: string;
  @Field(() => DateTime, { description: 'Creation time.' }) createdAt!: Date;
}

@ObjectType({ description: 'Notification and its cursor in a list.', simpleResolvers: true })
class NotificationEdge {
  @Field(() => String, { description: 'Cursor of this item, for `after` or `before`.' })
  cursor!: string;
  @Field(() => NotificationObject, { description: 'Notification.' }) node!: NotificationObject;
}

@ObjectType({
  description: 'Page of the viewer’s notifications in the workspace, newest first.',
  simpleResolvers: true,
})
export class NotificationConnection {
  @Field(() => [NotificationEdge], { description: 'Notifications with their cursors.' })
  edges!: NotificationEdge[];
  @Field(() => [NotificationObject], { description: 'Notifications of this page.' })
  nodes!: NotificationObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
}

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
