import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../connection/connection.type.js';
import { NodeInterface } from '../node/node.type.js';

@ObjectType('Media', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'A media item, on a post or in the workspace’s library.',
})
export class MediaObject {
  @Field(() => ID, { description: '`med_` and letters and digits.' }) id!: string;
  @Field(() => String, { description: 'photo, video, gif or document (D6).' }) type!: string;
  @Field(() => String, { description: 'https URL; an update’s `path` (D20).' }) url!: string;
  @Field(() => String, { nullable: true, description: 'What it shows; an update’s `caption`.' })
  altText!: string | null;
  @Field(() => String, { nullable: true, description: 'Title.' }) title!: string | null;
}

@ObjectType({ description: 'A media item in a list.', simpleResolvers: true })
class MediaEdge {
  @Field(() => String, { description: 'Where it stands: a value for `after` or `before`.' })
  cursor!: string;
  @Field(() => MediaObject, { description: 'The media item.' }) node!: MediaObject;
}

@ObjectType({ description: 'The workspace’s media library, newest first.', simpleResolvers: true })
export class MediaConnection {
  @Field(() => [MediaEdge], { description: 'The media with their cursors.' }) edges!: MediaEdge[];
  @Field(() => [MediaObject], { description: 'The media.' }) nodes!: MediaObject[];
  @Field(() => PageInfo, { description: 'Where this part lies in the whole.' }) pageInfo!: PageInfo;
  @Field(() => Int, {
    description: 'Media of the library in all; costs nothing when not asked for.',
  })
  totalCount!: number;
}
