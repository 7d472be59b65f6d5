import { Arg, Ctx, Info, Int, Query, Resolver } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { changedPostFields } from '../selection/selection.js';
import { ChangePage } from './change.type.js';

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
