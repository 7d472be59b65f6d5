import 'reflect-metadata'; // before any decorator runs
import {
  GraphQLSchema,
  specifiedDirectives,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
} from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import type { PostView } from '../domain/posts/post-query.js';
import { AccountResolver } from './account/account.resolver.js';
import type { GatewayContext } from './context.js';
import { JobResolver } from './job/job.resolver.js';
import { LabelResolver } from './label/label.resolver.js';
import { MediaResolver } from './media/media.resolver.js';
import { NetworkResolver } from './network/network.resolver.js';
import { NodeResolver } from './node/node.resolver.js';
import { NotificationResolver } from './notification/notification.resolver.js';
import { keepRoots } from './compiled/kept-roots.js';
import { PostMutationsResolver } from './post/change/post-mutations.resolver.js';
import { PostQueriesResolver } from './post/post-queries.resolver.js';
import { NetworkSyncResolver, PostRelationsResolver } from './post/post-relations.resolver.js';
import { completeReads, noteMakes } from './selection/row-fields.js';
import { enforceScopes, requiresScopesDirective } from './requires-scopes.js';
import { ViewerResolver } from './viewer/viewer.resolver.js';
import { WorkspaceResolver } from './workspace/workspace.resolver.js';

/** The whole schema, with its rules about scopes built into the fields. */
export function buildGatewaySchema(): GraphQLSchema {
  const built = buildSchemaSync({
    resolvers: [
      PostQueriesResolver,
      PostMutationsResolver,
      PostRelationsResolver,
      NetworkSyncResolver,
      JobResolver,
      LabelResolver,
      WorkspaceResolver,
      AccountResolver,
      MediaResolver,
      NodeResolver,
      ViewerResolver,
      NotificationResolver,
      NetworkResolver,
    ],
    validate: false,
  });
  const scope = built.getType('Scope') as GraphQLEnumType;
  const schema = new GraphQLSchema({
    ...built.toConfig(),
    directives: [...specifiedDirectives, requiresScopesDirective(scope)],
  });
  describeRoots(schema);
  noteMakes(schema);
  enforceScopes(schema);
  keepRoots(schema);
  completeReads(schema.getType('Post') as GraphQLObjectType<PostView, GatewayContext>);
  return schema;
}

/** Type-GraphQL makes the root types itself and takes no words for them. */
function describeRoots(schema: GraphQLSchema): void {
  schema.getQueryType()!.description =
    'What can be read. Each field names the scope that the key needs; a list without `first` and `last` gives 20.';
  schema.getMutationType()!.description =
    'What can be changed. Refusals by the rules are `userErrors`; the gate, scopes, limits and malformed input are `errors` (GraphQL contract).';
}

/** The input type of a change of a post: v1 reads its bodies by it. */
export const postPatchType = (schema: GraphQLSchema): GraphQLInputObjectType =>
  schema.getType('PostPatch') as GraphQLInputObjectType;
