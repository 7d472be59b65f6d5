import {
  Arg,
  Args,
  Ctx,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import type { Problem } from '../domain/errors.js';
import { shape } from '../domain/input/readers.js';
import { LABEL } from '../domain/posts/post-settings.js';
import { toProblem } from './post/user-error.js';
import { CLIENT_MUTATION_ID, DRY_RUN, optional } from './schema/descriptions.js';
import {
  badUserInput,
  PageInfo,
  ConnectionArgs,
  readWindow,
  toConnection,
  LABELS_BY_NAME,
  labelCursorKey,
} from './schema/connection.js';
import { NodeInterface } from './node.js';
import { viewerOf } from '../domain/access/viewer.js';
import type { GatewayContext } from './context.js';
import { RequiresScopes } from './schema/field-decorators.js';
import { MutationPayload, toPayload } from './schema/mutation.js';

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

const DRY_RUN_LABEL = { defaultValue: false, description: DRY_RUN };

@InputType({ description: 'Input of `updateLabel`. Fields that are omitted or null are kept.' })
export class UpdateLabelInput {
  @Field(() => ID, { description: 'ID of the label.' }) id!: string;
  @Field(() => String, optional('New name.')) name?: string | null;
  @Field(() => String, optional('New color, `#rrggbb`.')) color?: string | null;
  @Field(() => Boolean, DRY_RUN_LABEL) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@InputType({ description: 'Input of `mergeLabels`.' })
export class MergeLabelsInput {
  @Field(() => ID, { description: 'ID of the label that is deleted.' }) id!: string;
  @Field(() => ID, { description: 'ID of the label that its posts get instead.' }) intoId!: string;
  @Field(() => Boolean, DRY_RUN_LABEL) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@InputType({ description: 'Input of `deleteLabel`.' })
export class DeleteLabelInput {
  @Field(() => ID, { description: 'ID of the label.' }) id!: string;
  @Field(() => Boolean, DRY_RUN_LABEL) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `updateLabel`.', simpleResolvers: true })
class UpdateLabelPayload extends MutationPayload {
  @Field(
    () => LabelObject,
    optional('Label after the change, or as it would be (dry run). Null if it was rejected.'),
  )
  label!: LabelObject | null;
}

@ObjectType({ description: 'Result of `mergeLabels`.', simpleResolvers: true })
class MergeLabelsPayload extends MutationPayload {
  @Field(() => LabelObject, optional('Label that the posts have now. Null if it was rejected.'))
  label!: LabelObject | null;
}

@ObjectType({ description: 'Result of `deleteLabel`.', simpleResolvers: true })
class DeleteLabelPayload extends MutationPayload {
  @Field(() => ID, optional('ID of the deleted label. Null if the deletion was rejected.'))
  deletedId!: string | null;
}

const readChange = shape<{ name?: string; color?: string }>({
  name: LABEL.name.read,
  color: LABEL.color.read,
});

/** @throws GatewayError BAD_USER_INPUT for a malformed name or color */
function readLabel({ name, color }: UpdateLabelInput): {
  readonly name?: string;
  readonly color?: string;
} {
  const problems: Problem[] = [];
  const change = { ...(name != null && { name }), ...(color != null && { color }) };
  const read = readChange(change, [], problems);
  if (problems.length > 0) throw badUserInput(problems.map(toProblem));
  return { ...(read?.name && { name: read.name }), ...(read?.color && { color: read.color }) };
}

@Resolver()
export class LabelResolver {
  @Mutation(() => UpdateLabelPayload, {
    description:
      'Renames or recolors a label on all posts that have it. Requires scope POSTS_WRITE and post-action access.',
  })
  @RequiresScopes([['posts:write']])
  async updateLabel(
    @Arg('input', () => UpdateLabelInput, { description: 'Label and changes to apply.' })
    input: UpdateLabelInput,
    @Ctx() context: GatewayContext,
  ) {
    const { id, dryRun } = input;
    const change = { id, ...readLabel(input), dryRun };
    const outcome = await context.services.labels.update(viewerOf(context.authentication), change);
    context.discardLoaders();
    return toPayload(outcome, input);
  }

  @Mutation(() => MergeLabelsPayload, {
    description:
      'Gives the posts of a label another one instead, and deletes the label. Each post gets a new version. Requires scope POSTS_WRITE and post-action access.',
  })
  @RequiresScopes([['posts:write']])
  async mergeLabels(
    @Arg('input', () => MergeLabelsInput, { description: 'Labels to merge.' })
    input: MergeLabelsInput,
    @Ctx() context: GatewayContext,
  ) {
    const { id, intoId, dryRun } = input;
    const viewer = viewerOf(context.authentication);
    const outcome = await context.services.labels.merge(viewer, { id, intoId, dryRun });
    context.discardLoaders();
    return toPayload(outcome, input);
  }

  @Mutation(() => DeleteLabelPayload, {
    description:
      'Removes a label from all posts that have it, and deletes it. Each post gets a new version. Requires scope POSTS_WRITE and post-action access.',
  })
  @RequiresScopes([['posts:write']])
  async deleteLabel(
    @Arg('input', () => DeleteLabelInput, { description: 'Label to delete.' })
    input: DeleteLabelInput,
    @Ctx() context: GatewayContext,
  ) {
    const { id, dryRun } = input;
    const viewer = viewerOf(context.authentication);
    const outcome = await context.services.labels.delete(viewer, { id, dryRun });
    context.discardLoaders();
    const { label, ...payload } = toPayload(outcome, input);
    return { ...payload, deletedId: label?.id ?? null };
  }

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
