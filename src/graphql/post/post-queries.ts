import { Arg, Args, Ctx, Field, ID, Info, InputType, Int, Query, Resolver } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import type { Network } from '../../domain/networks/networks.js';
import type { PublicationStatus } from '../../domain/publishing/publication-record.js';
import type { PostState, StateFilter } from '../../domain/posts/states.js';
import type { OrderDirection, OrderField, PostType } from '../../domain/enums.js';
import {
  NetworkEnum,
  OrderDirectionEnum,
  PostOrderFieldEnum,
  PostStateEnum,
  PostStateFilterEnum,
  PostTypeEnum,
  PublicationStatusEnum,
  DateTime,
} from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';
import type { Problem } from '../../domain/errors.js';
import { codePoints, unstorableProblems } from '../../domain/input/readers.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import type { PostFilter as ListFilter } from '../../domain/posts/post-query.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { badUserInput, ConnectionArgs, readWindow, postOrder } from '../schema/connection.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { PostConnection, DEFAULT_ORDER, toPostConnection } from './post-connection.js';
import { PostObject } from './post.type.js';
import { postFields, postSelection } from '../document/look-ahead.js';

@InputType({
  description:
    'Filter of a list of posts. Omitted or empty fields do not filter; several fields are combined with AND. Each list accepts up to 1,000 values.',
})
class PostFilter {
  @Field(() => [PostStateFilterEnum], optional('Posts in any of these states or groups of states.'))
  states?: StateFilter[] | null;
  @Field(
    () => [PostStateEnum],
    optional(
      'Posts whose `state` is one of these, as facets count them. In `states`, SCHEDULED and the other names of groups also match their sub-states.',
    ),
  )
  exactStates?: PostState[] | null;
  @Field(() => [PostTypeEnum], optional('Posts of these types.')) types?: PostType[] | null;
  @Field(() => [NetworkEnum], optional('Posts of these networks.')) networks?: Network[] | null;
  @Field(() => [ID], optional('Posts of these accounts. Unknown IDs match nothing.')) accountIds?:
    string[] | null;
  @Field(() => ID, optional('Posts created by this user. An unknown ID matches nothing.'))
  memberId?: string | null;
  @Field(() => [ID], optional('Posts with any of these labels. Unknown IDs match nothing.'))
  labelIds?: string[] | null;
  @Field(
    () => [ID],
    optional(
      'Posts that were created together, which share a `groupId`. Unknown IDs match nothing.',
    ),
  )
  groupIds?: string[] | null;
  @Field(
    () => [PublicationStatusEnum],
    optional('Posts whose publication has any of these statuses.'),
  )
  publication?: PublicationStatus[] | null;
  @Field(
    () => DateTime,
    optional('Posts scheduled at this time or later. Can be used without `to`.'),
  )
  from?: Date | null;
  @Field(
    () => DateTime,
    optional('Posts scheduled at this time or earlier. Must not be before `from`.'),
  )
  to?: Date | null;
  @Field(
    () => String,
    optional(
      'Search query, up to 1,000 characters. Every word must occur in the text, title, excerpt, article content, tags, categories, poll question, poll options, link title or alternative texts, ignoring case and accents. Words of three letters or more also match longer words that begin with them. Quotes search for a phrase of whole words, a leading minus excludes a word or phrase.',
    ),
  )
  query?: string | null;
  @Field(
    () => Int,
    optional('Posts whose `analytics.engagement` is known, and at least this number, 0 or more.'),
  )
  minEngagement?: number | null;
}

@InputType({
  description:
    'Order of a list of posts. Undated posts come last in both directions; ties are ordered by ID.',
})
class PostOrder {
  @Field(() => PostOrderFieldEnum, {
    defaultValue: 'scheduled_at',
    description: 'Field to order by.',
  })
  field!: OrderField;
  @Field(() => OrderDirectionEnum, { defaultValue: 'desc', description: 'Sort direction.' })
  direction!: OrderDirection;
}

/** Prevents queries with hundreds of thousands of IDs. */
const MAX_VALUES = 1_000;
/** Replaces malformed IDs: like an unknown ID, it matches nothing (D3, D15). */
const UNMATCHED_ID = '-';

const toMatchableIds = (prefix: string, ids: readonly string[]): string[] =>
  ids.map((id) => (isPrefixedId(prefix, id) ? id : UNMATCHED_ID));

/** Reads the filter of a list. @throws GatewayError BAD_USER_INPUT with every problem */
function readFilter(input: PostFilter): ListFilter {
  const problems = findProblems(input);
  if (problems.length > 0) throw badUserInput(problems);
  const { states, exactStates, types, networks, accountIds, memberId, labelIds } = input;
  const { groupIds, publication, from, to, query, minEngagement } = input;
  return {
    states: states ?? [],
    exactStates: exactStates ?? [],
    types: types ?? [],
    networks: networks ?? [],
    accountIds: toMatchableIds('acc', accountIds ?? []),
    labelIds: toMatchableIds('lbl', labelIds ?? []),
    groupIds: toMatchableIds('grp', groupIds ?? []),
    publication: publication ?? [],
    ...(memberId != null && { memberId: toMatchableIds('usr', [memberId])[0]! }),
    ...(from && { from }),
    ...(to && { to }),
    ...(query && { query }),
    ...(minEngagement != null && { minEngagement }),
  };
}

function findProblems(input: PostFilter): Problem[] {
  const problems: Problem[] = [];
  const addProblem = (field: string, message: string): void =>
    void problems.push({ path: ['filter', field], message: `filter.${field} ${message}` });
  for (const field of [
    'states',
    'exactStates',
    'types',
    'networks',
    'accountIds',
    'labelIds',
    'groupIds',
    'publication',
  ] as const) {
    if ((input[field]?.length ?? 0) > MAX_VALUES)
      addProblem(field, `may have at most ${MAX_VALUES} values.`);
  }
  const { from, to, query, minEngagement } = input;
  if (from && to && from > to) addProblem('from', 'must not be after filter.to.');
  if (query && codePoints(query) > REQUEST_LIMITS.query)
    addProblem('query', `may have at most ${REQUEST_LIMITS.query} characters.`);
  if (query && unstorableProblems(query).length > 0)
    addProblem('query', 'must be text without NUL characters and lone surrogates.');
  if (minEngagement != null && minEngagement < 0) addProblem('minEngagement', 'must be 0 or more.');
  return problems;
}

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
    const page = await services.visiblePosts.list(
      viewerOf(authentication),
      { filter: readFilter(filter ?? {}), order, slice },
      postSelection(context, info),
    );
    return toPostConnection(page, order);
  }
}
