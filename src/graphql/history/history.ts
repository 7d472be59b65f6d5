import {
  ArgsType,
  Field,
  Int,
  ObjectType,
  Args,
  Ctx,
  FieldResolver,
  Resolver,
  Root,
} from 'type-graphql';
import type { ApiKind } from '../../domain/access/viewer.js';
import type { PostEventType } from '../../domain/events/event.js';
import {
  PAGE_SIZE,
  PageInfo,
  readWindow,
  toConnection,
  type ListOrder,
} from '../schema/connection.js';
import { ApiKindEnum, EventTypeEnum, DateTime, Json, enumName } from '../schema/enums.js';
import { UserObject } from '../workspace.js';
import type { HistoryEntry } from '../../domain/history/history-entry.js';
import type { PostView } from '../../domain/posts/post-query.js';
import type { HistoryPage } from '../../services/history/history.js';
import type { GatewayContext } from '../context.js';
import { PostObject } from '../post/post.type.js';
import { optional } from '../schema/descriptions.js';

@ArgsType()
class HistoryArgs {
  @Field(
    () => Int,
    optional(`Number of entries, 1 to ${PAGE_SIZE.max}, ${PAGE_SIZE.default} if omitted.`),
  )
  first?: number | null;
  @Field(
    () => String,
    optional(
      'Returns entries after this cursor. A cursor that was modified or belongs to another post is rejected with BAD_USER_INPUT.',
    ),
  )
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Field of a post before and after a change.' })
class FieldChange {
  @Field(() => String, { description: 'Name of the field of Post.' }) field!: string;
  @Field(
    () => Json,
    optional(
      'Value before the change. Always null in the change that made the post visible to the viewer.',
    ),
  )
  before!: unknown;
  @Field(() => Json, optional('Value after the change.')) after!: unknown;
}

@ObjectType('HistoryEntry', {
  simpleResolvers: true,
  description: 'Change of a post.',
})
class HistoryEntryObject {
  @Field(() => Int, { description: 'Version of the post after the change.' }) version!: number;
  @Field(() => EventTypeEnum, { description: 'What happened.' }) type!: PostEventType;
  @Field(() => DateTime, { description: 'Time of the change.' }) at!: Date;
  @Field(
    () => UserObject,
    optional('User who made the change. Null if the gateway or an operator made it.'),
  )
  user!: UserObject | null;
  @Field(() => ApiKindEnum, {
    description:
      'How the change reached the gateway. SERVICE if this is unknown, as for changes made with earlier releases.',
  })
  api!: ApiKind;
  @Field(() => String, optional('What the user wrote about the change.')) note!: string | null;
  @Field(() => [FieldChange], {
    description: 'Changed fields. Empty for the creation of the post.',
  })
  changes!: readonly FieldChange[];
}

@ObjectType({ description: 'Change of a post and its cursor.', simpleResolvers: true })
class HistoryEdge {
  @Field(() => String, { description: 'Cursor of this entry, for `after`.' }) cursor!: string;
  @Field(() => HistoryEntryObject, { description: 'Change.' }) node!: HistoryEntryObject;
}

@ObjectType({ description: 'Page of the history of a post, newest first.', simpleResolvers: true })
class HistoryConnection {
  @Field(() => [HistoryEdge], { description: 'Changes with their cursors.' })
  edges!: HistoryEdge[];
  @Field(() => [HistoryEntryObject], { description: 'Changes of this page.' })
  nodes!: HistoryEntryObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
}

const NO_HISTORY: HistoryPage = { entries: [], hasNextPage: false };

/** The history of one post. A cursor is valid for this post only. */
const historyOrder = (postId: string): ListOrder<{ version: number }> => ({
  name: `history:${postId}`,
  toPosition: ({ id }) =>
    typeof id === 'number' && Number.isInteger(id) && id >= 1 ? { version: id } : null,
});

/** Fields of Post that are enums: their values are JSON here, which no enum type converts. */
const ENUM_FIELDS: ReadonlySet<string> = new Set(['state', 'type']);
const presentValue = (field: string, value: unknown): unknown =>
  ENUM_FIELDS.has(field) && typeof value === 'string' ? enumName(value) : value;

const presentEntry = (entry: HistoryEntry) => ({
  ...entry,
  changes: entry.changes.map(({ field, before, after }) => ({
    field,
    before: presentValue(field, before),
    after: presentValue(field, after),
  })),
});

@Resolver(() => PostObject)
export class HistoryResolver {
  @FieldResolver(() => HistoryConnection, {
    description:
      'Changes of the post, newest first. For members other than its creator, the history begins with the change that made the post visible to them.',
  })
  async history(
    @Root() post: PostView,
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Ctx() { loaders }: GatewayContext,
  ) {
    const order = historyOrder(post.id);
    const { limit, after } = readWindow(args, order);
    const window = { limit, ...(after && { before: after.version }) };
    const { entries, hasNextPage } =
      (await loaders.history(window).load(post.databaseId)) ?? NO_HISTORY;
    const page = {
      items: entries.map(presentEntry),
      hasNextPage,
      hasPreviousPage: after !== undefined,
    };
    return toConnection(page, order, ({ version }) => ({ sortValue: null, id: version }));
  }
}
