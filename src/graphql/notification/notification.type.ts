import { Field, ID, ObjectType } from 'type-graphql';
import { PageInfo } from '../connection/connection.type.js';
import { NodeInterface } from '../node/node.type.js';
import { DateTime } from '../scalars.js';

@ObjectType('Notification', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Notification sent to the viewer.',
})
export class NotificationObject {
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
