import { Field, ID, Int, ObjectType, Arg, Ctx, Info, Query, Resolver } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import type { ChangeKind } from '../domain/events/post-change.js';
import { ChangeKindEnum, DateTime } from './schema/enums.js';
import { RequiresScopes } from './schema/field-decorators.js';
import { PostObject } from './post/post.type.js';
import { viewerOf } from '../domain/access/viewer.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import type { GatewayContext } from './context.js';
import { optional } from './schema/descriptions.js';
import { changedPostFields } from './document/look-ahead.js';

@ObjectType('Change', {
  simpleResolvers: true,
  description: 'Change to the list of posts that the viewer can see.',
})
class ChangeObject {
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

const { changes: MAX_CHANGES } = REQUEST_LIMITS;

@Resolver()
export class ChangeResolver {
  @Query(() => ChangePage, {
    description:
      'Changes since a cursor to the posts that are visible to the viewer. Clients use them to keep a copy of the posts up to date. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async changes(
    @Arg('after', () => String, {
      nullable: true,
      description:
        '`nextCursor` of the previous page. If omitted, the page is empty, and its cursor marks the current position. A modified cursor is rejected with BAD_USER_INPUT. A cursor that is older than 30 days, or that was created before a backup was restored, is rejected with CURSOR_EXPIRED.',
    })
    after: string | null | undefined,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: MAX_CHANGES,
      description: `Maximum number of changes, 1 to ${MAX_CHANGES}.`,
    })
    first: number | null | undefined,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { authentication, services } = context;
    const { changes, ...page } = await services.changes.list(viewerOf(authentication), {
      after: after ?? null,
      first: first ?? MAX_CHANGES,
      fields: changedPostFields(context, info),
    });
    return { nodes: changes, ...page };
  }
}
