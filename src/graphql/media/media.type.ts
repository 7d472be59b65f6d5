import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../connection/connection.type.js';
import { NodeInterface } from '../node/node.type.js';

@ObjectType('Media', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Media item, attached to a post or in the media library of the workspace.',
})
export class MediaObject {
  @Field(() => ID, {
    description:
      'ID: `med_` followed by letters and digits. For an item that a dry run would create, `dry_run_media_` and a number.',
  })
  id!: string;
  @Field(() => String, { description: 'Kind of media: photo, video, gif or document.' })
  type!: string;
  @Field(() => String, { description: 'HTTPS URL of the file. Called `path` in an update.' })
  url!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Alternative text. Called `caption` in an update.',
  })
  altText!: string | null;
  @Field(() => String, { nullable: true, description: 'Title of the media item.' }) title!:
    string | null;
}

@ObjectType({ description: 'Media item and its cursor in a list.', simpleResolvers: true })
class MediaEdge {
  @Field(() => String, { description: 'Cursor of this item, for `after` or `before`.' })
  cursor!: string;
  @Field(() => MediaObject, { description: 'Media item.' }) node!: MediaObject;
}

@ObjectType({ description: 'Page of the media library, newest first.', simpleResolvers: true })
export class MediaConnection {
  @Field(() => [MediaEdge], { description: 'Media items with their cursors.' }) edges!: MediaEdge[];
  @Field(() => [MediaObject], { description: 'Media items of this page.' }) nodes!: MediaObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
  @Field(() => Int, {
    description: 'Number of media items in the library. Counted only if selected.',
  })
  totalCount!: number;
}
