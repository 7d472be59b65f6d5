import 'reflect-metadata'; // before any decorator runs
import {
  GraphQLSchema,
  specifiedDirectives,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
} from 'graphql';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { AccountResolver } from './account/account.resolver.js';
import { ChangeResolver } from './change/change.resolver.js';
import { EventResolver } from './event/event.resolver.js';
import { HistoryResolver } from './history/history.resolver.js';
import { RevertResolver } from './history/revert.resolver.js';
import { JobResolver } from './job/job.resolver.js';
import { LabelResolver } from './label/label.resolver.js';
import { MediaFileResolver } from './media/media-file.resolver.js';
import { MediaMutationsResolver } from './media/media-mutations.resolver.js';
import { MediaResolver } from './media/media.resolver.js';
import { NetworkResolver } from './network/network.resolver.js';
import { NodeResolver } from './node/node.resolver.js';
import { NotificationResolver } from './notification/notification.resolver.js';
import { PostActionsResolver } from './post/actions/post-actions.resolver.js';
import { PostMutationsResolver } from './post/change/post-mutations.resolver.js';
import { PostQueriesResolver } from './post/post-queries.resolver.js';
import { NetworkSyncResolver, PostRelationsResolver } from './post/post-relations.resolver.js';
import { completeResolvers } from './field-resolvers.js';
import { requiresScopesDirective } from './requires-scopes.js';
import {
  AccountPostingScheduleResolver,
  PostingScheduleResolver,
} from './posting-schedule/posting-schedule.resolver.js';
import { ViewerResolver } from './viewer/viewer.resolver.js';
import { WebhookMutationsResolver } from './webhook/webhook-mutations.resolver.js';
import { WebhookResolver } from './webhook/webhook.resolver.js';
import { WorkspaceResolver } from './workspace/workspace.resolver.js';

/** TypeGraphQL requires one for subscriptions, even if all of them provide their own events. */
const NO_PUB_SUB: PubSub = {
  publish() {},
  subscribe() {
    throw new Error('Subscriptions provide their own events.');
  },
};

/** Builds the executable schema. Its fields enforce their scopes. */
export function buildGatewaySchema(): GraphQLSchema {
  const built = buildSchemaSync({
    resolvers: [
      PostQueriesResolver,
      PostMutationsResolver,
      PostActionsResolver,
      PostRelationsResolver,
      NetworkSyncResolver,
      ChangeResolver,
      EventResolver,
      HistoryResolver,
      RevertResolver,
      JobResolver,
      LabelResolver,
      WorkspaceResolver,
      AccountResolver,
      AccountPostingScheduleResolver,
      PostingScheduleResolver,
      MediaResolver,
      MediaFileResolver,
      MediaMutationsResolver,
      NodeResolver,
      ViewerResolver,
      NotificationResolver,
      NetworkResolver,
      WebhookResolver,
      WebhookMutationsResolver,
    ],
    validate: false,
    pubSub: NO_PUB_SUB,
    skipCheck: true, // Apollo Server validates the schema; this check would run a query on it
  });
  const scope = built.getType('Scope') as GraphQLEnumType;
  const schema = new GraphQLSchema({
    ...built.toConfig(),
    directives: [...specifiedDirectives, requiresScopesDirective(scope)],
  });
  describeRootTypes(schema);
  completeResolvers(schema);
  return schema;
}

/** TypeGraphQL creates the root types and accepts no description for them. */
function describeRootTypes(schema: GraphQLSchema): void {
  schema.getQueryType()!.description =
    'Read operations. `@requiresScopes` on each field lists the required scopes. A list returns 20 items if neither `first` nor `last` is given.';
  schema.getMutationType()!.description =
    'Write operations. Rule violations are returned in `userErrors`. Errors in authentication, scopes, limits and malformed input are returned in `errors`.';
  schema.getSubscriptionType()!.description =
    'Streams of results, sent as server-sent events (GraphQL over SSE, distinct connections mode).';
}

/** Input type of a post update. The REST API derives its bodies from it. */
export const postPatchType = (schema: GraphQLSchema): GraphQLInputObjectType =>
  schema.getType('PostPatch') as GraphQLInputObjectType;
