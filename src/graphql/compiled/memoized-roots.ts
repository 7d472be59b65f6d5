import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { GatewayContext } from '../context.js';

/** Results of root fields, or promises of them, by response name. */
export type RootResults = Map<string | number, unknown>;

/**
 * Wraps root fields to return the result that compiled execution stored. graphql-js can then
 * complete the operation without resolving a root field twice.
 */
export function memoizeRootFields(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    if (root) memoizeFieldsOf(root);
}

function memoizeFieldsOf(root: GraphQLObjectType<unknown, Pick<GatewayContext, 'state'>>): void {
  for (const field of Object.values(root.getFields())) {
    const resolve = field.resolve!;
    field.resolve = (source, args, context, info) => {
      const { rootResults } = context.state;
      return rootResults.has(info.path.key)
        ? rootResults.get(info.path.key)
        : resolve(source, args, context, info);
    };
  }
}
