import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import type { NetworkSync, Post } from '../../domain/posts/post.js';
import type { PostView, PostWith } from '../../domain/posts/post-query.js';
import { ConnectionArgs, readWindow } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { JobObject } from '../job/job.type.js';
import { postOrder } from '../connection/list-orders.js';
import { Reads } from '../selection/row-fields.js';
import { postSelection } from '../selection/selection.js';
import { PostConnection } from './post-connection.type.js';
import { DEFAULT_ORDER, NO_POSTS, toPostConnection } from './post-page.js';
import { NetworkSyncObject } from './post-rights.type.js';
import { PostObject } from './post.type.js';

/** The fields of a post that lead to other records. */
@Resolver(() => PostObject)
export class PostRelationsResolver {
  @FieldResolver(() => PostObject, {
    nullable: true,
    description:
      'The series it is a child of; null where there is none or it is not visible (D13, D17).',
  })
  @Reads('parentId')
  parent(
    @Root() post: PostWith<'parentId'>,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<Post | null> | null {
    return post.parentId === null ? null : loaders.post.load(post.parentId);
  }

  @FieldResolver(() => PostConnection, {
    description:
      'Children of a series that the viewer sees, latest first; empty on any other post (D17).',
  })
  async occurrences(
    @Root() post: PostView,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = {
      filter: {},
      order: DEFAULT_ORDER,
      slice: { kind: 'window', ...readWindow(args, postOrder(DEFAULT_ORDER)) },
    } as const;
    const page = await loaders.occurrences(query, postSelection(info)).load(post.databaseId);
    return toPostConnection(page ?? NO_POSTS, DEFAULT_ORDER);
  }
}

@Resolver(() => NetworkSyncObject)
export class NetworkSyncResolver {
  @FieldResolver(() => JobObject, {
    nullable: true,
    description:
      'The job that brings the change to the network; null once it is no longer kept (D42).',
  })
  job(@Root() sync: NetworkSync, @Ctx() { loaders }: GatewayContext) {
    return sync.jobId === null ? null : loaders.job.load(sync.jobId);
  }
}
