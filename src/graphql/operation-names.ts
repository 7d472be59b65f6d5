import {
  Kind,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** The fields that every schema has beside its own. */
const INTROSPECTION = ['__typename', '__schema', '__type'];

/**
 * Names a valid operation by its type and root field: `query posts`, `mutation updatePost`; `query (several)` with
 * different root fields. Only the schema's own words: what clients call their operations is boundless.
 */
export function createOperationNames(
  schema: GraphQLSchema,
): (operation: OperationDefinitionNode, document: DocumentNode) => string {
  const namesUnder = (
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
    query: namesUnder('query', schema.getQueryType()),
    mutation: namesUnder('mutation', schema.getMutationType()),
    subscription: new Map<string, string>(),
  };

  const known = new WeakMap<OperationDefinitionNode, string>(); // documents are kept, and sent again
  const nameOf = (
    { operation: type, selectionSet }: OperationDefinitionNode,
    document: DocumentNode,
  ): string => {
    const fields = rootFields(selectionSet, document);
    const [first = ''] = fields;
    return (fields.size === 1 && names[type].get(first)) || SEVERAL[type];
  };
  return (operation, document) => {
    const name = known.get(operation) ?? nameOf(operation, document);
    known.set(operation, name);
    return name;
  };
}

const SEVERAL = {
  query: 'query (several)',
  mutation: 'mutation (several)',
  subscription: 'subscription',
} as const;

function rootFields(
  { selections }: SelectionSetNode,
  document: DocumentNode,
  found = new Set<string>(),
): Set<string> {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) found.add(node.name.value);
    else if (node.kind === Kind.INLINE_FRAGMENT) rootFields(node.selectionSet, document, found);
    else {
      const fragment = document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
      );
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION)
        rootFields(fragment.selectionSet, document, found);
    }
  }
  return found;
}
