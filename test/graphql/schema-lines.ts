import {
  astFromValue,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  print,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

const inputLine = ({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string => {
  const defaultNode = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return `${name}: ${String(type)}${defaultNode ? ` = ${print(defaultNode)}` : ''}`;
};

function linesOf(type: GraphQLNamedType): string[] {
  const { name } = type;
  if (isScalarType(type)) return [`scalar ${name}`];
  if (isEnumType(type)) return type.getValues().map((value) => `enum ${name}.${value.name}`);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => `input ${name}.${inputLine(field)}`);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = Object.values(type.getFields()).map((field) => {
    const args = field.args.length > 0 ? `(${field.args.map(inputLine).sort().join(', ')})` : '';
    const directives = (field.astNode?.directives ?? [])
      .map((directive) => ` ${print(directive)}`)
      .join('');
    return `${name}.${field.name}${args}: ${String(field.type)}${directives}`;
  });
  return [...type.getInterfaces().map((type) => `${name} implements ${type.name}`), ...fields];
}

/** A schema as sorted lines, one per type, field, argument, enum value and directive. */
export const schemaLines = (schema: GraphQLSchema): string[] =>
  [
    ...Object.values(schema.getTypeMap())
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap(linesOf),
    ...schema
      .getDirectives()
      .map(
        ({ name, args, locations }) =>
          `directive @${name}(${args.map(inputLine).join(', ')}) on ${locations.join(' | ')}`,
      ),
  ].sort();
