import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import type { NetworkSync, Post } from '../../domain/posts/post.js';
import { EMPTY_PAGE, type PostView, type PostWith } from '../../domain/posts/post-query.js';
import { ConnectionArgs, readWindow, postOrder } from '../schema/connection.js';
import type { GatewayContext } from '../context.js';
import { JobObject } from '../job.js';
import { DependsOn } from '../schema/field-decorators.js';
import { PostConnection, DEFAULT_ORDER, toPostConnection } from './post-connection.js';
import { NetworkSyncObject } from './post-rights.type.js';
import { PostObject } from './post.type.js';
import { postSelection } from '../document/look-ahead.js';

/** Fields of a post that resolve to other records. */
@Resolver(() => PostObject)
export class PostRelationsResolver {
  @FieldResolver(() => PostObject, {
    nullable: true,
    description:
      'Series that the post is an occurrence of. Null if there is none or it is not visible to the viewer.',
  })
  @DependsOn('parentId')
  parent(
    @Root() post: PostWith<'parentId'>,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<Post | null> | null {
    return post.parentId === null ? null : loaders.post.load(post.parentId);
  }

  @FieldResolver(() => PostConnection, {
    description:
      'Occurrences of a series that are visible to the viewer, latest first. Empty for other posts.',
  })
  async occurrences(
    @Root() post: PostView,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = {
      filter: {},
      order: DEFAULT_ORDER,
      slice: { kind: 'window', ...readWindow(args, postOrder(DEFAULT_ORDER)) },
    } as const;
    const page = await context.loaders
      .occurrences(query, postSelection(context, info))
      .load(post.databaseId);
    return toPostConnection(page ?? EMPTY_PAGE, DEFAULT_ORDER);
  }
}

@Resolver(() => NetworkSyncObject)
export class NetworkSyncResolver {
  @FieldResolver(() => JobObject, {
    nullable: true,
    description: 'Job that sends the change to the network. Null after the job has expired.',
  })
  job(@Root() sync: NetworkSync, @Ctx() { loaders }: GatewayContext) {
    return sync.jobId === null ? null : loaders.job.load(sync.jobId);
  }
}
