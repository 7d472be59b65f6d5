import {
  Kind,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Introspection fields, which every schema has. */
const INTROSPECTION = ['__typename', '__schema', '__type'];

/**
 * Names a valid operation by its type and root field: `query posts`, `mutation updatePost`, or
 * `query (several)` for different root fields. Names come from the schema only: operation names of
 * clients would make unbounded metric labels.
 */
export function createOperationNames(
  schema: GraphQLSchema,
): (operation: OperationDefinitionNode, document: DocumentNode) => string {
  const namesOfRootFields = (
    type: 'query' | 'mutation',
    root: GraphQLObjectType | null | undefined,
  ): ReadonlyMap<string, string> =>
    new Map(
      [...Object.keys(root?.getFields() ?? {}), ...INTROSPECTION].map((field) => [
        field,
        `${type} ${field}`,
      ]),
    );
  const names = {
    query: namesOfRootFields('query', schema.getQueryType()),
    mutation: namesOfRootFields('mutation', schema.getMutationType()),
    subscription: new Map<string, string>(),
  };

  // Apollo Server caches parsed documents
  const cache = new WeakMap<OperationDefinitionNode, string>();
  const nameOf = (
    { operation: type, selectionSet }: OperationDefinitionNode,
    document: DocumentNode,
  ): string => {
    const fields = rootFields(selectionSet, document);
    const [first = ''] = fields;
    return (fields.size === 1 && names[type].get(first)) || MULTIPLE_FIELDS[type];
  };
  return (operation, document) => {
    const name = cache.get(operation) ?? nameOf(operation, document);
    cache.set(operation, name);
    return name;
  };
}

const MULTIPLE_FIELDS = {
  query: 'query (several)',
  mutation: 'mutation (several)',
  subscription: 'subscription',
} as const;

function rootFields(
  { selections }: SelectionSetNode,
  document: DocumentNode,
  names = new Set<string>(),
): Set<string> {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) names.add(node.name.value);
    else if (node.kind === Kind.INLINE_FRAGMENT) rootFields(node.selectionSet, document, names);
    else {
      const fragment = document.definitions.find(
        (definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
      );
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION)
        rootFields(fragment.selectionSet, document, names);
    }
  }
  return names;
}
