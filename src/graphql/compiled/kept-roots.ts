import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { GatewayContext } from '../context.js';

/** What root fields gave, or promised, by response name. */
export type Roots = Map<string | number, unknown>;

/** Makes every root field give what it gave to the planned way, where that asked it: so graphql-js can complete an answer, and nothing is done twice. */
export function keepRoots(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    if (root) keepFieldsOf(root);
}

function keepFieldsOf(root: GraphQLObjectType<unknown, Pick<GatewayContext, 'run'>>): void {
  for (const field of Object.values(root.getFields())) {
    const answer = field.resolve!;
    field.resolve = (source, args, context, info) => {
      const { roots } = context.run;
      return roots.has(info.path.key)
        ? roots.get(info.path.key)
        : answer(source, args, context, info);
    };
  }
}
