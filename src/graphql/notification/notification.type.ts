import { Field, ID, ObjectType } from 'type-graphql';
import { PageInfo } from '../connection/connection.type.js';
import { NodeInterface } from '../node/node.type.js';
import { DateTime } from '../scalars.js';

@ObjectType('Notification', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Something the viewer was told about (D24).',
})
export class NotificationObject {
  @Field(() => ID, { description: '`ntf_` and letters and digits.' }) id!: string;
  @Field(() => String, { description: 'What it is about, in one word.' }) kind!: string;
  @Field(() => String, { description: 'What it says.' }) message!: string;
  @Field(() => DateTime, { description: 'When it was made.' }) createdAt!: Date;
}

@ObjectType({ description: 'A notification in a list.', simpleResolvers: true })
class NotificationEdge {
  @Field(() => String, { description: 'Where it stands: a value for `after` or `before`.' })
  cursor!: string;
  @Field(() => NotificationObject, { description: 'The notification.' }) node!: NotificationObject;
}

@ObjectType({
  description: 'The viewer’s notifications in this workspace, newest first.',
  simpleResolvers: true,
})
export class NotificationConnection {
  @Field(() => [NotificationEdge], { description: 'The notifications with their cursors.' })
  edges!: NotificationEdge[];
  @Field(() => [NotificationObject], { description: 'The notifications.' })
  nodes!: NotificationObject[];
  @Field(() => PageInfo, { description: 'Where this part lies in the whole.' }) pageInfo!: PageInfo;
}
