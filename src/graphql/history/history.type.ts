import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { ApiKind } from '../../domain/events/actor.js';
import type { PostEventType } from '../../domain/events/event-types.js';
import { PAGE_SIZE } from '../connection/connection.js';
import { PageInfo } from '../connection/connection.type.js';
import { ApiKindEnum, EventTypeEnum } from '../enums.js';
import { optional } from '../optional.js';
import { DateTime, Json } from '../scalars.js';
import { UserObject } from '../workspace/workspace.type.js';

@ArgsType()
export class HistoryArgs {
  @Field(
    () => Int,
    optional(`Number of entries, 1 to ${PAGE_SIZE.max}, ${PAGE_SIZE.default} if omitted.`),
  )
  first?: number | null;
  @Field(
    () => String,
    optional(
      'Returns entries after this cursor. A cursor that was modified or belongs to another post is rejected with BAD_USER_INPUT.',
    ),
  )
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Field of a post before and after a change.' })
class FieldChange {
  @Field(() => String, { description: 'Name of the field of Post.' }) field!: string;
  @Field(
    () => Json,
    optional(
      'Value before the change. Always null in the change that made the post visible to the viewer.',
    ),
  )
  before!: unknown;
  @Field(() => Json, optional('Value after the change.')) after!: unknown;
}

@ObjectType('HistoryEntry', {
  simpleResolvers: true,
  description: 'Change of a post.',
})
export class HistoryEntryObject {
  @Field(() => Int, { description: 'Version of the post after the change.' }) version!: number;
  @Field(() => EventTypeEnum, { description: 'What happened.' }) type!: PostEventType;
  @Field(() => DateTime, { description: 'Time of the change.' }) at!: Date;
  @Field(
    () => UserObject,
    optional('User who made the change. Null if the gateway or an operator made it.'),
  )
  user!: UserObject | null;
  @Field(() => ApiKindEnum, {
    description:
      'How the change reached the gateway. SERVICE if this is unknown, as for changes made with earlier releases.',
  })
  api!: ApiKind;
  @Field(() => String, optional('What the user wrote about the change.')) note!: string | null;
  @Field(() => [FieldChange], {
    description: 'Changed fields. Empty for the creation of the post.',
  })
  changes!: readonly FieldChange[];
}

@ObjectType({ description: 'Change of a post and its cursor.', simpleResolvers: true })
class HistoryEdge {
  @Field(() => String, { description: 'Cursor of this entry, for `after`.' }) cursor!: string;
  @Field(() => HistoryEntryObject, { description: 'Change.' }) node!: HistoryEntryObject;
}

@ObjectType({ description: 'Page of the history of a post, newest first.', simpleResolvers: true })
export class HistoryConnection {
  @Field(() => [HistoryEdge], { description: 'Changes with their cursors.' })
  edges!: HistoryEdge[];
  @Field(() => [HistoryEntryObject], { description: 'Changes of this page.' })
  nodes!: HistoryEntryObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
}
