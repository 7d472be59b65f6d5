import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ChangeKind } from '../../domain/events/post-change.js';
import { ChangeKindEnum } from '../enums.js';
import { optional } from '../optional.js';
import { PostObject } from '../post/post.type.js';
import { DateTime } from '../scalars.js';

@ObjectType('Change', {
  simpleResolvers: true,
  description: 'Change to the list of posts that the viewer can see.',
})
export class ChangeObject {
  @Field(() => ChangeKindEnum, { description: 'What to do with the copy of the post.' })
  kind!: ChangeKind;
  @Field(() => ID, { description: 'ID of the post.' }) postId!: string;
  @Field(() => Int, optional('Version of the post. For a deleted post, its last version.'))
  version!: number | null;
  @Field(() => DateTime, { description: 'Time of the change.' }) at!: Date;
  @Field(() => PostObject, optional('Current content of the post. Null if it was deleted.'))
  post!: PostObject | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Page of changes, in the order in which they happened. Each post has one change, which contains its current content.',
})
export class ChangePage {
  @Field(() => [ChangeObject], {
    description: 'Changes. There can be fewer than requested, or none, even if `hasMore` is true.',
  })
  nodes!: readonly ChangeObject[];
  @Field(() => String, {
    description:
      'Cursor to send as `after` to continue. Store it after you have applied the changes.',
  })
  nextCursor!: string;
  @Field(() => Boolean, { description: 'Whether more changes can be read now.' })
  hasMore!: boolean;
}
