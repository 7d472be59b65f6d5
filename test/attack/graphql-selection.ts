import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/**
 * Selects all fields of a type that take no arguments, recursively; of a type that was already
 * selected only its name, since operations have a limited number of fields. Of an abstract type it selects the leaves that have the same type in
 * all possible types.
 */
export function selectionOf(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  selected: Set<string> = new Set(),
): string {
  if (!isCompositeType(type)) return '';
  if (isAbstractType(type)) return abstractSelection(schema.getPossibleTypes(type));
  if (selected.has(type.name)) return '{ __typename }';
  selected.add(type.name);
  const fields = Object.values(type.getFields())
    .filter(({ args }) => args.length === 0)
    .flatMap((field) => {
      const next = getNamedType(field.type);
      if (isCompositeType(next) && next.name.endsWith('Edge')) return [];
      return [`${field.name} ${selectionOf(schema, next, selected)}`.trim()];
    });
  return `{ ${fields.join(' ')} }`;
}

function abstractSelection(types: readonly GraphQLObjectType[]): string {
  const typeByField = new Map<string, string>();
  const fragments = types.map((type) => {
    const leaves = Object.values(type.getFields()).filter(
      (field) => !isCompositeType(getNamedType(field.type)),
    );
    const compatible = leaves.filter(
      (field) => (typeByField.get(field.name) ?? String(field.type)) === String(field.type),
    );
    for (const field of compatible) typeByField.set(field.name, String(field.type));
    return `... on ${type.name} { ${compatible.map(({ name }) => name).join(' ')} }`;
  });
  return `{ __typename ${fragments.join(' ')} }`;
}
