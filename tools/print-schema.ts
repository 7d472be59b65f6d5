import {
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  visit,
  type FieldDefinitionNode,
  type GraphQLSchema,
} from 'graphql';

/** Prints the schema including the directives of its fields, which graphql-js omits. */
export function printGatewaySchema(schema: GraphQLSchema): string {
  const withDirectives = (typeName: string, node: FieldDefinitionNode): FieldDefinitionNode => {
    const type = schema.getType(typeName);
    const field =
      isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    return {
      ...node,
      directives: [...(node.directives ?? []), ...(field?.astNode?.directives ?? [])],
    };
  };
  const document = visit(parse(printSchema(schema)), {
    ObjectTypeDefinition: (type) => ({
      ...type,
      fields: type.fields?.map((field) => withDirectives(type.name.value, field)),
    }),
  });
  return `${print({ kind: Kind.DOCUMENT, definitions: document.definitions })}\n`;
}
