import { Arg, Args, Ctx, ID, Info, Query, Resolver } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { viewerOf } from '../../domain/access/identity.js';
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
      'One post. POST_NOT_FOUND where no post has that id, FORBIDDEN where it is not accessible in this workspace (D18). Scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  post(
    @Arg('id', () => ID, { description: 'Either of its ids (D3).' }) id: string,
    @Ctx() { admission, services }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return services.posts.get(viewerOf(admission), id, postFields(info));
  }

  @Query(() => PostConnection, {
    description:
      'Posts of the workspace, newest scheduled first unless ordered otherwise (List posts; D14). Scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async posts(
    @Arg('filter', () => PostFilter, {
      nullable: true,
      description: 'What the list is narrowed to.',
    })
    filter: PostFilter | null | undefined,
    @Arg('orderBy', () => PostOrder, {
      nullable: true,
      description: 'Its order; SCHEDULED_AT DESC when left out.',
    })
    orderBy: PostOrder | null | undefined,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { admission, services }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const order = orderBy ?? DEFAULT_ORDER;
    const slice = { kind: 'window', ...readWindow(args, postOrder(order)) } as const;
    const page = await services.posts.list(
      viewerOf(admission),
      { filter: readFilter(filter ?? {}), order, slice },
      postSelection(info),
    );
    return toPostConnection(page, order);
  }
}
