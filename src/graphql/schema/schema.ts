import 'reflect-metadata'; // before any decorator runs
import {
  isObjectType,
  GraphQLSchema,
  GraphQLObjectType,
  specifiedDirectives,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
} from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import { AccountResolver } from '../account.js';
import { AccountAnalyticsResolver, PostAnalyticsResolver } from '../analytics.js';
import { ConnectionChoiceResolver, ConnectionResolver } from '../connections/connection.js';
import { CalendarFeedResolver } from '../calendar-feed.js';
import { ConnectLinkResolver } from '../connections/connect-link.js';
import { AccountConnectionResolver } from '../connections/account-connection.js';
import { ChangeResolver } from '../feed.js';
import { EventResolver } from '../event.js';
import { HistoryResolver } from '../history/history.js';
import { RevertResolver } from '../history/revert.js';
import { JobResolver } from '../job.js';
import { LabelResolver } from '../label.js';
import { MediaFileResolver, MediaResolver } from '../media/media.js';
import { MediaMutationsResolver } from '../media/media-mutations.js';
import { NetworkResolver } from '../network.js';
import { NodeResolver } from '../node.js';
import { NotificationResolver } from '../notification.js';
import { PostActionsResolver } from '../post/actions/post-actions.js';
import { CreatePostsResolver } from '../post/create-posts.js';
import { DeletePostsResolver } from '../post/delete-posts.js';
import { UpdatePostResolver } from '../post/update-post.js';
import { PostQueriesResolver } from '../post/post-queries.js';
import { NetworkSyncResolver, PostRelationsResolver } from '../post/post-relations.js';
import { AccountPostingScheduleResolver, PostingScheduleResolver } from '../posting-schedule.js';
import { ViewerResolver } from '../viewer.js';
import { WebhookMutationsResolver } from '../webhook/webhook-mutations.js';
import { WebhookResolver } from '../webhook/webhook.js';
import { WorkspaceResolver } from '../workspace.js';
import { guardPayloads } from '../document/read-rights.js';
import { completeResolvers, requiresScopesDirective, resolverOf } from './field-decorators.js';

/** TypeGraphQL requires one for subscriptions, even if all of them provide their own events. */
const NO_PUB_SUB: PubSub = {
  publish() {},
  subscribe() {
    throw new Error('Subscriptions provide their own events.');
  },
};

/** The resolvers, in the order of their fields in the root types. */
const RESOLVERS: NonEmptyArray<Function> = [
  AccountResolver,
  AccountAnalyticsResolver,
  AccountConnectionResolver,
  ConnectionChoiceResolver,
  ConnectionResolver,
  ConnectLinkResolver,
  CalendarFeedResolver,
  ChangeResolver,
  EventResolver,
  HistoryResolver,
  RevertResolver,
  JobResolver,
  LabelResolver,
  MediaResolver,
  MediaFileResolver,
  MediaMutationsResolver,
  NetworkResolver,
  NodeResolver,
  NotificationResolver,
  PostQueriesResolver,
  PostActionsResolver,
  UpdatePostResolver,
  CreatePostsResolver,
  DeletePostsResolver,
  PostRelationsResolver,
  PostAnalyticsResolver,
  NetworkSyncResolver,
  PostingScheduleResolver,
  AccountPostingScheduleResolver,
  ViewerResolver,
  WebhookResolver,
  WebhookMutationsResolver,
  WorkspaceResolver,
];

/** Builds the executable schema. Its fields enforce their scopes. */
export function buildGatewaySchema(): GraphQLSchema {
  const built = buildSchemaSync({
    resolvers: RESOLVERS,
    validate: false,
    pubSub: NO_PUB_SUB,
    skipCheck: true, // Apollo Server validates the schema; this check would run a query on it
  });
  const scope = built.getType('Scope') as GraphQLEnumType;
  const { types, ...config } = built.toConfig();
  const schema = new GraphQLSchema({
    ...config,
    query: completeRootType(
      built.getQueryType()!,
      'Read operations. `@requiresScopes` on each field lists the required scopes. A list returns 20 items if neither `first` nor `last` is given.',
    ),
    mutation: completeRootType(
      built.getMutationType()!,
      'Write operations. Rule violations are returned in `userErrors`. Errors in authentication, scopes, limits and malformed input are returned in `errors`.',
    ),
    subscription: completeRootType(
      built.getSubscriptionType()!,
      'Streams of results, sent as server-sent events (GraphQL over SSE, distinct connections mode).',
    ),
    // the types that no field names: graphql-js finds the others
    types: types.filter((type) => isObjectType(type) && type.getInterfaces().length > 0),
    directives: [...specifiedDirectives, requiresScopesDirective(scope)],
  });
  guardPayloads(schema); // before the scopes of the mutations, which are checked first
  completeResolvers(schema);
  return schema;
}

/**
 * Adds a description, which TypeGraphQL does not accept for root types, and puts the fields in the
 * order of RESOLVERS; TypeGraphQL leaves them in the order in which files are loaded.
 */
function completeRootType(type: GraphQLObjectType, description: string): GraphQLObjectType {
  const { fields, ...config } = type.toConfig();
  const ordered = Object.entries(fields)
    .map(([name, field]) => ({ name, field, position: RESOLVERS.indexOf(resolverOf(field)!) }))
    .sort((a, b) => a.position - b.position);
  return new GraphQLObjectType({
    ...config,
    description,
    fields: Object.fromEntries(ordered.map(({ name, field }) => [name, field])),
  });
}

/** Input type of a post update. The REST API derives its bodies from it. */
export const postPatchType = (schema: GraphQLSchema): GraphQLInputObjectType =>
  schema.getType('PostPatch') as GraphQLInputObjectType;
