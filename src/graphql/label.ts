import { Field, ID, Int, ObjectType, Args, Ctx, Query, Resolver } from 'type-graphql';
import { PageInfo, ConnectionArgs, readWindow, toConnection } from './schema/connection.js';
import { NodeInterface } from './node.js';
import { viewerOf } from '../domain/access/workspace-access.js';
import type { GatewayContext } from './context.js';
import { LABELS_BY_NAME, labelCursorKey } from './schema/cursor.js';
import { RequiresScopes } from './schema/field-decorators.js';

@ObjectType('Label', {
  implements: NodeInterface,
  simpleResolvers: true,
  description:
    'Label of a workspace. Label names are unique within a workspace (case-insensitive).',
})
export class LabelObject {
  @Field(() => ID, {
    description:
      'ID: `lbl_` followed by letters and digits. For a label that a dry run would create, `dry_run_label_` and a number.',
  })
  id!: string;
  @Field(() => String, { description: 'Name of the label.' }) name!: string;
  @Field(() => String, { description: 'Color of the label, `#rrggbb`.' }) color!: string;
}

@ObjectType({ description: 'Label and its cursor in a list.', simpleResolvers: true })
class LabelEdge {
  @Field(() => String, { description: 'Cursor of this item, for `after` or `before`.' })
  cursor!: string;
  @Field(() => LabelObject, { description: 'Label.' }) node!: LabelObject;
}

@ObjectType({
  description: 'Page of labels, ordered by name (case-insensitive).',
  simpleResolvers: true,
})
class LabelConnection {
  @Field(() => [LabelEdge], { description: 'Labels with their cursors.' }) edges!: LabelEdge[];
  @Field(() => [LabelObject], { description: 'Labels of this page.' }) nodes!: LabelObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
  @Field(() => Int, {
    description: 'Number of labels in all pages. Counted only if selected.',
  })
  totalCount!: number;
}

@Resolver()
export class LabelResolver {
  @Query(() => LabelConnection, {
    description:
      'Labels of the workspace, ordered by name (case-insensitive), except those that only other members’ private drafts have. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async labels(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { authentication, services: { workspaceRecords } }: GatewayContext,
  ) {
    const viewer = viewerOf(authentication);
    const page = await workspaceRecords.labels(viewer, readWindow(args, LABELS_BY_NAME));
    return {
      ...toConnection(page, LABELS_BY_NAME, labelCursorKey),
      totalCount: () => workspaceRecords.countLabels(viewer),
    };
  }
}
