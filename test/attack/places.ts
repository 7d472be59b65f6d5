import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** A value of the schema's input that a caller chooses: an argument, or a field inside one. */
export interface Place {
  /** As `Query.posts.filter.accountIds`. */
  readonly name: string;
  /** The type of what stands there, without lists. */
  readonly type: string;
  readonly isChange: boolean;
  /** An operation with one variable, `$value`. */
  readonly query: string;
  /** What the variable is when this stands in the place. */
  value(inPlace: unknown): unknown;
}

/** What else has to be given for an operation to run, by type and field or argument, in GraphQL's words where it is a literal. */
export interface Surroundings {
  /** Arguments on the way to a field, and beside one: `Query.post.id`. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Fields of input objects beside the one in question: `UpdatePostInput.id`. Those that are required have to be here. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A way from a root type to a field, and how it is written around what is asked there. */
interface Way {
  readonly type: GraphQLObjectType;
  write(selection: string): string;
}

/** Every place of every argument of every field that a query or a mutation reaches, each by its shortest way. */
export function placesIn(schema: GraphQLSchema, surroundings: Surroundings): Place[] {
  return [schema.getQueryType()!, schema.getMutationType()!].flatMap((root) =>
    waysFrom(root, surroundings).flatMap((way) =>
      Object.values(way.type.getFields()).flatMap((field) =>
        placesOf({ schema, root, way, field, surroundings }),
      ),
    ),
  );
}

/** Breadth first, so that each type is reached by its shortest way; a mutation's own fields only. */
function waysFrom(root: GraphQLObjectType, { arguments: given }: Surroundings): Way[] {
  const ways = new Map<string, Way>([[root.name, { type: root, write: (selection) => selection }]]);
  if (root.name === 'Mutation') return [...ways.values()];
  for (const { type, write } of ways.values()) {
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type);
      if (!isObjectType(next) || ways.has(next.name)) continue;
      const required = field.args
        .filter(isRequiredArgument)
        .map(({ name }) => literal(given, `${type.name}.${field.name}.${name}`, name));
      ways.set(next.name, {
        type: next,
        write: (selection) => write(`${call(field.name, required)} { ${selection} }`),
      });
    }
  }
  return [...ways.values()];
}

interface At {
  schema: GraphQLSchema;
  root: GraphQLObjectType;
  way: Way;
  field: GraphQLField<unknown, unknown>;
  surroundings: Surroundings;
}

function placesOf({ schema, root, way, field, surroundings }: At): Place[] {
  return field.args.flatMap((argument) =>
    leavesOf(argument.type).map(({ path, type }) => {
      const others = field.args
        .filter(
          (one) =>
            one !== argument &&
            (isRequiredArgument(one) ||
              `${way.type.name}.${field.name}.${one.name}` in surroundings.arguments),
        )
        .map(({ name }) =>
          literal(surroundings.arguments, `${way.type.name}.${field.name}.${name}`, name),
        );
      const selection = selectionOf(schema, getNamedType(field.type));
      return {
        name: [way.type.name, field.name, argument.name, ...path].join('.'),
        type,
        isChange: root.name === 'Mutation',
        query: `${root.name.toLowerCase()}($value: ${String(argument.type)}) { ${way.write(`${call(field.name, [...others, `${argument.name}: $value`])} ${selection}`)} }`,
        value: (inPlace: unknown) => built(argument, path, inPlace, surroundings),
      };
    }),
  );
}

const call = (name: string, args: readonly string[]): string =>
  args.length === 0 ? name : `${name}(${args.join(', ')})`;

function literal(given: Readonly<Record<string, string>>, place: string, name: string): string {
  if (given[place] === undefined) throw new Error(`${place} needs a value`);
  return `${name}: ${given[place]}`;
}

/** The paths to everything inside a type that is no object itself. */
function leavesOf(
  type: GraphQLInputType,
  path: readonly string[] = [],
): { path: readonly string[]; type: string }[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ path, type: named.name }];
  return Object.values(named.getFields()).flatMap((field) =>
    leavesOf(field.type, [...path, field.name]),
  );
}

/** The value of an argument with this in the place that the path leads to, in lists of one. */
function built(
  { type }: Pick<GraphQLArgument, 'type'>,
  path: readonly string[],
  inPlace: unknown,
  surroundings: Surroundings,
): unknown {
  if (isNonNullType(type))
    return built({ type: getNullableType(type) }, path, inPlace, surroundings);
  if (isListType(type))
    return [built({ type: type.ofType as GraphQLInputType }, path, inPlace, surroundings)];
  if (!isInputObjectType(type)) return inPlace;
  const [head, ...rest] = path;
  return Object.fromEntries(
    Object.values(type.getFields()).flatMap((field): [string, unknown][] => {
      const place = `${type.name}.${field.name}`;
      if (field.name === head) return [[field.name, built(field, rest, inPlace, surroundings)]];
      if (place in surroundings.fields) return [[field.name, surroundings.fields[place]]];
      if (isRequiredInputField(field)) throw new Error(`${place} needs a value`);
      return [];
    }),
  );
}

/**
 * What an answer can show of a type: its leaves and all that it holds; its leaves alone where it was shown before; nothing
 * that wants arguments. Of records of any kind the leaves that have one type in all of them.
 */
export function selectionOf(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  shown: Set<string> = new Set(),
): string {
  if (!isCompositeType(type)) return '';
  if (isAbstractType(type)) return anyOf(schema.getPossibleTypes(type));
  const isKnown = shown.has(type.name);
  shown.add(type.name);
  const fields = Object.values(type.getFields())
    .filter(({ args }) => args.length === 0)
    .flatMap((field) => {
      const next = getNamedType(field.type);
      if (isCompositeType(next) && (isKnown || next.name.endsWith('Edge'))) return [];
      return [`${field.name} ${selectionOf(schema, next, shown)}`.trim()];
    });
  return `{ ${fields.join(' ')} }`;
}

function anyOf(types: readonly GraphQLObjectType[]): string {
  const typeOf = new Map<string, string>();
  const parts = types.map((type) => {
    const leaves = Object.values(type.getFields()).filter(
      (field) => !isCompositeType(getNamedType(field.type)),
    );
    const fitting = leaves.filter(
      ({ name, type: is }) => (typeOf.get(name) ?? String(is)) === String(is),
    );
    for (const { name, type: is } of fitting) typeOf.set(name, String(is));
    return `... on ${type.name} { ${fitting.map(({ name }) => name).join(' ')} }`;
  });
  return `{ __typename ${parts.join(' ')} }`;
}
