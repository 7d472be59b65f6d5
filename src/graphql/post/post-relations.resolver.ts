import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { deletability, type DeleteSubject } from '../../domain/delete-rules.js';
import { editability, type FieldEditability } from '../../domain/edit-rules.js';
import type { NetworkSync, Post } from '../../domain/post.js';
import type { PostView } from '../../domain/post-query.js';
import { viewerOf } from '../../domain/identity.js';
import { ConnectionArgs, readWindow } from '../connection.js';
import type { GatewayContext } from '../context.js';
import { JobObject } from '../job/job.type.js';
import { postOrder } from '../list-orders.js';
import { Reads } from '../reads.js';
import { postSelection } from '../selection.js';
import { PostConnection } from './post-connection.type.js';
import { DEFAULT_ORDER, NO_POSTS, toPostConnection } from './post-page.js';
import { DeletabilityObject, FieldEditabilityObject, NetworkSyncObject } from './post-rights.type.js';
import { PostObject } from './post.type.js';

/** The fields of a post that ask the law about the viewer, or lead to other posts. */
@Resolver(() => PostObject)
export class PostRelationsResolver {
  @FieldResolver(() => [FieldEditabilityObject], { description: 'One for each field of PostPatch: whether this viewer may change it now, and where the change goes.' })
  editability(@Root() post: PostView, @Ctx() { admission }: GatewayContext): FieldEditability[] {
    return editability(post, viewerOf(admission));
  }

  @FieldResolver(() => DeletabilityObject, { description: 'Whether this viewer may delete it now, and if not, why.' })
  @Reads('hasQueuedChild')
  deletability(@Root() post: DeleteSubject, @Ctx() { admission }: GatewayContext) {
    const refusal = deletability(post, viewerOf(admission));
    return { allowed: refusal === null, code: refusal?.code ?? null, reason: refusal?.message ?? null };
  }

  @FieldResolver(() => PostObject, { nullable: true, description: 'The series it is a child of; null where there is none or it is not visible (D13, D17).' })
  parent(@Root() post: PostView, @Ctx() { loaders }: GatewayContext): Promise<Post | null> | null {
    return post.parentId === null ? null : loaders.post.load(post.parentId);
  }

  @FieldResolver(() => PostConnection, { description: 'Children of a series that the viewer sees, latest first; empty on any other post (D17).' })
  async occurrences(@Root() post: PostView, @Args(() => ConnectionArgs) args: ConnectionArgs, @Ctx() { loaders }: GatewayContext, @Info() info: GraphQLResolveInfo) {
    const query = { filter: {}, order: DEFAULT_ORDER, slice: { kind: 'window', ...readWindow(args, postOrder(DEFAULT_ORDER)) } } as const;
    const page = await loaders.occurrences(query, postSelection(info)).load(post.databaseId);
    return toPostConnection(page ?? NO_POSTS, DEFAULT_ORDER);
  }
}

@Resolver(() => NetworkSyncObject)
export class NetworkSyncResolver {
  @FieldResolver(() => JobObject, { nullable: true, description: 'The job that brings the change to the network; null once it is no longer kept (D42).' })
  job(@Root() sync: NetworkSync, @Ctx() { loaders }: GatewayContext) {
    return sync.jobId === null ? null : loaders.job.load(sync.jobId);
  }
}
