import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ApiKind } from '../../domain/events/actor.js';
import type { EventType } from '../../domain/events/event-types.js';
import type { PostState } from '../../domain/posts/states.js';
import { ApiKindEnum, EventTypeEnum, PostStateEnum } from '../enums.js';
import { optional } from '../optional.js';
import { PostObject } from '../post/post.type.js';
import { DateTime } from '../scalars.js';
import { UserObject } from '../workspace/workspace.type.js';

@ObjectType('Event', {
  simpleResolvers: true,
  description: 'Effect of a change on one post, account, job or other record of the workspace.',
})
export class EventObject {
  @Field(() => ID, {
    description: 'ID: `evt_` followed by letters and digits. The same in every stream.',
  })
  id!: string;
  @Field(() => EventTypeEnum, {
    description:
      'What happened. POST_DELETED also stands for a change that hid the post from the viewer.',
  })
  type!: EventType;
  @Field(() => DateTime, { description: 'Time of the change.' }) at!: Date;
  @Field(() => Int, optional('Version of the post after the change. Null for other records.'))
  version!: number | null;
  @Field(
    () => UserObject,
    optional('User who made the change. Null if the gateway or an operator made it.'),
  )
  user!: UserObject | null;
  @Field(() => ApiKindEnum, { description: 'How the change reached the gateway.' })
  api!: ApiKind;
  @Field(() => ID, optional('ID of the post. Null if the event does not concern a post.'))
  postId!: string | null;
  @Field(
    () => PostObject,
    optional(
      'Current content of the post, which can be newer than the event. Null if the post was deleted.',
    ),
  )
  post!: PostObject | null;
  @Field(() => ID, optional('ID of the account, or of the account of the post.'))
  accountId!: string | null;
  @Field(() => [String], { description: 'Names of the fields of the post that changed.' })
  fields!: readonly string[];
  @Field(
    () => PostStateEnum,
    optional('State of the post before the change. Null if the viewer could not see the post.'),
  )
  stateBefore!: PostState | null;
  @Field(
    () => PostStateEnum,
    optional('State of the post after the change. Null if the post was deleted.'),
  )
  stateAfter!: PostState | null;
  @Field(() => String, {
    description:
      'Cursor to send as `after`, to `events` or `changes`, to continue after this event.',
  })
  cursor!: string;
}
