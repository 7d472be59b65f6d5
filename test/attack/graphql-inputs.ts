import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { selectionOf } from './graphql-selection.js';

/** A value that a caller of GraphQL chooses: an argument, or a field inside one. */
export interface GraphqlInput {
  /** For example `Query.posts.filter.accountIds`. */
  readonly name: string;
  /** Type of the value, without lists. */
  readonly type: string;
  readonly isMutation: boolean;
  /** An operation with one variable, `$value`. */
  readonly query: string;
  /** Value of the variable that passes `value` in this input. */
  toVariable(value: unknown): unknown;
}

/** Values of other inputs that an operation needs. */
export interface FixedValues {
  /**
   * Arguments of the same field and of the fields on the path to it, as literals: `Query.post.id`.
   */
  readonly arguments: Readonly<Record<string, string>>;
  /** Fields of input objects: `UpdatePostInput.id`. Contains all required ones. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A path from a root type to an object type. */
interface TypePath {
  readonly root: GraphQLObjectType;
  readonly type: GraphQLObjectType;
  /** Wraps a selection on the type into the fields of the path. */
  wrap(selection: string): string;
}

/**
 * Lists the inputs of all arguments of all fields that a query or a mutation can reach, each by the
 * shortest path.
 */
export function listGraphqlInputs(schema: GraphQLSchema, fixed: FixedValues): GraphqlInput[] {
  return [schema.getQueryType()!, schema.getMutationType()!].flatMap((root) =>
    pathsFrom(root, fixed).flatMap((path) =>
      Object.values(path.type.getFields()).flatMap((field) =>
        inputsOf({ schema, path, field, fixed }),
      ),
    ),
  );
}

/** Breadth-first, for the shortest path to each type. Of a mutation only the root. */
function pathsFrom(root: GraphQLObjectType, { arguments: literals }: FixedValues): TypePath[] {
  const paths = new Map<string, TypePath>([
    [root.name, { root, type: root, wrap: (selection) => selection }],
  ]);
  if (root.name === 'Mutation') return [...paths.values()];
  for (const { type, wrap } of paths.values()) {
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type);
      if (!isObjectType(next) || paths.has(next.name)) continue;
      const required = field.args
        .filter(isRequiredArgument)
        .map(({ name }) => writeArgument(literals, `${type.name}.${field.name}`, name));
      paths.set(next.name, {
        root,
        type: next,
        wrap: (selection) => wrap(`${writeField(field.name, required)} { ${selection} }`),
      });
    }
  }
  return [...paths.values()];
}

interface FieldLocation {
  readonly schema: GraphQLSchema;
  readonly path: TypePath;
  readonly field: GraphQLField<unknown, unknown>;
  readonly fixed: FixedValues;
}

function inputsOf({ schema, path, field, fixed }: FieldLocation): GraphqlInput[] {
  const { root, type: parent, wrap } = path;
  const fieldName = `${parent.name}.${field.name}`;
  const selection = selectionOf(schema, getNamedType(field.type));
  return field.args.flatMap((argument) => {
    const otherArguments = field.args
      .filter((other) => other !== argument)
      .filter(
        (other) => isRequiredArgument(other) || `${fieldName}.${other.name}` in fixed.arguments,
      )
      .map(({ name }) => writeArgument(fixed.arguments, fieldName, name));
    const call = writeField(field.name, [...otherArguments, `${argument.name}: $value`]);
    return leavesOf(argument.type).map(({ keys, type }) => ({
      name: [fieldName, argument.name, ...keys].join('.'),
      type,
      isMutation: root.name === 'Mutation',
      query: `${root.name.toLowerCase()}($value: ${String(argument.type)}) { ${wrap(`${call} ${selection}`)} }`,
      toVariable: (value: unknown) => buildValue(argument.type, keys, { value, fixed }),
    }));
  });
}

const writeField = (name: string, args: readonly string[]): string =>
  args.length === 0 ? name : `${name}(${args.join(', ')})`;

function writeArgument(
  literals: FixedValues['arguments'],
  fieldName: string,
  name: string,
): string {
  const literal = literals[`${fieldName}.${name}`];
  if (literal === undefined) throw new Error(`${fieldName}.${name} needs a value`);
  return `${name}: ${literal}`;
}

/** The values inside a type that are not input objects, with the keys that lead to them. */
function leavesOf(
  type: GraphQLInputType,
  keys: readonly string[] = [],
): { keys: readonly string[]; type: string }[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ keys, type: named.name }];
  return Object.values(named.getFields()).flatMap((field) =>
    leavesOf(field.type, [...keys, field.name]),
  );
}

/** A value of the type, with `value` at the keys. Lists have one item. */
function buildValue(
  type: GraphQLInputType,
  keys: readonly string[],
  leaf: { value: unknown; fixed: FixedValues },
): unknown {
  if (isNonNullType(type)) return buildValue(getNullableType(type), keys, leaf);
  if (isListType(type)) return [buildValue(type.ofType as GraphQLInputType, keys, leaf)];
  if (!isInputObjectType(type)) return leaf.value;
  const [head, ...rest] = keys;
  return Object.fromEntries(
    Object.values(type.getFields()).flatMap((field): [string, unknown][] => {
      const fieldName = `${type.name}.${field.name}`;
      if (field.name === head) return [[field.name, buildValue(field.type, rest, leaf)]];
      if (fieldName in leaf.fixed.fields) return [[field.name, leaf.fixed.fields[fieldName]]];
      if (isRequiredInputField(field)) throw new Error(`${fieldName} needs a value`);
      return [];
    }),
  );
}
