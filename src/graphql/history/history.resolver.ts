import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { HistoryEntry } from '../../domain/history/history-entry.js';
import type { PostView } from '../../domain/posts/post-query.js';
import type { HistoryPage } from '../../services/history/history.js';
import { readWindow, toConnection, type ListOrder } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { enumName } from '../enums.js';
import { PostObject } from '../post/post.type.js';
import { HistoryArgs, HistoryConnection } from './history.type.js';

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
