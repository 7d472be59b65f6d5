import { Arg, Args, Ctx, ID, Info, Query, Resolver } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import { ConnectionArgs, readWindow } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { postOrder } from '../connection/list-orders.js';
import { RequiresScopes } from '../requires-scopes.js';
import { postFields, postSelection } from '../selection/selection.js';
import { PostConnection } from './post-connection.type.js';
import { DEFAULT_ORDER, toPostConnection } from './post-page.js';
import { PostFilter, PostOrder } from './post.input.js';
import { PostObject } from './post.type.js';
import { readFilter } from './read-filter.js';

@Resolver()
export class PostQueriesResolver {
  @Query(() => PostObject, {
    nullable: true,
    description:
      'A post by ID. Fails with POST_NOT_FOUND if no post has this ID and with FORBIDDEN if the post is not accessible in the workspace. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  post(
    @Arg('id', () => ID, { description: 'ID or database ID of the post.' }) id: string,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { authentication, services } = context;
    return services.posts.get(viewerOf(authentication), id, postFields(context, info));
  }

  @Query(() => PostConnection, {
    description:
      'Posts of the workspace, by default ordered by scheduled time, latest first. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async posts(
    @Arg('filter', () => PostFilter, {
      nullable: true,
      description: 'Filter of the list. All posts if omitted.',
    })
    filter: PostFilter | null | undefined,
    @Arg('orderBy', () => PostOrder, {
      nullable: true,
      description: 'Order of the list. SCHEDULED_AT DESC if omitted.',
    })
    orderBy: PostOrder | null | undefined,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { authentication, services } = context;
    const order = orderBy ?? DEFAULT_ORDER;
    const slice = { kind: 'window', ...readWindow(args, postOrder(order)) } as const;
    const page = await services.posts.list(
      viewerOf(authentication),
      { filter: readFilter(filter ?? {}), order, slice },
      postSelection(context, info),
    );
    return toPostConnection(page, order);
  }
}
